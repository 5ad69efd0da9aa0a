import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { copyFile, open } from 'node:fs/promises';
import { Agent, type ClientRequest, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { limits } from '#contract/limits.ts';
import { openDatabase } from '#domain/db/open-database.ts';
import { sha256OfFile } from '#domain/files/sha256.ts';
import { loadSecrets } from '#domain/tokens/secrets.ts';
import { addPerson } from '#testing/add-person.ts';
import { endsOf } from '#testing/made-bytes.ts';
import { startArchive } from '#testing/running-archive.ts';
import { pieceOfUpload, tus } from '#testing/upload-client.ts';
import { writeTestPages } from '#testing/write-test-pages.ts';

/** What an upload over loopback took, and what a copy that is as safe took in the same folder. */
interface UploadSpeed {
  readonly megabytes: number;
  /** Until the archive has said that the film is in it, sent in pieces as the page does over a fast connection: one of 8 MB, then such of 64. */
  readonly uploadSeconds: number;
  /** The same, sent by one request. */
  readonly atOnceSeconds: number;
  /** `cp`, fsync, and SHA-256 of what was written. */
  readonly copySeconds: number;
  /** Of copying's speed. */
  readonly share: number;
  readonly atOnceShare: number;
  /** By how much the memory of the server was higher at its highest than before. */
  readonly serverGrewMB: number;
}

const startedWithinMs = 10_000;
const agent = new Agent({ keepAlive: true });

/** Uploads a file of so many bytes to a server of its own, and copies it by hand. */
export async function measureUpload(folder: string, sizeBytes: number): Promise<UploadSpeed> {
  const file = join(folder, 'upload.mp4');
  await writeRandom(file, sizeBytes);
  const copySeconds = await secondsOf(async () => {
    await copyFile(file, join(folder, 'copy.mp4'));
    await using copy = await open(join(folder, 'copy.mp4'), 'r+');
    await copy.sync();
    await sha256OfFile(join(folder, 'copy.mp4'));
  });
  const dataFolder = join(folder, 'data');
  writeTestPages(join(folder, 'pages'));
  const roomy = { RUSHES_UPLOAD_MAX_MB: '100000', RUSHES_UPLOAD_QUOTA_MB: '200000', RUSHES_DISK_RESERVE_MB: '0' };
  const archive = await startArchive({ dataFolder, env: { RUSHES_PAGES: join(folder, 'pages'), RUSHES_SAMPLES: '0', ...roomy } });
  const { pool } = await openDatabase({ dataFolder });
  try {
    const editor = await addPerson({ pool, secrets: loadSecrets(dataFolder) }, { editor: true });
    const headers = { cookie: editor.cookie, origin: archive.origin };
    // The start goes on beside the first requests: it loads models, and tidies up.
    await wait(startedWithinMs);
    const before = residentMB(archive.pid);
    let highest = before;
    const watch = setInterval(() => (highest = Math.max(highest, residentMB(archive.pid))), 50);
    const to = { origin: archive.origin, headers };
    const uploadSeconds = await secondsOf(() =>
      upload(to, { file, sizeBytes, firstBytes: limits.uploadPieceBytes, nextBytes: limits.uploadPieceMaxBytes }),
    );
    // The same once more would be here already.
    await writeRandom(file, sizeBytes);
    const atOnceSeconds = await secondsOf(() => upload(to, { file, sizeBytes, firstBytes: sizeBytes, nextBytes: 0 }));
    clearInterval(watch);
    const rounded = (value: number) => Math.round(value * 100) / 100;
    return {
      megabytes: Math.round(sizeBytes / 1_000_000),
      uploadSeconds: rounded(uploadSeconds),
      atOnceSeconds: rounded(atOnceSeconds),
      copySeconds: rounded(copySeconds),
      share: rounded(copySeconds / uploadSeconds),
      atOnceShare: rounded(copySeconds / atOnceSeconds),
      serverGrewMB: Math.round(highest - before),
    };
  } finally {
    await pool.end();
    await archive.stop();
  }
}

interface FileToSend {
  readonly file: string;
  readonly sizeBytes: number;
  /** What the first request carries. */
  readonly firstBytes: number;
  /** What each one behind it carries. */
  readonly nextBytes: number;
}

/** Begun, sent while it is hashed, and ended by its hash; the page sends it in pieces, scripts may send it at once. */
async function upload({ origin, headers }: { origin: string; headers: Record<string, string> }, sent: FileToSend): Promise<void> {
  const { file, sizeBytes } = sent;
  const ends = endsOf(Buffer.concat([await pieceAt(file, 0), await pieceAt(file, sizeBytes - pieceBytes)]));
  const metadata = Object.entries({ filename: 'upload.mp4', ends }).map(([key, value]) => `${key} ${btoa(value)}`);
  const begun = await fetch(`${origin}/api/uploads`, {
    method: 'POST',
    headers: { ...headers, ...tus, 'upload-length': String(sizeBytes), 'upload-metadata': metadata.join(',') },
  });
  const address = `${origin}${begun.headers.get('location')}`;
  const sha256 = await sendAll(address, headers, sent);
  const finished = await fetch(`${address}/finish`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ sha256, sidecars: [] }),
  });
  if (!finished.ok) throw new Error(`The upload did not end well: ${await finished.text()}`);
}

