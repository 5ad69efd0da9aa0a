import { createSHA256 } from 'hash-wasm';
import { limits } from '#contract/limits.ts';

/** What a page asks this worker: the beginning and end of a file, by which it is known again, or all of it. */
export interface HashQuestion {
  readonly file: File;
  readonly of: 'ends' | 'whole';
}

/** The SHA-256 in hexadecimal digits, or why the file could not be read. */
export type HashAnswer = { readonly sha256: string } | { readonly failure: string };

self.addEventListener('message', ({ data }: MessageEvent<HashQuestion>) => {
  const answer = (said: HashAnswer) => self.postMessage(said);
  hash(data).then(
    (sha256) => answer({ sha256 }),
    (reason: unknown) => answer({ failure: reason instanceof Error ? reason.message : String(reason) }),
  );
});

async function hash({ file, of }: HashQuestion): Promise<string> {
  const sha256 = (await createSHA256()).init();
  const read = async (start: number, end: number) => sha256.update(new Uint8Array(await file.slice(start, end).arrayBuffer()));
  if (of === 'ends') {
    const piece = limits.endPieceBytes;
    await read(0, piece);
    await read(Math.max(0, file.size - piece), file.size);
  } else {
    for (let start = 0; start < file.size; start += limits.uploadPieceBytes) await read(start, start + limits.uploadPieceBytes);
  }
  return sha256.digest('hex');
}
