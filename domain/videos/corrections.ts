import type { CorrectionEntry } from '#contract/corrections.ts';
import { Problem } from '#contract/problem.ts';
import { type Db, inTransaction, type Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { compose } from '../moments/compose.ts';
import { type Correction, findCorrections, noteUndone } from '../moments/corrections.ts';
import { findLayers } from '../moments/layers.ts';
import { recordFilmActivity } from '../users/audit.ts';
import { nameOf } from './correct-title.ts';
import { lockVideo, recomposeVideo } from './recompose-video.ts';

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

interface Undoing {
  readonly videoId: string;
  readonly correction: number;
  readonly actorUid: string;
  readonly from: string;
}

/**
 * Takes a correction back, whenever it was made: the film says what it comes to without it. Returns what the film is called then. Throws a
 * Problem for one that is not there, or was taken back before.
 */
export async function undoCorrection(pool: Pool, { videoId, correction, actorUid, from }: Undoing): Promise<string> {
  return await inTransaction(pool, async (db) => {
    if (!(await lockVideo(db, videoId))) throw new Problem('not_found', 'There is no such video.');
    const known = (await findCorrections(db, videoId)).find(({ id }) => id === correction);
    if (!known) throw new Problem('not_found', 'There is no such correction.');
    if (!(await noteUndone(db, videoId, { id: correction, by: actorUid })))
      throw new Problem('conflict', 'This correction was taken back before.');
    await recordFilmActivity(db, { action: 'correction-undone', actorUid, videoId, detail: known.says ?? known.target.replaces, from });
    await recomposeVideo(db, videoId);
    return await nameOf(db, videoId);
  });
}
