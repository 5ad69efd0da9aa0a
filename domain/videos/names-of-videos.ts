import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { cleanText } from './clean-text.ts';

const lengthMax = 100;

/** What these videos are called, by id, fit to be printed to a terminal. */
export async function namesOfVideos(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await db.query<{ id: string; name: string }>(sql`select id, name from videos where id = any (${[...ids]}::text[])`);
  return new Map(rows.map(({ id, name }) => [id, cleanText(name, lengthMax)]));
}
