import type { DumpedFilm } from './dump-database.ts';
import type { ListedFile } from './file-list.ts';

/** States in which a film has its original. One that failed may have none. */
const statesWithOriginal = ['Uploaded', 'Processing', 'Processed'];

/**
 * What these films lack of what the database says they have, in sentences. A film that left the archive since the dump lacks nothing:
 * `stillKnown` is asked which of them are there still.
 */
export async function findFilmFaults(
  films: readonly DumpedFilm[],
  files: { has: ReadonlyMap<string, ListedFile>; stillKnown: (ids: readonly string[]) => Promise<readonly string[]> },
): Promise<string[]> {
  const faulty = films.flatMap((film) => faultsOf(film, files.has).map((fault) => ({ id: film.id, fault })));
  if (faulty.length === 0) return [];
  const known = new Set(await files.stillKnown(faulty.map(({ id }) => id)));
  return faulty.filter(({ id }) => known.has(id)).map(({ fault }) => fault);
}

function faultsOf({ id, state, contentHash, streams }: DumpedFilm, has: ReadonlyMap<string, ListedFile>): string[] {
  if (!statesWithOriginal.includes(state)) return [];
  const original = has.get(`media/${id}/original`);
  const faults: string[] = [];
  if (!original) faults.push(`The original of video ${id} is missing.`);
  else if (original.sha256 !== contentHash) faults.push(`The original of video ${id} is not what was imported; its disk may be failing.`);
  if (state === 'Processed' && streams && !has.has(`media/${id}/hls/master.m3u8`))
    faults.push(`The renditions of video ${id} are missing.`);
  return faults;
}
