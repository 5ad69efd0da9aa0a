import type { ActivityEntry } from '#contract/users.ts';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';

export interface Activity {
  readonly action: ActivityEntry['action'];
  /** Null for the operator at the command line. */
  readonly actorUid: string | null;
  readonly subjectUid: string;
  /** The role of a role's change, the new name of a name's, the new address of an address's. */
  readonly detail?: string;
  /** Network address it came from, or `command line`. */
  readonly from: string;
}

/**
 * Writes down a change, with names and addresses as they are now: call it in the change's own transaction,
 * before somebody is deleted and after they are created. Throws when there is no such subject.
 */
export async function recordActivity(db: Db, { action, actorUid, subjectUid, detail = '', from }: Activity): Promise<void> {
  const { rowCount } = await db.query(sql`
    insert into audit (action, actor_uid, actor_name, actor_email, subject_uid, subject_name, subject_email, detail, came_from)
    select ${action}, actor.id, actor.name, actor.email, subject.id, subject.name, coalesce(subject.email, ''), ${detail}, ${from}
      from users subject
      left join users actor on actor.id = ${actorUid}
     where subject.id = ${subjectUid}`);
  if (rowCount !== 1) throw new Error(`the audit was told of ${action} for somebody who is not there`);
}
