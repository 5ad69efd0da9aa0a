import { stat } from 'node:fs/promises';
import { readSidecarName, type SidecarName } from '#contract/footage-names.ts';
import { limits } from '#contract/limits.ts';
import { Problem } from '#contract/problem.ts';
import type { VideoState } from '#contract/video-service/answers.ts';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { FileStore } from '../files/store.ts';
import { toVideoKeys } from '../files/video-keys.ts';
import { isForbidden } from '../system/error-code.ts';
import { errorMessageOf } from '../system/error-message.ts';
import { recordFilmActivity } from '../users/audit.ts';
import type { FilmArchive } from '../videos/film-archive.ts';
import { listStepsOf, runStepAgain } from '../videos/steps.ts';
import { findSame, keyOf, listKeptSidecars, readToldNames, toKeptKind } from './kept-sidecars.ts';

type Archive = Pick<FilmArchive, 'pool' | 'store' | 'queue'>;

interface By {
  readonly actorUid: string;
  readonly from: string;
}

/** A file of this machine that belongs to a film by its name. */
export interface SidecarFile {
  readonly fileName: string;
  readonly as: SidecarName;
  readonly path: string;
}

/**
 * Lays a sidecar that came alone beside the film whose file it is named after, in the place of one of its kind and language, which goes to the trash, and has what
 * came with that film read again. Returns the film's id. Throws a Problem where no film, or more than one, came as such a file, and while a worker reads it.
 */
export async function addSidecar(archive: Archive, { fileName, path, by }: { fileName: string; path: string; by: By }): Promise<string> {
  const [film, another] = await filmsOf(archive.pool, fileName);
  const as = film && readSidecarName(fileName, film.fileName);
  if (!as) throw new Problem('not_found', `${fileName} matches no video’s file name.`);
  if (another)
    throw new Problem('conflict', `Several videos have the file name “${film.fileName}”. Add ${fileName} on the page of one of them.`);
  await lay(archive, film, { fileName, as, path, by, isOver: true });
  return film.id;
}

/** What became of a sidecar, in a sentence. */
interface Laid {
  readonly is: 'laid' | 'same' | 'left-out';
  readonly says: string;
}

/**
 * Lays what came with a film that the archive had already beside it, where nothing else of its kind and language lies: what is there is not lost to a film that was
 * sent twice. Tells of each what became of it; throws `unavailable` while a worker reads what lies there: the same call then goes on.
 */
export async function addSidecarsOfKnown(
  archive: Archive,
  { videoId, sidecars, by }: { videoId: string; sidecars: readonly SidecarFile[]; by?: By },
): Promise<Laid[]> {
  const { rows } = await archive.pool.query<FilmBeside>(sql`select ${columns} from videos where id = ${videoId}`);
  const [film] = rows;
  if (!film) return [];
  const laid: Laid[] = [];
  for (const sidecar of sidecars) {
    const { fileName } = sidecar;
    const leftOut = (why: string): Laid => ({ is: 'left-out', says: `${fileName} was skipped: ${why}` });
    try {
      const is = (await stat(sidecar.path)).size > limits.sidecarMaxBytes ? 'too-large' : await lay(archive, film, { ...sidecar, by });
      if (is === 'laid') laid.push({ is, says: `${fileName} was added to it.` });
      if (is === 'same') laid.push({ is, says: `It already has ${fileName}.` });
      if (is === 'too-large') laid.push(leftOut(`it is larger than ${limits.sidecarMaxBytes / 1_000_000} MB.`));
      if (is === 'other') laid.push(leftOut(howToReplace(film, sidecar)));
    } catch (error) {
      const isUnreadable = isForbidden(error, sidecar.path);
      // What passes is tried again.
      if (!isUnreadable && (!(error instanceof Problem) || error.code === 'unavailable')) throw error;
      laid.push(leftOut(isUnreadable ? 'the archive may not read it.' : errorMessageOf(error)));
    }
  }
  return laid;
}

