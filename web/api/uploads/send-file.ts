import { DetailedError, Upload } from 'tus-js-client';
import { limits } from '#contract/limits.ts';
import { routes } from '#contract/routes.ts';
import { call } from '../call.ts';
import { CallFailed, describeFailure, isOffline, makeOfflineFailure } from '../call-failed.ts';
import type { HashAnswer, HashQuestion } from './hash-worker.ts';
import workerAddress from './hash-worker.ts?worker&url';

interface FileToSend {
  readonly file: File;
  /** SHA-256 of its beginning and end. */
  readonly ends: string;
  /** The film whose file it takes the place of. */
  readonly replaces?: string | undefined;
  /** The upload of it that was begun before, here or elsewhere. */
  readonly begunAs: string | null;
  readonly signal: AbortSignal;
  readonly onBegun: (id: string) => void;
  readonly onProgress: (sentBytes: number, bytesPerSecond: number | null) => void;
}

/** What a request carries should be on the disk after so long: what a proxy held back of one that was cut off is sent anew. */
const pieceSeconds = 2;
/** What came through as one request of this page. */
let largestThroughBytes = 0;
/** Less, once a larger one failed than ever came through: a proxy may let 8 MB through and no more. */
let pieceMaxBytes: number = limits.uploadPieceMaxBytes;

/** How much the next request carries, by how long one took from its beginning to its answer. */
function nextPieceBytesAfter({ bytes, seconds }: { readonly bytes: number; readonly seconds: number }): number {
  return Math.min(pieceMaxBytes, Math.max(limits.uploadPieceBytes, Math.round((bytes / seconds) * pieceSeconds)));
}

/** Sends a file, or what is missing of it, and returns the id of the upload. Throws a `CallFailed`, offline where no answer came. */
export function sendFile({ file, ends, replaces, begunAs, signal, onBegun, onProgress }: FileToSend): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let id = begunAs;
  let sentAtMs = performance.now();
  /** What the request carries that is under way, where that was said by an answer before. */
  let requestBytes = 0;
  const upload = new Upload(file, {
    endpoint: routes.beginUpload.path,
    uploadUrl: begunAs === null ? null : addressOf(begunAs),
    chunkSize: limits.uploadPieceBytes,
    metadata: { filename: file.name, ends, ...(replaces ? { replaces } : {}) },
    // Which uploads there are is known to the archive, for every tab and browser.
    storeFingerprintForResuming: false,
    // Whoever asked tries again, as long as somebody wants it.
    retryDelays: null,
    onChunkComplete: (bytes, acceptedBytes) => {
      const now = performance.now();
      largestThroughBytes = Math.max(largestThroughBytes, bytes);
      upload.options.chunkSize = nextPieceBytesAfter({ bytes, seconds: (now - sentAtMs) / 1_000 });
      requestBytes = Math.min(upload.options.chunkSize, file.size - acceptedBytes);
      sentAtMs = now;
    },
    onUploadUrlAvailable: () => {
      sentAtMs = performance.now();
      id = upload.url?.split('/').at(-1) ?? null;
      if (id !== null) onBegun(id);
    },
    onProgress: measureSpeed(onProgress),
    onSuccess: () => (id === null ? reject(new Error('an upload without an id')) : resolve(id)),
    onError: (error) => {
      const failure = toFailure(error);
      const mayBeTooLarge = requestBytes > Math.max(limits.uploadPieceBytes, largestThroughBytes);
      if (mayBeTooLarge) pieceMaxBytes = Math.max(limits.uploadPieceBytes, largestThroughBytes);
      upload.options.chunkSize = limits.uploadPieceBytes;
      requestBytes = 0;
      // The archive itself says how large a file may be before the first piece.
      if (mayBeTooLarge && failure instanceof CallFailed && failure.status === 413) upload.start();
      else reject(failure);
    },
  });
  signal.addEventListener('abort', () => {
    void upload.abort();
    reject(signal.reason);
  });
  upload.start();
  return promise;
}

/** Tells how fast it goes, by the time since it was begun. */
function measureSpeed(tell: (sentBytes: number, bytesPerSecond: number | null) => void): (sentBytes: number) => void {
  let first: { bytes: number; atMs: number } | undefined;
  return (bytes) => {
    const atMs = performance.now();
    first ??= { bytes, atMs };
    const seconds = (atMs - first.atMs) / 1_000;
    tell(bytes, seconds > 1 ? (bytes - first.bytes) / seconds : null);
  };
}

const askAgainAfterMs = 1_000;

/** Has what has come become a film, or join one, and waits for that. `sidecars` are uploads of what lay beside it. */
export async function finishUpload(
  upload: string,
  { signal, sidecars, sha256 }: { readonly sha256: string; readonly sidecars: readonly string[]; readonly signal: AbortSignal },
): Promise<{ readonly is: 'added' | 'known'; readonly videoId: string; readonly remarks: readonly string[] }> {
  for (;;) {
    const { state, videoId, remarks } = await call('finishUpload', { upload, sha256, sidecars: [...sidecars] }, { signal });
    if (state !== 'checking' && videoId !== null) return { is: state, videoId, remarks };
    await new Promise((done) => setTimeout(done, askAgainAfterMs));
  }
}

/** Ends an upload: what has come of it is gone. */
export async function cancelUpload(id: string): Promise<void> {
  await Upload.terminate(addressOf(id), { retryDelays: null }).catch((error: unknown) => {
    const failure = toFailure(error);
    if (!(failure instanceof CallFailed && failure.status === 404)) throw failure;
  });
}

function addressOf(id: string): string {
  return routes.sendUpload.path.replace(':upload', id);
}

function toFailure(error: unknown): unknown {
  if (!(error instanceof DetailedError)) return error;
  const answer = error.originalResponse;
  const failure = answer?.getStatus() ? describeFailure(answer.getStatus(), parseBody(answer.getBody())) : makeOfflineFailure(error);
  return isOffline(failure) ? makeOfflineFailure(error, 'The upload resumes when it is back.') : failure;
}

function parseBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

interface ScriptPolicy {
  createScriptURL(address: string): string;
}

declare global {
  interface Window {
    /** Where the browser has it, only what a policy made may name a script. */
    readonly trustedTypes?: { createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy };
  }
}

const ownWorker = window.trustedTypes?.createPolicy('hash-worker', { createScriptURL: () => workerAddress });

/**
 * Reads a file away from the page and returns its SHA-256: of its beginning and end, or of all of it. Throws where the file cannot be read
 * any more: it was moved, or its disk is gone.
 */
export function hashFile(file: File, of: HashQuestion['of'], signal: AbortSignal): Promise<string> {
  const worker = new Worker(ownWorker?.createScriptURL(workerAddress) ?? workerAddress, { type: 'module' });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  worker.addEventListener('message', ({ data }: MessageEvent<HashAnswer>) => {
    if ('sha256' in data) resolve(data.sha256);
    else reject(new Error(`${file.name} can no longer be read. Choose it again.`, { cause: data.failure }));
  });
  worker.addEventListener('error', () => reject(new Error('This browser could not read the file. Try again in another one.')));
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  const question: HashQuestion = { file, of };
  worker.postMessage(question);
  return promise.finally(() => worker.terminate());
}
