/*
 * Uploads: files wait and are followed here, whatever page is on show; send-file sends one, incoming asks what became of it.
 */
import { isFootageName, isSidecarName, readSidecarName } from '#contract/footage-names.ts';
import { limits } from '#contract/limits.ts';
import type { Incoming } from '#contract/steps.ts';
import { createStore, type Store } from '#web/ui/store.ts';
import { call } from '../call.ts';
import { CallFailed, isOffline } from '../call-failed.ts';
import { queryClient } from '../query-client.ts';
import { forgetOnOtherVisitor } from '../visitor-change.ts';
import { incoming } from './incoming.ts';
import { cancelUpload, finishUpload, hashFile, sendFile } from './send-file.ts';

/** How far a file has come on its way from this page into the archive. */
export type Sending =
  | { readonly is: 'waiting' | 'looking' | 'checking' }
  | { readonly is: 'probably-here'; readonly video: { readonly id: string; readonly name: string; readonly isDeleted: boolean } }
  | { readonly is: 'sending'; readonly sentBytes: number; readonly bytesPerSecond: number | null }
  | { readonly is: 'paused'; readonly sentBytes: number }
  /** It goes on by itself when what stands in the way is gone. */
  | { readonly is: 'held-up'; readonly sentBytes: number; readonly message: string }
  | { readonly is: 'added' | 'known'; readonly videoId: string; readonly remarks: readonly string[]; readonly endedAtMs: number }
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

/** Adds films with what lies beside them, two at a time; what belongs to one on its way goes along with it. Says how many were on their way already. */
export function addToQueue(files: readonly FileToAdd[]): number {
  const isFilm = ({ file }: FileToAdd) => isFootageName(file.name);
  let onTheirWay = 0;
  // What belongs to a film may come before it.
  for (const one of [...files.filter(isFilm), ...files.filter((other) => !isFilm(other))]) {
    const there = queue.read().find(({ file, state }) => isOnItsWay(state) && isSame(file, one.file));
    if (there) onTheirWay += 1;
    if (!there && (isFilm(one) || goAlong([one.file]).length > 0)) begin(one);
    if (there && takesMore(there)) putBeside(there, one.sidecars);
    else if (there) for (const file of one.sidecars) begin({ file, sidecars: [] });
  }
  sendNext();
  return onTheirWay;
}

/** Has files sent along with the film on its way that they belong to by their names. Returns those that belong to none, or to more than one. */
export function goAlong(files: readonly File[]): File[] {
  return files.filter((file) => {
    const belongsTo = (film: QueuedFile) => takesMore(film) && readSidecarName(file.name, film.file.name) !== undefined;
    const [film, another] = isSidecarName(file.name) ? queue.read().filter(belongsTo) : [];
    if (!film || another) return true;
    putBeside(film, [file]);
    return false;
  });
}

type FileToAdd = Pick<QueuedFile, 'file' | 'sidecars' | 'replaces'>;

function begin({ file, sidecars, replaces }: FileToAdd): void {
  lastKey += 1;
  const key = String(lastKey);
  const [stop, given] = [new AbortController(), new AbortController()];
  works.set(key, { stop, given, uploadId: null, besides: new Map(), sentBytes: 0, isWantedAgain: false });
  show([{ key, file, sidecars, replaces, state: { is: 'waiting' } }, ...queue.read()]);
}

/** Until the archive looks at it as a whole. */
function takesMore({ file, state }: QueuedFile): boolean {
  return isFootageName(file.name) && isOnItsWay(state) && state.is !== 'checking';
}

/** Whether a file belongs to a film that the archive looks at as a whole: it joins that one as soon as it is there. */
export function waitsForFilm({ file }: QueuedFile): boolean {
  const isItsFilm = (film: QueuedFile) => film.state.is === 'checking' && readSidecarName(file.name, film.file.name) !== undefined;
  return isSidecarName(file.name) && queue.read().some(isItsFilm);
}

/** A file that was changed meanwhile takes the place of the one before. */
function putBeside({ key, sidecars }: QueuedFile, files: readonly File[]): void {
  const more = files.filter((file) => !sidecars.some((one) => isSame(one, file)));
  const kept = sidecars.filter(({ name }) => !more.some((one) => one.name === name));
  change(key, { sidecars: [...kept, ...more] });
}

function isSame(one: File, other: File): boolean {
  return one.name === other.name && one.size === other.size && one.lastModified === other.lastModified;
}

/** Whether this page sends an upload, or is about to go on with it. */
export function isSentHere({ id, fileName, sizeBytes }: { id: string; fileName: string; sizeBytes: number }): boolean {
  const files = queue.read().flatMap(({ file, sidecars }) => [file, ...sidecars]);
  return !isFree(id) || files.some(({ name, size }) => size === sizeBytes && isNamed(fileName, name));
}

