import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Moment } from './moment.ts';
import { bodyText, type PackedMoments, unpackMoments } from './packed-moments.ts';

/** Every moment of one video in order of time; none for a video that nothing is known of. */
export async function findMoments(db: Db, videoId: string): Promise<Moment[]> {
  const { rows } = await db.query<PackedMoments>(sql`
    select ${bodyText} as body, word_starts as "wordStarts", engines from moments m where video_id = ${videoId}`);
  return unpackMoments(rows[0]?.body ?? '', rows[0]);
}

const linesAfter = 2;

/** The line of a kind before the one that stands at a time, and two after it, of moments in order of time. */
export function linesAround(
  moments: readonly Moment[],
  { kind, atMs }: { kind: Moment['kind']; atMs: number },
): { before: string | null; after: readonly string[] } {
  const lines = moments.filter((moment) => moment.kind === kind);
  const at = lines.findLastIndex(({ startMs }) => startMs <= atMs);
  return { before: lines[at - 1]?.text ?? null, after: lines.slice(at + 1, at + 1 + linesAfter).map(({ text }) => text) };
}
