import { createHash } from 'node:crypto';
import { limits } from '#contract/limits.ts';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { FileStore } from '../files/store.ts';
import { videoKeys } from '../files/video-keys.ts';

interface SameFootage {
  readonly id: string;
  readonly name: string;
  readonly isDeleted: boolean;
}

/** A film whose original has this size, beginning and end: most likely the same. Undefined where there is none. */
export async function findSameFootage(
  { pool, store }: { pool: Db; store: FileStore },
  file: { readonly sizeBytes: number; readonly ends: string },
): Promise<SameFootage | undefined> {
  const { rows } = await pool.query<SameFootage>(sql`
    select id, name, state = 'Quarantined' as "isDeleted" from videos
     where size_bytes = ${file.sizeBytes} and origin = 'file' and state <> 'Failed' order by created_at limit 20`);
  for (const video of rows) if ((await endsOf(store, video.id)) === file.ends) return video;
  return undefined;
}

/** SHA-256 of the first and last piece of an original; where it is shorter than both, of what there is twice. */
async function endsOf(store: FileStore, videoId: string): Promise<string | undefined> {
  const { original } = videoKeys(videoId);
  const found = await store.stat(original);
  if (!found) return undefined;
  const { sizeBytes } = found;
  const piece = limits.endPieceBytes;
  const hash = createHash('sha256');
  for (const range of [
    { start: 0, end: Math.min(piece, sizeBytes) },
    { start: Math.max(0, sizeBytes - piece), end: sizeBytes },
  ])
    hash.update((await (await store.openRange(original, range))?.bytes()) ?? '');
  return hash.digest('hex');
}
