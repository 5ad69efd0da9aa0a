import { z } from 'zod';
import { parseJson } from '../system/parse-json.ts';
import type { Db } from './database.ts';
import { sql } from './sql.ts';

/** What the archive notes of itself as a whole, each as one text. What is noted under other conditions than these two functions know asks for itself. */
type ArchiveFact =
  /** To which archive the database belongs, and what an operator said to go on without. */
  | 'archive_id'
  | 'adopted'
  /** By which name backups know it, where they lie, how the last one went, and which restore filled it. */
  | 'backup_id'
  | 'backup_folders'
  | 'last_backup'
  | 'restore'
  /** The list of brands that editors keep, and whether rough speech is shown. */
  | 'brands'
  | 'rough_speech'
  /** Whether the sample films are in. */
  | 'samples'
  /** The generation of the index of which the store has lost something. */
  | 'lost_index';

/** What is noted under a name; undefined where nothing is. */
export async function readFact(db: Db, name: ArchiveFact): Promise<string | undefined> {
  const { rows } = await db.query<{ value: string }>(sql`select value from archive_facts where name = ${name}`);
  return rows[0]?.value;
}

/** Notes it, in place of what stood there. */
export async function writeFact(db: Db, name: ArchiveFact, value: string): Promise<void> {
  await db.query(sql`
    insert into archive_facts (name, value) values (${name}, ${value}) on conflict (name) do update set value = excluded.value`);
}

const Adopted = z.object({ missing: z.array(z.string()), unknown: z.array(z.string()) });
/** Videos that an operator has said to go on without the originals of, and such as the database does not know. */
export type Adopted = z.infer<typeof Adopted>;

/** What an operator has said before to go on with. */
export async function readAdopted(db: Db): Promise<Adopted> {
  const parsed = Adopted.safeParse(parseJson((await readFact(db, 'adopted')) ?? ''));
  return parsed.success ? parsed.data : { missing: [], unknown: [] };
}
