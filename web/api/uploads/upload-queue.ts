import { limits } from '#contract/limits.ts';
import { createStore, type Store } from '#web/ui/store.ts';
import { call } from '../call.ts';
import { CallFailed, isOffline } from '../call-failed.ts';
import { queryClient } from '../query-client.ts';
import { onOtherVisitor } from '../visitor-change.ts';
import type { HashAnswer, HashQuestion } from './hash-worker.ts';
import workerAddress from './hash-worker.ts?worker&url';
import { incoming } from './incoming.ts';
import { cancelUpload, sendFile } from './send-file.ts';

/** How far a file has come on its way from this page into the archive. */
export type Sending =
  | { readonly is: 'waiting' | 'looking' | 'checking' }
  | { readonly is: 'probably-here'; readonly video: { readonly id: string; readonly name: string; readonly isDeleted: boolean } }
  | { readonly is: 'sending'; readonly sentBytes: number; readonly bytesPerSecond: number | null }
  | { readonly is: 'paused'; readonly sentBytes: number }
  /** It goes on by itself when what stands in the way is gone. */
  | { readonly is: 'held-up'; readonly sentBytes: number; readonly message: string }
  | { readonly is: 'added' | 'known'; readonly videoId: string; readonly remarks: readonly string[] }
  | { readonly is: 'refused'; readonly message: string };

interface ReplacedFilm {
  readonly id: string;
  readonly name: string;
}

export interface QueuedFile {
  readonly key: string;
  readonly file: File;
  readonly sidecars: readonly File[];
  /** The film whose file it takes the place of; undefined where it becomes one of its own. */
  readonly replaces?: ReplacedFilm | undefined;
  readonly state: Sending;
}

/** What is known of a queued file beyond what is shown. */
interface Work {
  stop: AbortController;
  /** Lives as long as the file is wanted: a pause does not begin it anew. */
  readonly given: AbortController;
  ends?: Promise<string>;
  whole?: Promise<string>;
  uploadId: string | null;
  /** Uploads of what lies beside it. */
  readonly besides: Map<File, string>;
  sentBytes: number;
  isWantedAgain: boolean;
}

const queue = createStore<readonly QueuedFile[]>([]);
const works = new Map<string, Work>();
let lastKey = 0;

/** What this page sends, newest first. It goes on while other pages of the site are looked at. */
export const queuedFiles: Store<readonly QueuedFile[]> = queue;

/** Adds films with what lies beside them; they are sent two at a time. Says how many are on their way already, and were left out. */
export function addToQueue(films: readonly Pick<QueuedFile, 'file' | 'sidecars' | 'replaces'>[]): number {
  const isThere = (file: File) =>
    queue
      .read()
      .some(
        ({ file: other, state }) =>
          isOnItsWay(state) && other.name === file.name && other.size === file.size && other.lastModified === file.lastModified,
      );
  const added = films
    .filter(({ file }) => !isThere(file))
    .map(({ file, sidecars, replaces }): QueuedFile => {
      lastKey += 1;
      const key = String(lastKey);
      const [stop, given] = [new AbortController(), new AbortController()];
      works.set(key, { stop, given, uploadId: null, besides: new Map(), sentBytes: 0, isWantedAgain: false });
      return { key, file, sidecars, replaces, state: { is: 'waiting' } };
    });
  show([...added.reverse(), ...queue.read()]);
  sendNext();
  return films.length - added.length;
}

// Nobody sends, or sees, the files of somebody else; what has come of them stays in the archive for whoever it belongs to.
onOtherVisitor(() => {
  for (const { stop, given } of works.values()) for (const one of [stop, given]) one.abort();
  works.clear();
  show([]);
});

/** What has come, was here before or was refused may be sent again. */
function isOnItsWay({ is }: Sending): boolean {
  return unsent.has(is) || is === 'probably-here';
}

/** Stops sending; what has come stays. */
export function pause(key: string): void {
  const work = works.get(key);
  if (!work) return;
  setState(key, { is: 'paused', sentBytes: work.sentBytes });
  work.stop.abort();
  sendNext();
}

/** Sends on, or tries again; a film that is probably here already is sent all the same. */
export function goOn(key: string): void {
  const [item, work] = [find(key), works.get(key)];
  if (!item || !work) return;
  if (item.state.is === 'probably-here') work.isWantedAgain = true;
  // What could not be read may be readable now.
  if (item.state.is === 'refused') [work.ends, work.whole] = [undefined, undefined];
  setState(key, { is: 'waiting' });
  sendNext();
}

/** Takes a file off the queue, and what has come of it out of the archive. */
export async function cancel(key: string): Promise<void> {
  const work = works.get(key);
  show(queue.read().filter((item) => item.key !== key));
  works.delete(key);
  work?.stop.abort();
  work?.given.abort();
  sendNext();
  for (const id of work ? [work.uploadId, ...work.besides.values()] : []) if (id !== null) await cancelUpload(id);
  void queryClient.invalidateQueries(incoming);
}

const unsent: ReadonlySet<Sending['is']> = new Set(['waiting', 'looking', 'sending', 'paused', 'held-up', 'checking']);
const busy: ReadonlySet<Sending['is']> = new Set(['looking', 'sending', 'checking']);

function sendNext(): void {
  for (const { key } of queue
    .read()
    .filter(({ state }) => state.is === 'waiting')
    .reverse()) {
    if (queue.read().filter(({ state }) => busy.has(state.is)).length >= limits.uploadsAtOnce) return;
    setState(key, { is: 'looking' });
    const work = works.get(key);
    if (work) void send(key, work).finally(sendNext);
  }
}

