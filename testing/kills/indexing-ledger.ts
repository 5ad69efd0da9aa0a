import type { Pool } from '#domain/db/database.ts';
import { sql } from '#domain/db/sql.ts';

/** A film as the archive has acknowledged it. */
export interface LedgerFilm {
  readonly name: string;
  id: string;
  /** The word that it alone holds; null when it is deleted. */
  word: string | null;
  /** Words that it held before. */
  readonly oldWords: string[];
  /** Whether something was asked of it that was not answered, and the words that it may hold now. */
  unsureOf: string[] | null;
  /** The last round in which something happened to it. */
  round: number;
}

/** What somebody who writes down every acknowledgement knows of an archive. */
export interface Ledger {
  readonly films: Map<string, LedgerFilm>;
  round: number;
}

/** Asks the database how that ended which was never answered: both ways are right, but only one of them. */
export async function settleUnsure(pool: Pool, { films }: Ledger): Promise<void> {
  for (const film of films.values()) {
    if (!film.unsureOf) continue;
    const { rows } = await pool.query<{ id: string; body: string }>(sql`
      select v.id, convert_from(m.body, 'UTF8') as body from videos v join moments m on m.video_id = v.id where v.external_id = ${film.name}`);
    const [row] = rows;
    const word = film.unsureOf.find((one) => row?.body.includes(one)) ?? null;
    if (film.word !== null && film.word !== word) film.oldWords.push(film.word);
    film.oldWords.push(...film.unsureOf.filter((one) => one !== word));
    film.id = row?.id ?? film.id;
    film.word = word;
    film.unsureOf = null;
  }
}
