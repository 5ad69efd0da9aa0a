import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';

export interface FailedFootage {
  readonly id: string;
  readonly name: string;
  readonly failureCode: string;
  readonly failureMessage: string;
}

/** Films that could not be ingested, oldest first, with the reason. */
export async function listFailedFootage(db: Db): Promise<FailedFootage[]> {
  const { rows } = await db.query<FailedFootage>(sql`
    select id, name, coalesce(failure_code, '') as "failureCode", coalesce(failure_message, '') as "failureMessage"
      from videos where state = 'Failed' and origin = 'file' order by created_at, id`);
  return rows;
}
