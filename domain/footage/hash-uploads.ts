import { createHash, type Hash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import type { HashOrder, HashSaid } from './upload-hashes.ts';

// A thread beside the server's, which `UploadHashes` starts.

/** How far each upload was read. */
const hashed = new Map<string, { readonly hash: Hash; readonly end: number }>();
const piece = Buffer.allocUnsafeSlow(1_048_576);

parentPort?.on('message', (told: HashOrder) => {
  if (told.order === 'read') read(told);
  else if (told.order === 'forget') hashed.delete(told.id);
  else {
    const known = hashed.get(told.id);
    const sha256 = known?.end === told.sizeBytes ? known.hash.copy().digest('hex') : undefined;
    parentPort?.postMessage({ question: told.question, sha256 } satisfies HashSaid);
  }
});

function read({ id, path, from, until }: HashOrder & { order: 'read' }): void {
  const known = from === 0 ? { hash: createHash('sha256'), end: 0 } : hashed.get(id);
  hashed.delete(id);
  if (known?.end !== from) return;
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    let at = from;
    while (at < until) {
      const bytesRead = readSync(file, piece, 0, Math.min(piece.length, until - at), at);
      if (bytesRead === 0) return;
      known.hash.update(piece.subarray(0, bytesRead));
      at += bytesRead;
    }
    hashed.set(id, { hash: known.hash, end: until });
  } catch {
    // Cancelled meanwhile, or not to be read: it is read as a whole at the end, which says why.
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
