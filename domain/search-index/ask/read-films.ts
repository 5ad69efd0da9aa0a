import { SearchTimeSlice, type SearchWork } from '../../scheduling/search-time-slice.ts';
import { CodeRoom } from '../code-room.ts';
import type { FilmRecord } from '../films/film-record.ts';
import type { OpenTables } from '../open-tables.ts';

export interface ReadingFilms {
  /** Where the records stand; each reading has its own where nothing is said. */
  readonly room?: CodeRoom;
  /** The search that reads them. */
  readonly work?: SearchWork | undefined;
}

/** The records of these films, in their order; undefined for those that neither the recent heads nor the main ones have. */
export async function readFilms(
  { heads: { main, recent }, films, words }: OpenTables,
  ids: readonly string[],
  { room = new CodeRoom(), work }: ReadingFilms = {},
): Promise<(FilmRecord | undefined)[]> {
  if (main) await films.read(main.table);
  const records: (FilmRecord | undefined)[] = [];
  // What is not in memory comes from the disk, film by film.
  const slice = new SearchTimeSlice(work);
  for (const id of ids) {
    const offset = recent?.offsetOf(id) ?? films.find(id);
    records.push(offset === undefined ? undefined : words.readFilm(offset, room));
    if (slice.isOver) await slice.next();
  }
  return records;
}
