import { readdirSync } from 'node:fs';
import { basename, join, posix } from 'node:path';
import { archiveFolderIn } from '#domain/files/archive-folder.ts';
import { countFrames } from '#domain/files/frame-pack.ts';
import { openLocalStore } from '#domain/files/local-store.ts';
import { readStored } from '#domain/files/read-stored.ts';
import type { FileStore } from '#domain/files/store.ts';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { until } from '../until.ts';
import type { MadeFilm } from './film-rounds.ts';
import type { Verdict } from './kill-figures.ts';
import type { KillableArchive } from './killable-archive.ts';

/** What is wrong with a film that was imported: whether it is there once, whole, playable and found, and nothing else of it. */
export async function judgeFilm(archive: KillableArchive, film: MadeFilm): Promise<Verdict> {
  const store = openLocalStore(archiveFolderIn(archive.dataFolder).root);
  const { rows } = await archive.pool.query<{ id: string; state: string; failure: string | null }>(
    'select id, state, failure_message as failure from videos where content_hash = $1 or name = $2',
    [film.contentHash, film.name],
  );
  const [row] = rows;
  if (!row) return { lost: [`${film.name} has no record`] };
  const keys = toVideoKeys(row.id);
  const original = await readStored(store, keys.original);
  const lost = original?.equals(film.bytes) ? [] : [`the original of ${film.name}`];
  if (row.state !== 'Processed') lost.push(`${film.name} is ${row.state}: ${row.failure}`);
  // A kill between the commit of the index and the copy that readers follow leaves them behind until the next writer has opened it.
  const look = () => archive.served().search(`"${film.name}"`);
  const found = await until(async () => (await look()).includes(row.id) && (await look()), { withinMs: 10_000 }).catch(look);
  if (!found.includes(row.id)) lost.push(`${film.name} is not found`);
  const twice = [...rows.slice(1).map(({ id }) => `${film.name} is ${id} as well`), ...found.filter((id, n) => found.indexOf(id) !== n)];
  const orphans = (await findLeft(archive, row.id)).map((path) => `${path} was left behind`);
  return { lost, twice, halfVisible: await missingFiles(store, row.id), orphans };
}

/**
 * Folders of a film that no step works in. What understands it goes on behind its back: what is left is there before and after the look at
 * what runs. An empty folder of a worker that died after its last word is swept with what else crashes leave; anything in one is not.
 */
async function findLeft({ dataFolder, pool }: KillableArchive, videoId: string): Promise<string[]> {
  const { work, staging } = archiveFolderIn(dataFolder);
  const look = () => [work, staging].flatMap((folder) => namesIn(folder).map((name) => join(folder, name)));
  const before = new Set(look());
  const { rows } = await pool.query<{ step: string }>(`select step from ingest_steps where video_id = $1 and state = 'running'`, [videoId]);
  const inUse = new Set(rows.map(({ step }) => `${videoId}-${step}`));
  return look().filter(
    (path) => before.has(path) && basename(path).startsWith(videoId) && !inUse.has(basename(path)) && namesIn(path).length > 0,
  );
}

/** What a player would ask for and not get. */
async function missingFiles(store: FileStore, videoId: string): Promise<string[]> {
  const keys = toVideoKeys(videoId);
  const missing: string[] = [];
  for (const key of [keys.poster, keys.storyboard, keys.storyboardIndex]) if (!(await store.stat(key))?.sizeBytes) missing.push(key);
  if (!(await countFrames(store, keys.framePack))) missing.push(keys.framePack);
  const playlists = [`${keys.hls}/master.m3u8`];
  for (const playlist of playlists) {
    const text = String((await readStored(store, playlist)) ?? '');
    const names = [...text.matchAll(/^([^#\s].*)$|URI="([^"]+)"/gm)].map(([, line, uri]) => line ?? uri ?? '');
    if (names.length === 0) missing.push(playlist);
    for (const key of names.map((name) => posix.join(posix.dirname(playlist), name))) {
      if (key.endsWith('.m3u8')) playlists.push(key);
      else if (!(await store.stat(key))?.sizeBytes) missing.push(key);
    }
  }
  return missing;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
