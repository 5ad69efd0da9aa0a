import { type IndexState, partPathIn, rowWordsPathIn } from '../files/index-state.ts';
import { goneVideoAt } from './index-row.ts';
import type { Shelf } from './index-tables.ts';
import { readPlacedRows } from './indexed-rows.ts';
import { Part } from './postings/read-part.ts';
import { type PartFilm, type PartRows, writePart } from './postings/write-part.ts';
import { RowWordsReader } from './read-row-words.ts';

/**
 * Writes the rows of these tables, which no part has yet, as the part of a number, together with those of the last parts that are no longer:
 * there are ever only a few, and a row is written a few times. The parts of the index that has it, the oldest first.
 */
export async function writeNextPart(
  { folder, state }: { folder: string; state: Pick<IndexState, 'generation' | 'parts'> },
  { shelf, number }: { shelf: Shelf; number: number },
): Promise<number[]> {
  const gathered = new GatheredRows();
  await gathered.addTables(shelf);
  const left = [...state.parts];
  for (let last = left.at(-1); last !== undefined; last = left.at(-1)) {
    const part = new Part(last, partPathIn(folder, state, last));
    try {
      if (part.rows.passages.count > gathered.passageCount) break;
      gathered.addPart(part);
    } finally {
      part.close();
    }
    left.pop();
  }
  const rows = gathered.rows({ isFirst: left.length === 0 });
  if (rows.films.length === 0) return left;
  const words = new RowWordsReader(rowWordsPathIn(folder, state));
  try {
    await writePart(partPathIn(folder, state, number), rows, { words });
  } finally {
    words.close();
  }
  return [...left, number];
}

/** Rows that will be one part, the newest first: what is said of a film afterwards counts no more. */
class GatheredRows {
  readonly #films = new Map<string, PartFilm>();
  #passages: number[] = [];

  get passageCount(): number {
    return this.#passages.length;
  }

  async addTables({ passages, heads }: Shelf): Promise<void> {
    const gone = new Set<string>();
    for await (const row of heads ? readPlacedRows(heads) : []) {
      const left = goneVideoAt(row.offset);
      if (left !== undefined) gone.add(left);
      else this.#films.set(row.video, { id: row.video, head: row.offset, createdMs: row.createdMs, publishedMs: row.publishedMs });
    }
    for (const id of gone) if (!this.#films.has(id)) this.#films.set(id, { id, head: undefined, createdMs: 0, publishedMs: 0 });
    for await (const { offset } of passages ? readPlacedRows(passages) : []) this.#passages.push(offset);
  }

  addPart(part: Part): void {
    const known = new Set(this.#films.keys());
    for (const { passages, ...film } of part.allRows()) {
      if (known.has(film.id)) continue;
      this.#films.set(film.id, film);
      this.#passages.push(...passages);
    }
  }

  /** All of them; a first part need not say who has left. */
  rows({ isFirst }: { isFirst: boolean }): PartRows {
    const films = [...this.#films.values()].filter(({ head }) => head !== undefined || !isFirst);
    return { films, passages: Float64Array.from(this.#passages).sort() };
  }
}
