import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Moment } from './moment.ts';
import { type PackedMoments, unpackMoments } from './packed-moments.ts';
import { packedRow } from './packed-row.ts';

/** Every moment of one video in order of time; none for a video that nothing is known of. */
export async function findMoments(db: Db, videoId: string): Promise<Moment[]> {
  const { rows } = await db.query<PackedMoments>(sql`
    select ${packedRow.columns} from videos v ${packedRow.join} where v.id = ${videoId}`);
  return unpackMoments(rows[0]?.body ?? '', rows[0]);
}

const linesAfter = 2;

/** The line of a kind before those that stand at a time, and two after them, of moments in order of time. The lines of a picture stand there at once. */
export function linesAround(
  moments: readonly Moment[],
  { kind, atMs }: { kind: Moment['kind']; atMs: number },
): { before: string | null; after: readonly string[] } {
  const lines = moments.filter((moment) => moment.kind === kind);
  const next = lines.findLastIndex(({ startMs }) => startMs <= atMs) + 1;
  const first = lines.findIndex(({ startMs }) => startMs === lines[next - 1]?.startMs);
  return { before: lines[first - 1]?.text ?? null, after: lines.slice(next, next + linesAfter).map(({ text }) => text) };
}
