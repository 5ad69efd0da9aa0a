import { eachRow } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { packedBody } from '../../moments/packed-row.ts';
import { CodeRoom } from '../../search-index/code-room.ts';
import { type FilmCodes, makeFilmCodes } from '../../search-index/films/film-codes.ts';
import { isPlayable, nameColumns, type Video } from '../../videos/video.ts';
import type { SearchRun } from '../search-parts.ts';
import { askInTime } from '../search-statement.ts';
import type { HeadOfVideo } from './head-matches.ts';

/** What decides whether and how often a video matches, and what it is arranged and narrowed by. */
export interface VideoFacts extends HeadOfVideo, Pick<Video, 'id' | 'durationInSeconds'> {
  readonly createdMs: number;
  readonly film: FilmCodes;
  /** Whether there is something to play of it in this archive. */
  readonly isPlayable: boolean;
}

/** Films whose facts are in memory at a time. */
export const factsAtOnceMax = 50;

/**
 * The facts of the videos with these ids that can be seen, in the order of the ids. Packed rows are read only of films that the index does
 * not hold as they are. The films stand in `room`.
 */
export async function readFacts(
  { pool, index, deadline }: Pick<SearchRun, 'pool' | 'index' | 'deadline'>,
  ids: readonly string[],
  room = new CodeRoom(),
): Promise<VideoFacts[]> {
  if (ids.length === 0) return [];
  const films = await index.films(ids, { work: deadline.work, room });
  // Named: planned once per connection. Lateral, so that it goes by key, video by video: after a large import the planner knows
  // too little, and would read all videos.
  const statement = sql`
    select v.name, v.description, v.place, v.recorded_at as "recordedAt", v.owner, v.language, ${nameColumns},
           v.duration_seconds as "durationInSeconds", extract(epoch from v.created_at)::float8 * 1000 as "createdMs", wanted.rank,
           ${isPlayable} as "isPlayable",
           case when v.revision <> wanted.revision then ${packedBody} end as packed
      from unnest(${ids}::text[], ${films.map((film) => film?.revision ?? -1)}::bigint[]) with ordinality as wanted (id, revision, rank)
     cross join lateral (select * from videos where id = wanted.id limit 1) v
     where v.state = 'Processed'
     order by wanted.rank`;
  const videos: VideoFacts[] = [];
  await askInTime(statement, (timed) =>
    eachRow<FactsRow>(pool, { name: 'search-facts', ...timed }, (row) => {
      const film = row.packed === null ? films[row.rank - 1] : undefined;
      // The id that was given: what is kept of the answer has it already.
      videos.push(Object.assign(row, { id: ids[row.rank - 1] ?? '', film: film ?? makeFilmCodes(row, row.packed ?? '') }));
    }),
  );
  return videos;
}

interface FactsRow extends Omit<VideoFacts, 'id' | 'film'> {
  /** From 1. */
  readonly rank: number;
  /** Null where the index holds the film as it is. */
  readonly packed: string | null;
}
