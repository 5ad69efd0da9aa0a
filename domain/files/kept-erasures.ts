import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { replaceFile } from '../system/durable-file.ts';
import { ignoreAbsent } from '../system/null-when-absent.ts';
import { OperatorFault } from '../system/operator-fault.ts';
import { parseJson } from '../system/parse-json.ts';

/** An erasure as a row of the database: what it says is for the database alone to know, also in a later version. */
const ErasureRow = z.looseObject({ id: z.guid() });
export type ErasureRow = z.infer<typeof ErasureRow>;

const KeptErasures = z.object({ format: z.literal(1), erasures: z.array(ErasureRow) });

/** Every erasure of the database; none where it is older than erasures. */
export async function findErasureRows(db: Db): Promise<ErasureRow[]> {
  const { rows: found } = await db.query<{ isThere: boolean }>(sql`select to_regclass('public.erasures') is not null as "isThere"`);
  if (!found[0]?.isThere) return [];
  const { rows } = await db.query<{ erasure: unknown }>(sql`
    select to_jsonb(e) - 'applied_at' as erasure from erasures e order by made_at, id`);
  return rows.map(({ erasure }) => ErasureRow.parse(erasure));
}

/** The erasures that are kept in a folder beside a database that may be lost, or go back to an earlier state. Throws an OperatorFault for a file that cannot be read. */
export async function readKeptErasures(folder: string): Promise<ErasureRow[]> {
  const path = pathIn(folder);
  return parseErasures(await readFile(path, 'utf8').catch(ignoreAbsent), path);
}

/** The erasures of such a file, none where there is no file yet. Throws an OperatorFault for one that is damaged. */
export function parseErasures(text: string | null, path: string): ErasureRow[] {
  if (text === null) return [];
  const kept = KeptErasures.safeParse(parseJson(text));
  if (kept.success) return kept.data.erasures;
  throw new OperatorFault(
    `${path}, the list of forgotten people, is damaged. Restore it from a backup, or from the backup folder, which has a copy.`,
  );
}

/** Adds erasures to those that are kept in a folder; safe on the disk when this returns. */
export async function addKeptErasures(folder: string, rows: readonly ErasureRow[]): Promise<void> {
  const text = withErasures(await readKeptErasures(folder), rows);
  if (text !== null) replaceFile(pathIn(folder), text);
}

/** What such a file holds with these as well; null where it knows them all. */
export function withErasures(kept: readonly ErasureRow[], rows: readonly ErasureRow[]): string | null {
  const known = new Set(kept.map(({ id }) => id));
  const added = rows.filter(({ id }) => !known.has(id));
  return added.length === 0 ? null : `${JSON.stringify({ format: 1, erasures: [...kept, ...added] })}\n`;
}

function pathIn(folder: string): string {
  return join(folder, 'erasures.json');
}