// Nobody sends, or sees, the files of somebody else; what has come of them stays in the archive for whoever it belongs to.
forgetOnOtherVisitor(() => {
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
  for (const id of work ? [work.uploadId, ...work.besides.values()] : []) if (id !== null && isFree(id)) await cancelUpload(id);
  void queryClient.invalidateQueries(incoming);
}

const unsent: ReadonlySet<Sending['is']> = new Set(['waiting', 'looking', 'sending', 'paused', 'held-up', 'checking']);
const busy: ReadonlySet<Sending['is']> = new Set(['looking', 'sending', 'checking']);

function sendNext(): void {
  for (const { key } of queue
    .read()
    .filter((item) => item.state.is === 'waiting' && !waitsForFilm(item))
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
  const { file, replaces } = item;
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
    const { unfinished: begun } = await call('incoming', {}, { signal });
    const onProgress = (sentBytes: number, bytesPerSecond: number | null) => {
      work.sentBytes = sentBytes;
      set({ is: 'sending', sentBytes, bytesPerSecond });
    };
    const onBegun = (id: string) => {
      work.uploadId = id;
    };
    // Two files of this queue may hold the same.
    const begunFilm = begun.find((one) => isOf(one, { file, ends }) && one.replaces === (replaces?.id ?? one.replaces) && isFree(one.id));
    work.uploadId ??= begunFilm?.id ?? null;
    const upload = await sendFile({ file, ends, replaces: replaces?.id, begunAs: work.uploadId, signal, onBegun, onProgress });
    const beside = new Map<File, string>();
    const nextBeside = () => find(key)?.sidecars.find((one) => !beside.has(one));
    for (let sidecar = nextBeside(); sidecar; sidecar = nextBeside()) beside.set(sidecar, await sendBeside(work, sidecar, begun));
    const sidecars = find(key)?.sidecars.flatMap((sidecar) => beside.get(sidecar) ?? []) ?? [];
    set({ is: 'checking' });
    set({ ...(await finishUpload(upload, { sha256: await work.whole, sidecars, signal })), endedAtMs: Date.now() });
  } catch (reason) {
    if (!signal.aborted) noteStopped(key, reason);
  }
  void queryClient.invalidateQueries(incoming);
}

async function sendBeside(work: Work, file: File, begun: Incoming['unfinished']): Promise<string> {
  const { signal } = work.stop;
  const ends = await hashFile(file, 'ends', signal);
  // Beside another film the same may lie under another name.
  const same = begun.find((one) => isOf(one, { file, ends }) && isNamed(one.fileName, file.name) && isFree(one.id));
  const onBegun = (id: string) => void work.besides.set(file, id);
  return await sendFile({ file, ends, begunAs: work.besides.get(file) ?? same?.id ?? null, signal, onBegun, onProgress: () => {} });
}

/** Whether nothing that is on its way is sent by this upload. What was refused leaves what has come to whoever chooses the file again. */
function isFree(upload: string): boolean {
  const sending = queue.read().flatMap(({ key, state }) => (isOnItsWay(state) ? (works.get(key) ?? []) : []));
  return !sending.some(({ uploadId, besides }) => uploadId === upload || [...besides.values()].includes(upload));
}

/** Whether the archive keeps a file of this name by that one: it keeps no signs that nobody sees, and of blanks one. */
function isNamed(kept: string, name: string): boolean {
  const [one, other] = [kept, name].map((text) => text.replace(/[\s\p{C}]+/gu, ' ').trim());
  return one === other;
}

function isOf(upload: { fileName: string; sizeBytes: number; ends: string }, { file, ends }: { file: File; ends: string }): boolean {
  return upload.ends === ends && upload.sizeBytes === file.size;
}

const tryAgainAfterMs = 5_000;
/** What passes: no connection, a slow one, a restart, a full disk, another tab at the same file. */
const passing: ReadonlySet<number> = new Set([0, 408, 409, 429, 502, 503, 504, 507]);

function noteStopped(key: string, reason: unknown): void {
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

function find(key: string): QueuedFile | undefined {
  return queue.read().find((item) => item.key === key);
}

function setState(key: string, state: Sending): void {
  change(key, { state });
}

function change(key: string, to: Partial<QueuedFile>): void {
  show(queue.read().map((item) => (item.key === key ? { ...item, ...to } : item)));
}

function show(next: readonly QueuedFile[]): void {
  const isLeft = next.some(({ state }) => isOnItsWay(state));
  if (isLeft) window.addEventListener('beforeunload', askBeforeLeaving);
  else window.removeEventListener('beforeunload', askBeforeLeaving);
  queue.set(next);
}

/** The browser asks in words of its own. */
function askBeforeLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
