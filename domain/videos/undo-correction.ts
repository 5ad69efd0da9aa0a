import { Problem } from '#contract/problem.ts';
import { inTransaction, type Pool } from '../db/database.ts';
import { findCorrections, noteUndone } from '../moments/corrections.ts';
import { recordFilmActivity } from '../users/audit.ts';
import { nameOf } from './correct-title.ts';
import { lockVideo, recomposeVideo } from './recompose-video.ts';

export interface Undoing {
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
