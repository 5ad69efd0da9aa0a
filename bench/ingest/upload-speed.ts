import { createHash, type Hash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { copyFile, open } from 'node:fs/promises';
import { type ClientRequest, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
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
  /** Until the archive has said that the film is in it. */
  readonly uploadSeconds: number;
  /** `cp`, fsync, and SHA-256 of what was written. */
  readonly copySeconds: number;
  /** Of copying's speed. */
  readonly share: number;
  /** By how much the memory of the server was higher at its highest than before. */
  readonly serverGrewMB: number;
}

const startedWithinMs = 10_000;

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
  const limits = { RUSHES_UPLOAD_MAX_MB: '100000', RUSHES_UPLOAD_QUOTA_MB: '200000', RUSHES_DISK_RESERVE_MB: '0' };
  const archive = await startArchive({ dataFolder, env: { RUSHES_PAGES: join(folder, 'pages'), RUSHES_SAMPLES: '0', ...limits } });
  const { pool } = await openDatabase({ dataFolder });
  try {
    const editor = await addPerson({ pool, secrets: loadSecrets(dataFolder) }, { editor: true });
    const headers = { cookie: editor.cookie, origin: archive.origin };
    // The start goes on beside the first requests: it loads models, and tidies up.
    await wait(startedWithinMs);
    const before = residentMB(archive.pid);
    let highest = before;
    const watch = setInterval(() => (highest = Math.max(highest, residentMB(archive.pid))), 50);
    const uploadSeconds = await secondsOf(() => upload({ origin: archive.origin, headers }, { file, sizeBytes })).finally(() =>
      clearInterval(watch),
    );
    const rounded = (value: number) => Math.round(value * 100) / 100;
    return {
      megabytes: Math.round(sizeBytes / 1_000_000),
      uploadSeconds: rounded(uploadSeconds),
      copySeconds: rounded(copySeconds),
      share: rounded(copySeconds / uploadSeconds),
      serverGrewMB: Math.round(highest - before),
    };
  } finally {
    await pool.end();
    await archive.stop();
  }
}

/** As the page sends a film: begun, sent while it is hashed, and ended by its hash. */
async function upload(
  { origin, headers }: { origin: string; headers: Record<string, string> },
  { file, sizeBytes }: { file: string; sizeBytes: number },
): Promise<void> {
  const ends = endsOf(Buffer.concat([await pieceAt(file, 0), await pieceAt(file, sizeBytes - pieceBytes)]));
  const metadata = Object.entries({ filename: 'upload.mp4', ends }).map(([key, value]) => `${key} ${btoa(value)}`);
  const begun = await fetch(`${origin}/api/uploads`, {
    method: 'POST',
    headers: { ...headers, ...tus, 'upload-length': String(sizeBytes), 'upload-metadata': metadata.join(',') },
  });
  const address = `${origin}${begun.headers.get('location')}`;
  const hash = createHash('sha256');
  const sending = request(address, {
    method: 'PATCH',
    headers: { ...headers, ...pieceOfUpload, 'upload-offset': '0', 'content-length': String(sizeBytes) },
  });
  const answered = new Promise<number>((resolve, reject) => {
    sending.on('response', (answer) => resolve(answer.resume().statusCode ?? 0)).on('error', reject);
  });
  await sendAll(file, sending, hash);
  if ((await answered) !== 204) throw new Error(`The upload was answered with ${await answered}.`);
  const finished = await fetch(`${address}/finish`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ sha256: hash.digest('hex'), sidecars: [] }),
  });
  if (!finished.ok) throw new Error(`The upload did not end well: ${await finished.text()}`);
}

const pieceBytes = 1_048_576;

/** Sends and hashes a file piece by piece, in two pieces of memory that take turns: a browser does both beside the server as well, in processes of its own. */
async function sendAll(file: string, sending: ClientRequest, hash: Hash): Promise<void> {
  await using reading = await open(file, 'r');
  let [next, other] = [Buffer.allocUnsafe(pieceBytes), Buffer.allocUnsafe(pieceBytes)];
  let sent: Promise<unknown> = Promise.resolve();
  for (;;) {
    const { bytesRead } = await reading.read(next, 0, pieceBytes);
    if (bytesRead === 0) break;
    const piece = next.subarray(0, bytesRead);
    hash.update(piece);
    await sent;
    sent = new Promise((resolve, reject) => sending.write(piece, (error) => (error ? reject(error) : resolve(undefined))));
    [next, other] = [other, next];
  }
  await sent;
  sending.end();
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
