import type { VideoState } from '#contract/video-service.ts';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';

export interface Footage {
  readonly id: string;
  readonly state: VideoState;
  readonly name: string;
  /** What the file was called when it came in; never part of a path. */
  readonly fileName: string;
  readonly language: string;
  readonly failureCode: string | null;
  readonly failureMessage: string | null;
  readonly processingPercent: number;
  /** Whether search has seen the video as it is now. */
  readonly isIndexed: boolean;
}

/** A video as ingest sees it. */
export async function findFootage(db: Db, id: string): Promise<Footage | undefined> {
  const { rows } = await db.query<Footage>(sql`
    select id, state, name, file_name as "fileName", language, failure_code as "failureCode", failure_message as "failureMessage",
           processing_percent as "processingPercent", indexed_revision = revision as "isIndexed"
      from videos where id = ${id}`);
  return rows[0];
}
