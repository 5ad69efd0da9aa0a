import type { CorrectionEntry } from '#contract/corrections.ts';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { compose } from '../moments/compose.ts';
import { type Correction, findCorrections } from '../moments/corrections.ts';
import { findLayers } from '../moments/layers.ts';

/** Everything that people changed of a film, newest first, also what was undone and what no longer fits. */
export async function listCorrections(db: Db, videoId: string): Promise<CorrectionEntry[]> {
  const corrections = await findCorrections(db, videoId);
  if (corrections.length === 0) return [];
  const { unfitting } = compose(await findLayers(db, videoId), corrections);
  const names = await namesOfUsers(db, corrections);
  return corrections.toReversed().map(({ id, target, says, made, undone }) => ({
    ...{ id, kind: target.kind, replaces: target.replaces, says },
    startMs: target.kind === 'Title' ? null : target.startMs,
    state: undone ? 'undone' : unfitting.has(id) ? 'unfitting' : 'standing',
    by: names.get(made.by) ?? '',
    at: made.at.toISOString(),
    undoneBy: undone ? (names.get(undone.by) ?? '') : null,
    undoneAt: undone ? undone.at.toISOString() : null,
  }));
}

async function namesOfUsers(db: Db, corrections: readonly Correction[]): Promise<Map<string, string>> {
  const uids = corrections.flatMap(({ made, undone }) => [made.by, ...(undone ? [undone.by] : [])]);
  const { rows } = await db.query<{ id: string; name: string }>(sql`select id, name from users where id = any (${uids}::text[])`);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
