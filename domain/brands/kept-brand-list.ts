import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { limits, serverLimits } from '#contract/limits.ts';
import { Problem } from '#contract/problem.ts';
import type { BrandList } from '#contract/steps.ts';
import { advisoryLocks } from '../db/advisory-locks.ts';
import { readFact, writeFact } from '../db/archive-facts.ts';
import { type Db, inTransaction, type Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { sha256Of } from '../files/sha256.ts';
import { recordActivity } from '../users/audit.ts';
import { parseBrandList } from './brand-list.ts';

/** The list of brands as it is now; `version` is another one whenever the list is. */
export interface KeptBrandList {
  readonly list: string;
  readonly version: string;
}

/** The archive's own list, or the one that it came with. */
export async function findBrandList(db: Db): Promise<KeptBrandList> {
  const list = (await readFact(db, 'brands')) ?? (await readFile(join(import.meta.dirname, 'brand-list.txt'), 'utf8'));
  return { list, version: sha256Of(list) };
}

/** The list as it is now, and what it was before each of the last changes, the latest first. */
export async function findBrandLists(db: Db): Promise<BrandList> {
  const { rows } = await db.query<{ list: string; by: string; at: Date }>(sql`
    select c.list, coalesce(u.name, '') as by, c.changed_at as at
      from brand_lists_before c left join users u on u.id = c.changed_by order by c.id desc limit ${serverLimits.brandListChangesKept}`);
  return { ...(await findBrandList(db)), before: rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() })) };
}

interface BrandListChange {
  readonly list: string;
  /** The version that the editor saw. */
  readonly replaces: string;
  readonly actorUid: string;
  readonly from: string;
}

/**
 * Keeps another list, and the one before with who changed it. Throws a Problem for a list that is too long or has a line that names nothing, with
 * the number of the line, and where somebody else changed it meanwhile.
 */
export async function replaceBrandList(pool: Pool, { list, replaces, actorUid, from }: BrandListChange): Promise<BrandList> {
  const text = list.replace(/\r\n?/g, '\n').replaceAll('\u0000', '').toWellFormed();
  requireBrands(text);
  return await inTransaction(pool, async (db) => {
    // One at a time, also while there is no row yet.
    await db.query(sql`select pg_advisory_xact_lock(${advisoryLocks.changingBrands})`);
    const before = await findBrandList(db);
    if (before.version !== replaces) throw new Problem('version_mismatch', 'Someone else has changed the list. Reload it.');
    await writeFact(db, 'brands', text);
    if (text !== before.list) {
      await db.query(sql`insert into brand_lists_before (list, changed_by) values (${before.list}, ${actorUid})`);
      await db.query(sql`
        delete from brand_lists_before where id not in (select id from brand_lists_before order by id desc limit ${serverLimits.brandListChangesKept})`);
      const [out, added] = [linesNotIn(text, before.list), linesNotIn(before.list, text)];
      await recordActivity(db, { action: 'brands-changed', actorUid, subjectUid: actorUid, before: out, detail: added, from });
    }
    return await findBrandLists(db);
  });
}

/** The lines of a list that another has not. */
function linesNotIn(other: string, list: string): string {
  const known = new Set(other.split('\n').map((line) => line.trim()));
  const lines = list.split('\n').map((line) => line.trim());
  return lines
    .filter((line) => line !== '' && !known.has(line))
    .join(' / ')
    .slice(0, serverLimits.auditedMaxCharacters)
    .toWellFormed();
}

function requireBrands(text: string): void {
  const lines = text.split('\n');
  const { brandListMaxCharacters } = limits;
  if (text.length > brandListMaxCharacters)
    throw new Problem('invalid_parameter', `The list may have at most ${brandListMaxCharacters.toLocaleString('en')} characters.`);
  for (const [n, line] of lines.entries()) {
    const isNothing = line.trim() === '' || line.trimStart().startsWith('#');
    if (!isNothing && parseBrandList(line).length === 0) throw new Problem('invalid_parameter', `Line ${n + 1} names no brand.`);
  }
}
