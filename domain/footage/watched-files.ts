import type { LeftOutFile } from '#contract/steps.ts';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { sha256Of } from '../files/sha256.ts';
import { toKeptFileName } from './footage-name.ts';

/** A file of the watched folder as it was when it was looked into, and what became of it. */
export interface WatchedFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  /** Another one whenever what lies beside it under its name is. */
  readonly beside: string;
  readonly outcome: Outcome;
}

/** A refused file is tried again when it has changed, a waiting one in any case; the message is a sentence. */
type Outcome =
  | { readonly is: 'taken' | 'known'; readonly videoId: string }
  | { readonly is: 'refused' | 'waiting'; readonly message: string };

/** What the archive remembers of a file: by its `toWatchedFileId`. */
export interface RememberedFile {
  readonly id: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  /** Null where that was not noted yet. */
  readonly beside: string | null;
  readonly state: Outcome['is'];
  readonly message: string | null;
}

const leftOutShown = 30;

/** By what a file of the watched folder is known again. */
export function toWatchedFileId(path: string): string {
  return sha256Of(path);
}

/** All that the archive remembers of watched folders. */
export async function listWatchedFiles(db: Db): Promise<RememberedFile[]> {
  const { rows } = await db.query<RememberedFile>(sql`
    select id, size_bytes::float8 as "sizeBytes", modified_ms as "modifiedMs", beside, state, message from watched_files`);
  return rows;
}

/** Remembers what became of a file, in the place of what was known of it. */
export async function noteWatchedFile(db: Db, { path, sizeBytes, modifiedMs, beside, outcome }: WatchedFile): Promise<RememberedFile> {
  const id = toWatchedFileId(path);
  const isLeftOut = 'message' in outcome;
  const message = isLeftOut ? outcome.message : null;
  const fileName = isLeftOut ? toKeptFileName(path) : null;
  await db.query(sql`
    insert into watched_files (id, size_bytes, modified_ms, beside, state, file_name, message, became)
    values (${id}, ${sizeBytes}, ${modifiedMs}, ${beside}, ${outcome.is}, ${fileName}, ${message}, ${isLeftOut ? null : outcome.videoId})
    on conflict (id) do update
       set size_bytes = excluded.size_bytes, modified_ms = excluded.modified_ms, beside = excluded.beside, state = excluded.state,
           file_name = excluded.file_name, message = excluded.message, became = excluded.became,
           at = case when watched_files.state = excluded.state and watched_files.modified_ms = excluded.modified_ms
                     then watched_files.at else now() end`);
  return { id, sizeBytes, modifiedMs, beside, state: outcome.is, message };
}

/** Notes what lies beside a file, of which that was not known. */
export async function noteBeside(db: Db, { id, beside }: Pick<RememberedFile, 'id' | 'beside'>): Promise<void> {
  await db.query(sql`update watched_files set beside = ${beside} where id = ${id}`);
}

/** Forgets a file of the watched folder: it counts as new from then on. */
export async function forgetWatchedFile(db: Db, id: string): Promise<void> {
  await db.query(sql`delete from watched_files where id = ${id}`);
}

interface LeftOutRow extends Omit<LeftOutFile, 'at'> {
  readonly at: Date;
}

/** Files of the watched folder that are no films yet, and why: the newest first. */
export async function listLeftOut(db: Db): Promise<LeftOutFile[]> {
  const { rows } = await db.query<LeftOutRow>(sql`
    select id, file_name as "fileName", size_bytes::float8 as "sizeBytes", state, message, at
      from watched_files where state in ('refused', 'waiting') order by at desc, id limit ${leftOutShown}`);
  return rows.map(({ at, ...file }) => ({ ...file, at: at.toISOString() }));
}
