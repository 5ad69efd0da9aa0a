import { lstat, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Problem } from '#contract/problem.ts';
import { writeBehind } from '#domain/db/write-behind.ts';
import {
  forgetWatchedFile,
  listWatchedFiles,
  noteBeside,
  noteWatchedFile,
  type RememberedFile,
  toWatchedFileId,
  type WatchedFile,
} from '#domain/footage/watched-files.ts';
import { errorCodeOf, isForbidden } from '#domain/system/error-code.ts';
import { errorMessageOf } from '#domain/system/error-message.ts';
import { isWithin } from '#domain/system/is-within.ts';
import type { Say } from '#domain/system/log.ts';
import { pause } from '#domain/system/pause.ts';
import { type IngestConfig, IngestConfigFault, NotThereYet } from '../config.ts';
import { isDiskFull } from '../run-steps.ts';
import { StepFailure } from '../step-failure.ts';
import { besideOf, findWatchedFilms, readFilmVersion, versionOf, type WatchedFilm } from './find-footage-files.ts';
import { type ImportContext, importFile } from './import-file.ts';

const lookEveryMs = 2_500;
/** A look at a large folder of a slow share takes seconds: this many times as long nobody looks. So long rests a film, too, that could not be taken. */
const restPerLook = 9;
/** To ask a slow share for one after the other would take minutes. */
const lookedAtAtOnce = 32;
/** In how many looks in a row a film has to be the same: ten seconds of nobody writing into it. */
export const looksUntilWhole = 5;

/** Throws an IngestConfigFault for a folder that cannot be watched, NotThereYet where it may come to be there. */
export async function checkWatchedFolder({ watchedFolder, dataFolder }: Pick<IngestConfig, 'watchedFolder' | 'dataFolder'>): Promise<void> {
  if (!watchedFolder) return;
  const found = await stat(watchedFolder).catch((error: unknown) => errorCodeOf(error));
  if (typeof found === 'string' || !found.isDirectory())
    throw new NotThereYet(`RUSHES_WATCH: there is no folder ${watchedFolder}. Create or mount it, or remove the setting.`);
  const watched = await realpath(watchedFolder);
  const data = await realpath(dataFolder).catch(() => dataFolder);
  if (isWithin(watched, data) || isWithin(data, watched))
    throw new IngestConfigFault(
      `RUSHES_WATCH: ${watchedFolder} and the data folder ${dataFolder} must not contain each other. Watch a separate folder.`,
    );
}

interface Watching {
  readonly folder: string;
  readonly log: Say;
  readonly signal: AbortSignal;
  /** The machine's where it is not said. */
  readonly clock?: WatchClock;
}

