import { SearchTurn, type SearchWork } from '../../turns/search-turn.ts';
import type { FilmRecord } from '../film-record.ts';
import type { OpenTables } from '../open-tables.ts';

/** The records of these films, in their order; undefined for those that neither the recent heads nor the main ones have. */
export async function readFilms(
  { heads: { main, recent }, films, words }: OpenTables,
  ids: readonly string[],
  work?: SearchWork,
): Promise<(FilmRecord | undefined)[]> {
  if (main) await films.read(main.table);
  const records: (FilmRecord | undefined)[] = [];
  // What is not in memory comes from the disk, film by film.
  const turn = new SearchTurn(work);
  for (const id of ids) {
    const place = recent?.placeOf(id) ?? films.find(id);
    records.push(place === undefined ? undefined : words.readFilm(place));
    if (turn.isOver) await turn.next();
  }
  return records;
}
