import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { countLines } from './line-counts.ts';
import type { Moment } from './moment.ts';
import { packMoments } from './packed-moments.ts';

/** Makes each of these videos say its moments, as its one packed row. Returns the ids of those that said something else before, or nothing. */
export async function writePackedRows(db: Db, momentsOf: ReadonlyMap<string, readonly Moment[]>): Promise<string[]> {
  const packed = [...momentsOf].map(([videoId, moments]) => ({
    videoId,
    count: moments.length,
    ...packMoments(moments),
    ...countLines(moments),
  }));
  const column = <K extends keyof (typeof packed)[number]>(name: K) => packed.map((row) => row[name]);
  // PostgreSQL has no arrays of arrays of different lengths.
  const engines = column('engines').map((names) => names && JSON.stringify(names));
  const { rows } = await db.query<{ videoId: string }>(sql`
    insert into moments (video_id, body, word_starts, engines, moment_count, lines, heard, looked, doubtful)
    select video_id, convert_to(body, 'UTF8'), word_starts,
           case when engines is not null then array(select jsonb_array_elements_text(engines)) end, count, lines, heard, looked, doubtful
      from unnest(${column('videoId')}::text[], ${column('body')}::text[], ${column('wordStarts')}::text[], ${engines}::jsonb[],
                  ${column('count')}::int[], ${column('lines')}::int[], ${column('heard')}::int[], ${column('looked')}::int[],
                  ${column('doubtful')}::int[])
           as r (video_id, body, word_starts, engines, count, lines, heard, looked, doubtful)
    on conflict (video_id) do update
       set body = excluded.body, word_starts = excluded.word_starts, engines = excluded.engines, moment_count = excluded.moment_count,
           lines = excluded.lines, heard = excluded.heard, looked = excluded.looked, doubtful = excluded.doubtful
     where (moments.body, moments.word_starts, moments.engines) is distinct from (excluded.body, excluded.word_starts, excluded.engines)
    returning video_id as "videoId"`);
  return rows.map(({ videoId }) => videoId);
}