interface WatchClock {
  nowMs(): number;
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

const machineClock: WatchClock = {
  nowMs: () => performance.now(),
  wait: pause,
};

/**
 * Takes in what comes to lie in a folder until the signal is raised; ends when the film that is being taken in then is safe. Films are taken in while
 * nobody looks: however long one takes, the next look is due after it.
 */
export async function startWatching(context: ImportContext, watching: Watching): Promise<void> {
  const { folder, log, signal, clock = machineClock } = watching;
  log(`watched folder: watching ${folder}`, { level: 'info' });
  let watch: FolderWatch | undefined;
  while (!signal.aborted) {
    const begunMs = clock.nowMs();
    const restUntil = () => clock.nowMs() + Math.max(lookEveryMs, restPerLook * (clock.nowMs() - begunMs));
    let lookAgainMs: number | undefined;
    try {
      watch ??= await openFolderWatch(context, watching);
      const whole = await lookThrough(watch);
      const untilMs = restUntil();
      lookAgainMs = untilMs;
      await takeWhole(watch, whole, () => clock.nowMs() < untilMs);
    } catch (error) {
      // The database is away for a moment.
      if (!signal.aborted) log(`watched folder: ${errorMessageOf(error)}; trying again`, { error });
      lookAgainMs = Math.max(lookAgainMs ?? restUntil(), clock.nowMs() + lookEveryMs);
    }
    await clock.wait(Math.max(0, lookAgainMs - clock.nowMs()), signal);
  }
}

/** What is watched, with all that earlier runs remember of it. */
interface FolderWatch extends Watching {
  readonly context: ImportContext;
  readonly clock: WatchClock;
  readonly remembered: Map<string, RememberedFile>;
  /** What was there at the last look and is not remembered as it is: in how many looks in a row it was the same. */
  unsettled: Map<string, { readonly version: string; readonly beside: string; readonly looks: number }>;
  /** What could not be read at the last look. */
  unreadable: ReadonlySet<string>;
  /** Films that could not be taken, by their paths: until when they are left alone. */
  readonly resting: Map<string, number>;
  /** The film that was taken in last, or tried. */
  lastTaken: string;
}

/** Reads what earlier runs remember of the folder; nothing is looked at yet. */
export async function openFolderWatch(context: ImportContext, watching: Watching): Promise<FolderWatch> {
  const remembered = new Map((await listWatchedFiles(context.pool)).map((file) => [file.id, file]));
  const nothing = { unsettled: new Map(), unreadable: new Set<string>(), resting: new Map(), lastTaken: '' };
  return { ...watching, clock: watching.clock ?? machineClock, context, remembered, ...nothing };
}

/** Looks through the folder once; returns the films that have been the same for long enough to be whole, by their paths. */
export async function lookThrough(watch: FolderWatch): Promise<string[]> {
  const root = await realpath(watch.folder).catch(ignoreUnreadable);
  const found = root === null ? null : await findWatchedFilms(root).catch(ignoreUnreadable);
  tellUnreadable(watch, found ? found.unreadable : [watch.folder]);
  if (!found) return [];
  const seen: FolderWatch['unsettled'] = new Map();
  const looking = writeBehind({ atOnce: lookedAtAtOnce });
  for (const film of found.films) {
    if (watch.signal.aborted) break;
    await looking.begin(() => lookAt(watch, film, seen));
  }
  await looking.end();
  if (watch.signal.aborted) return [];
  watch.unsettled = seen;
  if (found.unreadable.length === 0) await forgetGone(watch, found.films);
  return [...seen].filter(([, { looks }]) => looks >= looksUntilWhole).map(([path]) => path);
}

/** Takes films in for as long as it may; the others are taken in after the next look, before those that were tried now. */
export async function takeWhole(watch: FolderWatch, paths: readonly string[], mayGoOn: () => boolean = () => true): Promise<void> {
  const inOrder = paths.toSorted();
  const before = watch.lastTaken;
  for (const path of [...inOrder.filter((one) => one > before), ...inOrder.filter((one) => one <= before)]) {
    if (watch.signal.aborted || !mayGoOn()) return;
    if ((watch.resting.get(path) ?? 0) > watch.clock.nowMs()) continue;
    watch.lastTaken = path;
    // A folder may have become a link to another one since it was listed.
    if ((await realpath(path).catch(ignoreUnreadable)) !== path) continue;
    const { version, beside = '' } = watch.unsettled.get(path) ?? {};
    const [found, now] = [await lstat(path).catch(ignoreUnreadable), await readFilmVersion(path).catch(ignoreUnreadable)];
    if (!found || now !== version) continue;
    await take(watch, { path, sizeBytes: found.size, modifiedMs: found.mtimeMs, beside });
  }
}

function tellUnreadable(watch: FolderWatch, paths: readonly string[]): void {
  for (const path of paths)
    if (!watch.unreadable.has(path)) watch.log(`watched folder: ${path} cannot be read (is its share mounted?); trying again`);
  for (const path of watch.unreadable) if (!paths.includes(path)) watch.log(`watched folder: ${path} can be read again`, { level: 'info' });
  watch.unreadable = new Set(paths);
}

/** Counts in how many looks a film was the same; what is remembered as it is now is passed over. */
async function lookAt(watch: FolderWatch, { path, names }: WatchedFilm, seen: FolderWatch['unsettled']): Promise<void> {
  const found = await lstat(path).catch(ignoreUnreadable);
  if (found?.isFile() === false) return;
  // What is not valid UTF-8 in a name is read as this sign, and there is no file of that name.
  if (!found && !path.includes('\ufffd')) return;
  const beside = await besideOf(path, names).catch(ignoreUnreadable);
  if (beside === null) return;
  const file = { path, sizeBytes: found?.size ?? 0, modifiedMs: found?.mtimeMs ?? 0, beside };
  const known = watch.remembered.get(toWatchedFileId(path));
  if (isSettled(known, file)) return known?.beside === null ? await learnBeside(watch, { ...known, beside }) : undefined;
  if (!found) return await leaveOut(watch, file, { is: 'refused', message: 'Its name is not valid UTF-8. Rename it.' });
  const version = await versionOf(dirname(path), names).catch(ignoreUnreadable);
  if (version === null) return;
  const before = watch.unsettled.get(path);
  seen.set(path, { version, beside, looks: before?.version === version ? before.looks + 1 : 1 });
}

/** A subtitle file that comes days after its film is taken as well. */
function isSettled(known: RememberedFile | undefined, { sizeBytes, modifiedMs, beside }: FileAsItIs): boolean {
  if (known === undefined || known.state === 'waiting') return false;
  return known.sizeBytes === sizeBytes && known.modifiedMs === modifiedMs && (known.beside ?? beside) === beside;
}

async function learnBeside({ context, remembered }: FolderWatch, known: RememberedFile): Promise<void> {
  await noteBeside(context.pool, known);
  remembered.set(known.id, known);
}

type FileAsItIs = Omit<WatchedFile, 'outcome'>;

async function take(watch: FolderWatch, file: FileAsItIs): Promise<void> {
  const begunMs = watch.clock.nowMs();
  watch.unsettled.delete(file.path);
  watch.resting.delete(file.path);
  let noted: RememberedFile | undefined;
  try {
    const { videoId, wasKnown, remarks } = await importFile(watch.context, file.path, async (db, added) => {
      noted = await noteWatchedFile(db, { ...file, outcome: { is: added.wasKnown ? 'known' : 'taken', videoId: added.videoId } });
    });
    if (noted) watch.remembered.set(noted.id, noted);
    say(watch, file, wasKnown ? `already in the archive, as video ${videoId}` : `added as video ${videoId}`, {
      video: videoId,
      level: 'info',
    });
    for (const remark of remarks) say(watch, file, remark, { video: videoId });
  } catch (error) {
    // What is read in vain for minutes is not read all the time.
    const nowMs = watch.clock.nowMs();
    watch.resting.set(file.path, nowMs + restPerLook * (nowMs - begunMs));
    const outcome = whyLeftOut(error, file.path);
    if (outcome) await leaveOut(watch, file, outcome);
  }
}

async function leaveOut(watch: FolderWatch, file: FileAsItIs, outcome: LeftOut): Promise<void> {
  const before = watch.remembered.get(toWatchedFileId(file.path));
  const noted = await noteWatchedFile(watch.context.pool, { ...file, outcome });
  watch.remembered.set(noted.id, noted);
  // What waits is tried again and again; that is said once.
  if (before?.state === noted.state && before.modifiedMs === noted.modifiedMs) return;
  say(watch, file, `${outcome.is === 'refused' ? 'refused' : 'waits'}: ${outcome.message}`);
}

function say({ log }: FolderWatch, { path }: FileAsItIs, ...[text, about]: Parameters<Say>): void {
  log(`watched folder: ${path}: ${text}`, about);
}

interface LeftOut {
  readonly is: 'refused' | 'waiting';
  readonly message: string;
}

/** Undefined for a film that has gone, or goes on growing: the next looks see to it. */
function whyLeftOut(error: unknown, path: string): LeftOut | undefined {
  if (error instanceof StepFailure && error.kind.is === 'bad-media') return { is: 'refused', message: error.message };
  if (['version_mismatch', 'ENOENT'].includes(errorCodeOf(error))) return undefined;
  // One that is deleted is known or welcome as soon as an editor has restored or erased that.
  if (error instanceof Problem && (error.code === 'conflict' || error.code === 'unavailable'))
    return { is: 'waiting', message: error.message };
  if (isForbidden(error, path)) return { is: 'waiting', message: 'The archive may not read this file. Give its user read permission.' };
  if (isDiskFull(error)) return { is: 'waiting', message: error instanceof Problem ? error.message : "The archive's disk is full." };
  return { is: 'waiting', message: `It could not be added (${errorMessageOf(error)}). Trying again.` };
}

/** Of what was refused or waits and has gone, nothing is shown any more. What was taken stays known: a share may be away for a while. */
async function forgetGone({ context, remembered }: FolderWatch, films: readonly WatchedFilm[]): Promise<void> {
  const here = new Set(films.map(({ path }) => toWatchedFileId(path)));
  for (const { id, state } of remembered.values()) {
    if (here.has(id) || state === 'taken' || state === 'known') continue;
    await forgetWatchedFile(context.pool, id);
    remembered.delete(id);
  }
}

/** For the `catch` of a read: null for what the system does not let us read now; a bug goes on. */
function ignoreUnreadable(error: unknown): null {
  if (errorCodeOf(error) === '') throw error;
  return null;
}
