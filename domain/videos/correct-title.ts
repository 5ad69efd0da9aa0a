import { limits } from '#contract/limits.ts';
import { Problem } from '#contract/problem.ts';
import { type Db, inTransaction, type Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { addCorrection } from '../moments/corrections.ts';
import { recordFilmActivity } from '../users/audit.ts';
import { cleanText, holdsEmailAddress } from './clean-text.ts';
import { lockVideo, recomposeVideo } from './recompose-video.ts';

export interface TitleChange {
  readonly videoId: string;
  /** The title that the editor saw: another one by now is not overwritten. */
  readonly replaces: string;
  readonly title: string;
  readonly actorUid: string;
  readonly from: string;
}

/**
 * Gives a film another title, which holds whatever its file says later, until it is undone; returns the title as it is kept. Throws a Problem for a title
 * that cannot be one, and where somebody else changed it meanwhile.
 */
export async function correctTitle(pool: Pool, { videoId, replaces, title, actorUid, from }: TitleChange): Promise<string> {
  const says = readTitle(title);
  return await inTransaction(pool, async (db) => {
    if (!(await lockVideo(db, videoId))) throw new Problem('not_found', 'There is no such video.');
    const before = await nameOf(db, videoId);
    if (before !== replaces) throw new Problem('version_mismatch', `The title was changed meanwhile: it is “${before}” now.`);
    if (before === says) return says;
    await addCorrection(db, videoId, { target: { layer: 'catalogue', kind: 'Title', replaces }, says, by: actorUid });
    await recordFilmActivity(db, { action: 'title-changed', actorUid, videoId, detail: says, from });
    await recomposeVideo(db, videoId);
    return await nameOf(db, videoId);
  });
}

/** What the archive calls a film, whole. */
export async function nameOf(db: Db, videoId: string): Promise<string> {
  const { rows } = await db.query<{ name: string }>(sql`select name from videos where id = ${videoId}`);
  return rows[0]?.name ?? '';
}

function readTitle(text: string): string {
  // One more than there may be tells whether it is too long.
  const title = cleanText(text, limits.videoNameMaxCodePoints + 1);
  if (title === '') throw new Problem('invalid_parameter', 'A film needs a title.');
  if ([...title].length > limits.videoNameMaxCodePoints)
    throw new Problem('invalid_parameter', `A title has at most ${limits.videoNameMaxCodePoints} characters.`);
  if (holdsEmailAddress(title)) throw new Problem('invalid_parameter', 'A title holds no e-mail address: the archive keeps none.');
  return title;
}
