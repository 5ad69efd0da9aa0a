import type { CorrectionEntry } from '#contract/corrections.ts';
import { serverLimits } from '#contract/limits.ts';
import { Problem } from '#contract/problem.ts';
import { type Db, inTransaction, type Pool } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { compose } from '../../moments/compose.ts';
import { batchesOf, type Correction, findCorrections, noteUndone } from '../../moments/corrections.ts';
import { findLayers } from '../../moments/layers.ts';
import { recordFilmActivity } from '../../users/audit.ts';
import { clockOf, findChosenPosterMs, writePoster } from '../desk/poster.ts';
import { findEndMs, recomposeVideo, requireLock } from '../recompose-video.ts';
import { toAuditedText } from './correct-lines.ts';

/** Everything that people changed of a film, newest first, also what was undone and what no longer fits; what was made with one press is one entry. */
export async function listCorrections(db: Db, videoId: string): Promise<CorrectionEntry[]> {
  const corrections = await findCorrections(db, videoId);
  if (corrections.length === 0) return [];
  const { unfitting } = compose(await findLayers(db, videoId), corrections, await findEndMs(db, videoId));
  const names = await namesOfUsers(db, corrections);
  const batches = batchesOf(corrections);
  const isListed = ({ id, batch }: Correction) => !batch || batches.get(batch)?.[0]?.id === id;
  const fits = ({ batch, ...one }: Correction) => (batches.get(batch ?? '') ?? [one]).some(({ id }) => !unfitting.has(id));
  return corrections
    .filter(isListed)
    .toReversed()
    .map((correction) => {
      const { id, target, says, batch, made, undone } = correction;
      return {
        id,
        kind: target.kind,
        replaces: shorten(target.replaces),
        says: says === null ? null : shorten(says),
        fact: target.kind === 'Title' ? 'title' : 'fact' in target ? target.fact : null,
        names: target.kind === 'Name' ? target.layer : null,
        startMs: 'startMs' in target ? target.startMs : null,
        state: undone ? 'undone' : fits(correction) ? 'standing' : 'unfitting',
        together: batches.get(batch ?? '')?.length ?? 1,
        by: names.get(made.by) ?? '',
        at: made.at.toISOString(),
        undoneBy: undone ? (names.get(undone.by) ?? '') : null,
        undoneAt: undone ? undone.at.toISOString() : null,
      };
    });
}

async function namesOfUsers(db: Db, corrections: readonly Correction[]): Promise<Map<string, string>> {
  const uids = corrections.flatMap(({ made, undone }) => [made.by, ...(undone ? [undone.by] : [])]);
  const { rows } = await db.query<{ id: string; name: string }>(sql`select id, name from users where id = any (${uids}::text[])`);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** So much of a text as a list shows; all of it stands in the correction. */
function shorten(text: string): string {
  return text.length <= serverLimits.auditedUndoneMaxCharacters
    ? text
    : `${text.slice(0, serverLimits.auditedUndoneMaxCharacters).toWellFormed()}…`;
}

interface Undoing {
  readonly videoId: string;
  readonly correction: number;
  readonly actorUid: string;
  readonly from: string;
}

/**
 * Takes a correction back, whenever it was made: the film says what it comes to without it. Returns what the film is called then, and what
 * was taken back. Throws a Problem for one that is not there, or was taken back before.
 */
export async function undoCorrection(
  pool: Pool,
  { videoId, correction, actorUid, from }: Undoing,
): Promise<{ name: string; kind: CorrectionEntry['kind'] }> {
  return await inTransaction(pool, async (db) => {
    await requireLock(db, videoId);
    const corrections = await findCorrections(db, videoId);
    const known = corrections.find(({ id }) => id === correction);
    if (!known) throw new Problem('not_found', 'There is no such correction.');
    if (!(await noteUndone(db, videoId, { id: correction, by: actorUid })))
      throw new Problem('conflict', 'This correction has already been undone.');
    if (known.target.kind === 'Poster' && (await findChosenPosterMs(db, videoId)) === null) await writePoster(db, videoId, null);
    const together = batchesOf(corrections).get(known.batch ?? '') ?? [known];
    await recordFilmActivity(db, { action: 'correction-undone', actorUid, videoId, ...auditedOf(together), from });
    await recomposeVideo(db, videoId);
    return { name: await nameOf(db, videoId), kind: known.target.kind };
  });
}

/** What the activity says of corrections that are taken back together: what they had replaced, and what they said. */
function auditedOf(together: readonly Correction[]): { before: string; detail: string } {
  const [first] = together;
  if (first?.target.kind === 'Poster') return { before: '', detail: clockOf(first.target.startMs) };
  return {
    before: toAuditedText(together.map(({ target }) => target.replaces)),
    detail: toAuditedText(together.map(({ target, says }) => says || target.replaces)),
  };
}

/** What the archive calls a film, whole. */
async function nameOf(db: Db, videoId: string): Promise<string> {
  const { rows } = await db.query<{ name: string }>(sql`select name from videos where id = ${videoId}`);
  return rows[0]?.name ?? '';
}