const pieceBytes = 1_048_576;

/**
 * Sends a file, and returns its hash. Two pieces of memory take turns: a browser sends and hashes beside the server as well, in
 * processes of its own.
 */
async function sendAll(
  address: string,
  headers: Record<string, string>,
  { file, sizeBytes, firstBytes, nextBytes }: FileToSend,
): Promise<string> {
  await using reading = await open(file, 'r');
  const hash = createHash('sha256');
  let [next, other] = [Buffer.allocUnsafe(pieceBytes), Buffer.allocUnsafe(pieceBytes)];
  let length = firstBytes;
  for (let at = 0; at < sizeBytes; ) {
    length = Math.min(length, sizeBytes - at);
    const { sending, answered } = beginSending(address, { ...headers, 'upload-offset': String(at), 'content-length': String(length) });
    let sent: Promise<unknown> = Promise.resolve();
    for (let left = length; left > 0; ) {
      const { bytesRead } = await reading.read(next, 0, Math.min(pieceBytes, left));
      const piece = next.subarray(0, bytesRead);
      hash.update(piece);
      await sent;
      sent = new Promise((resolve) => sending.write(piece, resolve));
      [next, other] = [other, next];
      left -= bytesRead;
    }
    await sent;
    sending.end();
    if ((await answered) !== 204) throw new Error(`The upload was answered with ${await answered}.`);
    at += length;
    length = nextBytes;
  }
  return hash.digest('hex');
}

function beginSending(address: string, headers: Record<string, string>): { sending: ClientRequest; answered: Promise<number> } {
  const sending = request(address, { method: 'PATCH', agent, headers: { ...headers, ...pieceOfUpload } });
  const answered = new Promise<number>((resolve, reject) => {
    sending.on('response', (answer) => resolve(answer.resume().statusCode ?? 0)).on('error', reject);
  });
  answered.catch(() => {});
  return { sending, answered };
}

async function pieceAt(file: string, at: number): Promise<Buffer> {
  await using handle = await open(file, 'r');
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(pieceBytes), 0, pieceBytes, Math.max(0, at));
  return buffer.subarray(0, bytesRead);
}

async function writeRandom(path: string, sizeBytes: number): Promise<void> {
  await using file = await open(path, 'w');
  for (let left = sizeBytes; left > 0; left -= pieceBytes) await file.write(randomBytes(Math.min(left, pieceBytes)));
  await file.sync();
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1_000;
}

function residentMB(pid: number): number {
  return Number(/^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;
}
