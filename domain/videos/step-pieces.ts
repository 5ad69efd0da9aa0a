import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';

/** A piece of what a step does with a film. */
interface PieceKey {
  readonly videoId: string;
  readonly step: string;
  readonly piece: string;
}

/** What a piece came to; undefined where it has not been done. */
export async function findPiece(db: Db, { videoId, step, piece }: PieceKey): Promise<unknown> {
  const { rows } = await db.query<{ result: unknown }>(sql`
    select result from step_pieces where video_id = ${videoId} and step = ${step} and piece = ${piece}`);
  return rows[0]?.result;
}

/** Keeps what a piece came to, any JSON but null; nothing of a film that is deleted meanwhile. */
export async function keepPiece(db: Db, { videoId, step, piece }: PieceKey, result: unknown): Promise<void> {
  await db.query(sql`
    insert into step_pieces (video_id, step, piece, result)
    select id, ${step}, ${piece}, ${JSON.stringify(result)}::jsonb from videos where id = ${videoId} and state <> 'Quarantined' for share
    on conflict (video_id, step, piece) do update set result = excluded.result`);
}

/** Forgets the pieces of a step that has ended. */
export async function dropPieces(db: Db, videoId: string, step: string): Promise<void> {
  await db.query(sql`delete from step_pieces where video_id = ${videoId} and step = ${step}`);
}

/** Forgets those of all steps, of a film that nobody goes on with. */
export async function dropAllPieces(db: Db, videoId: string): Promise<void> {
  await db.query(sql`delete from step_pieces where video_id = ${videoId}`);
}
