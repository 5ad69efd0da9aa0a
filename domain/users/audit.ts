import type { ActivityEntry } from '#contract/users.ts';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';

/** What is done to films rather than to people. */
type FilmAction =
  | 'title-changed'
  | 'fact-changed'
  | 'person-named'
  | 'faces-merged'
  | 'poster-chosen'
  | 'film-replaced'
  | 'correction-undone'
  | 'person-forgotten'
  | 'film-added'
  | 'sidecar-added'
  | 'film-shown-to'
  | 'film-deleted'
  | 'film-restored'
  | 'film-erased'
  | 'lines-corrected'
  | 'lines-verified';

export interface Activity {
  readonly action: Exclude<ActivityEntry['action'], FilmAction>;
  /** Null for the operator at the command line. */
  readonly actorUid: string | null;
  readonly subjectUid: string;
  /** What was there before, where that is not of somebody. */
  readonly before?: string;
  /** The role of a role's change, the new name of a name's, the new address of an address's, the name of a key, what was added to a list. */
  readonly detail?: string;
  /** Network address it came from, or `command line`. */
  readonly from: string;
}

/**
 * Writes down a change, with names and addresses as they are now: call it in the change's own transaction,
 * before somebody is deleted and after they are created. Throws when there is no such subject.
 */
export async function recordActivity(db: Db, { action, actorUid, subjectUid, before = '', detail = '', from }: Activity): Promise<void> {
  const { rowCount } = await db.query(sql`
    insert into audit (action, actor_uid, actor_name, actor_email, subject_uid, subject_name, subject_email, before, detail, came_from)
    select ${action}, actor.id, actor.name, actor.email, subject.id, subject.name, coalesce(subject.email, ''), ${before}, ${detail}, ${from}
      from users subject
      left join users actor on actor.id = ${actorUid}
     where subject.id = ${subjectUid}`);
  if (rowCount !== 1) throw new Error(`the audit was told of ${action} for somebody who is not there`);
}

export interface FilmActivity {
  readonly action: FilmAction;
  readonly actorUid: string;
  readonly videoId: string;
  /** What was there before. */
  readonly before: string;
  /** The new title; the name that a person was given; what lines say now; what was taken back; empty where somebody was forgotten. */
  readonly detail: string;
  readonly from: string;
}

/** Writes down a change of a film, with names as they are now: call it in the change's own transaction, before the change. Throws when there is no such film. */
export async function recordFilmActivity(db: Db, { action, actorUid, videoId, before, detail, from }: FilmActivity): Promise<void> {
  const { rowCount } = await db.query(sql`
    insert into audit (action, actor_uid, actor_name, actor_email, video_id, video_name, before, detail, came_from)
    select ${action}, actor.id, actor.name, actor.email, v.id, v.name, ${before}, ${detail}, ${from}
      from videos v
      left join users actor on actor.id = ${actorUid}
     where v.id = ${videoId}`);
  if (rowCount !== 1) throw new Error(`the audit was told of ${action} for a film that is not there`);
}