/** May be begun again after whatever stopped it: it goes on where the archive stands. */
async function send(key: string, work: Work): Promise<void> {
  const item = find(key);
  if (!item) return;
  work.stop = new AbortController();
  const { signal } = work.stop;
  const { file, sidecars, replaces } = item;
  const set = (state: Sending) => signal.aborted || setState(key, state);
  try {
    work.ends ??= hashFile(file, 'ends', work.given.signal);
    const ends = await work.ends;
    if (work.uploadId === null && !work.isWantedAgain) {
      const { video } = await call('sameFootage', { sizeBytes: String(file.size), ends }, { signal });
      if (video) return void set({ is: 'probably-here', video });
    }
    work.whole ??= hashFile(file, 'whole', work.given.signal);
    // It is asked for below; a file that cannot be read is told of there.
    work.whole.catch(() => {});
    const begun = await unfinished(signal);
    const onProgress = measured((sentBytes, bytesPerSecond) => {
      work.sentBytes = sentBytes;
      set({ is: 'sending', sentBytes, bytesPerSecond });
    });
    const onBegun = (id: string) => {
      work.uploadId = id;
    };
    const begunFilm = begun.find((one) => isOf(one, { file, ends }) && one.replaces === (replaces?.id ?? one.replaces))?.id ?? null;
    const upload = await sendFile({ file, ends, replaces: replaces?.id, begunAs: work.uploadId ?? begunFilm, signal, onBegun, onProgress });
    const beside: string[] = [];
    for (const sidecar of sidecars) {
      const sidecarEnds = await hashFile(sidecar, 'ends', signal);
      // Beside another film the same may lie under another name.
      const same = begun.find((one) => isOf(one, { file: sidecar, ends: sidecarEnds }) && one.fileName === sidecar.name && isFree(one.id));
      const begunAs = work.besides.get(sidecar) ?? same?.id ?? null;
      const onBegunBeside = (id: string) => void work.besides.set(sidecar, id);
      beside.push(await sendFile({ file: sidecar, ends: sidecarEnds, begunAs, signal, onBegun: onBegunBeside, onProgress: () => {} }));
    }
    set({ is: 'checking' });
    set(await finish(upload, { sha256: await work.whole, sidecars: beside }, signal));
  } catch (reason) {
    if (!signal.aborted) stopped(key, reason);
  }
  void queryClient.invalidateQueries(incoming);
}

/** Whether no film of this queue sends this upload beside it. */
function isFree(upload: string): boolean {
  return ![...works.values()].some(({ besides }) => [...besides.values()].includes(upload));
}

async function unfinished(signal: AbortSignal) {
  return (await call('incoming', {}, { signal })).unfinished;
}

function isOf(upload: { fileName: string; sizeBytes: number; ends: string }, { file, ends }: { file: File; ends: string }): boolean {
  return upload.ends === ends && upload.sizeBytes === file.size;
}

const askAgainAfterMs = 1_000;

async function finish(upload: string, whole: { sha256: string; sidecars: readonly string[] }, signal: AbortSignal): Promise<Sending> {
  for (;;) {
    const { state, videoId, remarks } = await call('finishUpload', { upload, ...whole, sidecars: [...whole.sidecars] }, { signal });
    if (state !== 'checking' && videoId !== null) return { is: state, videoId, remarks };
    await new Promise((done) => setTimeout(done, askAgainAfterMs));
  }
}

const tryAgainAfterMs = 5_000;
/** What passes: no connection, a slow one, a restart, a full disk, another tab at the same file. */
const passing: ReadonlySet<number> = new Set([0, 408, 409, 429, 502, 503, 504, 507]);

function stopped(key: string, reason: unknown): void {
  const message = reason instanceof Error ? reason.message : 'It could not be uploaded.';
  const [item, work] = [find(key), works.get(key)];
  if (!item || !work) return;
  // What is wrong with a file that has come stays wrong.
  const isJudged = item.state.is === 'checking' && reason instanceof CallFailed && reason.status === 409;
  const doesPass = reason instanceof CallFailed && passing.has(reason.status) && !isJudged;
  if (!doesPass && !isOffline(reason)) {
    setState(key, { is: 'refused', message });
    return;
  }
  setState(key, { is: 'held-up', sentBytes: work.sentBytes, message });
  const again = () => {
    clearTimeout(timer);
    window.removeEventListener('online', again);
    if (find(key)?.state.is === 'held-up') goOn(key);
  };
  const timer = setTimeout(again, tryAgainAfterMs);
  window.addEventListener('online', again);
}

/** Tells how fast it goes, by the time since it was begun. */
function measured(tell: (sentBytes: number, bytesPerSecond: number | null) => void): (sentBytes: number) => void {
  let first: { bytes: number; atMs: number } | undefined;
  return (bytes) => {
    const atMs = performance.now();
    first ??= { bytes, atMs };
    const seconds = (atMs - first.atMs) / 1_000;
    tell(bytes, seconds > 1 ? (bytes - first.bytes) / seconds : null);
  };
}

function find(key: string): QueuedFile | undefined {
  return queue.read().find((item) => item.key === key);
}

function setState(key: string, state: Sending): void {
  show(queue.read().map((item) => (item.key === key ? { ...item, state } : item)));
}

function show(next: readonly QueuedFile[]): void {
  const isLeft = next.some(({ state }) => unsent.has(state.is));
  if (isLeft) window.addEventListener('beforeunload', askBeforeLeaving);
  else window.removeEventListener('beforeunload', askBeforeLeaving);
  queue.set(next);
}

/** The browser asks in words of its own. */
function askBeforeLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault();
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
function hashFile(file: File, of: HashQuestion['of'], signal: AbortSignal): Promise<string> {
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
