import { videoKeys } from '../files/video-keys.ts';
import type { DumpedFilm } from './dump-database.ts';
import type { ListedFile } from './file-list.ts';

/** States in which a film has its original. One that failed long ago may have none. */
const statesWithOriginal = ['Uploaded', 'Processing', 'Processed'];

/** What these films lack of what the database says they have, in sentences. */
export function findFilmFaults(films: readonly DumpedFilm[], files: ReadonlyMap<string, ListedFile>): { id: string; fault: string }[] {
  return films.flatMap((film) => faultsOf(film, files).map((fault) => ({ id: film.id, fault })));
}

function faultsOf({ id, state, contentHash, streams }: DumpedFilm, files: ReadonlyMap<string, ListedFile>): string[] {
  if (!statesWithOriginal.includes(state)) return [];
  const keys = videoKeys(id);
  const original = files.get(keys.original);
  const faults: string[] = [];
  if (!original) faults.push(`The original of video ${id} is missing.`);
  else if (original.sha256 !== contentHash) faults.push(`The original of video ${id} is not what was imported; its disk may be failing.`);
  if (state === 'Processed' && streams && !files.has(`${keys.hls}/master.m3u8`)) faults.push(`The renditions of video ${id} are missing.`);
  return faults;
}