function howToReplace({ fileName }: FilmBeside, sidecar: SidecarFile): string {
  const name = readSidecarName(sidecar.fileName, fileName) ? 'Add it' : `Rename it after ${fileName} and add it`;
  return `the video already has ${sidecar.as.holds} in this language. ${name} on its own on the desk to replace them.`;
}

/** The steps that read what lay beside a film. */
const readers = ['facts', 'captions'];

interface Laying extends SidecarFile {
  /** Whom the audit names. */
  readonly by?: By | undefined;
  /** Whether it takes the place of another one. */
  readonly isOver?: boolean;
}

/** Cut off anywhere, the same call ends it: what lies there and was not read since is read. */
async function lay(archive: Archive, film: FilmBeside, { fileName, as, path, by, isOver }: Laying): Promise<'laid' | 'same' | 'other'> {
  const { pool, store } = archive;
  const below = toVideoKeys(film.id).sidecars;
  const kept = await listKeptSidecars(store, below);
  const ofKind = kept.filter(({ kind }) => kind === toKeptKind(as));
  const before = ofKind.find(({ language }) => language?.toLowerCase() === as.language?.toLowerCase())?.key;
  // An import names what it kept after what is in it.
  const there = await findSame(store, isOver ? kept.filter(({ key }) => key === before) : kept, path);
  const isSame = there !== null;
  const steps = async () => ((await listStepsOf(pool, [film.id])).get(film.id) ?? []).filter(({ name }) => readers.includes(name));
  const isOlder = (readAt: string | null) => readAt !== null && there !== null && new Date(readAt) < there.modifiedAt;
  const isRead = (await steps()).every(({ state, startedAt, endedAt }) => state !== 'done' || !isOlder(startedAt ?? endedAt));
  if (isSame && isRead) return 'same';
  if (!isOver && !isSame && (before !== undefined || (await tellsAlready(store, below, as)))) return 'other';
  const busy = new Problem('unavailable', 'A worker is reading this video’s files. Try again in a minute.', { retryAfterSeconds: 5 });
  if ((await steps()).some(({ state }) => state === 'running')) throw busy;
  if (before !== undefined && !isSame) await store.copyToTrash(before, `Replaced by “${fileName}”.`);
  if (!isSame) await store.put(before ?? keyOf(below, as, ofKind.length), { copyOf: path });
  if (by) await recordFilmActivity(pool, { action: 'sidecar-added', videoId: film.id, before: '', detail: fileName, ...by });
  // One that failed reads all of it anew when it is tried again, and what waits reads it anyway.
  for (const { name, state } of film.state === 'Failed' ? [] : await steps())
    if (film.state === 'Processed' || state !== 'waiting') await runStepAgain(archive, { videoId: film.id, step: name });
  return 'laid';
}

/** Whether an import kept facts or chapters with the film, which a file of these would take the place of. */
async function tellsAlready(store: FileStore, below: string, as: SidecarName): Promise<boolean> {
  const kind = toKeptKind(as);
  if (kind !== 'unread' && kind !== 'chapters') return false;
  return (await readToldNames(store, below)).some((name) => (kind === 'unread' ? name !== 'fileName' : name === 'labels'));
}

/** The one film whose file this one would lie beside by its name; null where there is none, or several. */
export async function findFilmBeside(db: Db, sidecar: string): Promise<{ id: string; name: string } | null> {
  const [film, another] = await filmsOf(db, sidecar);
  return film && !another ? { id: film.id, name: film.name } : null;
}

interface FilmBeside {
  readonly id: string;
  readonly name: string;
  readonly fileName: string;
  readonly state: VideoState;
}

const columns = sql`id, name, file_name as "fileName", state`;

async function filmsOf(db: Db, sidecar: string): Promise<FilmBeside[]> {
  const { rows } = await db.query<FilmBeside>(sql`
    select ${columns} from videos
     where origin = 'file' and state <> 'Quarantined' and starts_with(${sidecar.normalize('NFC')}, normalize(regexp_replace(file_name, '\.[^.]*$', ''))) and file_name <> ''
     order by created_at limit 100`);
  return rows.filter(({ fileName }) => readSidecarName(sidecar, fileName));
}
