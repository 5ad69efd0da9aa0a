import { limits } from '#contract/limits.ts';
import { eachRow } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { bodyText, unpackMoments } from '../../moments/packed-moments.ts';
import { SearchTimeSlice } from '../../scheduling/search-time-slice.ts';
import type { CodeRoom } from '../../search-index/code-room.ts';
import { type FilmCodes, makeFilmCodes } from '../../search-index/films/film-codes.ts';
import type { FilmRecord } from '../../search-index/films/film-record.ts';
import { type Video, videoColumns } from '../../videos/video.ts';
import type { SearchRun } from '../search-parts.ts';
import { askInTime } from '../search-statement.ts';
import type { Answering } from './answering.ts';
import { type MatchedMoments, matchLines } from './match-lines.ts';
import type { ShownLine } from './match-start.ts';
import type { MomentMatch } from './moment-match.ts';

/*
 * This room alone decides which lines, names and titles answer a plan, and where in them. Films are matched by the codes of their words;
 * texts are read only for what is shown. The way of a film: match-videos.ts, match-lines.ts, found-video.ts.
 */

/** What of a video is shown: by what it is found, in which kinds, and how many matches; as many as a card gets where nothing is said. */
export interface Showing {
  readonly answering: Answering;
  readonly accepts: (kind: MomentMatch['kind']) => boolean;
  readonly limit?: number;
}

/** A video with what answers in its film, and the lines that show it. */
export interface MatchedVideo {
  readonly video: Video;
  readonly film: FilmCodes;
  readonly found: MatchedMoments;
  readonly lines: ReadonlyMap<number, ShownLine>;
  /** Whether the index holds the film as it is now. */
  readonly isAsIndexed: boolean;
}

/**
 * The videos that can be seen among these, in their order, matched. Films are matched as the index holds them, and only the lines that are
 * shown are read; one that has changed since is matched by its packed row. The films stand in `room`.
 */
export async function matchVideos(
  { pool, index, deadline }: Pick<SearchRun, 'pool' | 'index' | 'deadline'>,
  ids: readonly string[],
  { answering, accepts, limit = limits.matchesPerVideoMax, room }: Showing & { readonly room?: CodeRoom },
): Promise<MatchedVideo[]> {
  const slice = new SearchTimeSlice(deadline.work);
  const known = new Map<string, Pick<MatchedVideo, 'film' | 'found'>>();
  const wanted: WantedLines[] = [];
  const films = await index.films(ids, { work: deadline.work, ...(room ? { room } : {}) });
  for (const [n, id] of ids.entries()) {
    // A hundred films with thousands of matches each would hold everybody up for a second.
    if (slice.isOver) await slice.next();
    const film = films[n];
    const found = film && matchLines(film, answering, { limit, accepts });
    if (film && found) known.set(id, { film, found });
    wanted.push(film && found ? chooseLines(id, film, found) : { id, revision: -1, lines: [], starts: [] });
  }
  const videos: MatchedVideo[] = [];
  for (const { video, lines, packed } of await readShown({ pool }, wanted)) {
    if (slice.isOver) await slice.next();
    const asIndexed = packed === undefined ? known.get(video.id) : undefined;
    const film = asIndexed?.film ?? makeFilmCodes(video, packed ?? '');
    const isAsIndexed = asIndexed !== undefined;
    videos.push({ video, film, lines, isAsIndexed, found: asIndexed?.found ?? matchLines(film, answering, { limit, accepts }) });
  }
  return videos;
}

/** The lines that show what was found. */
function chooseLines(id: string, { revision, lineOffsets }: FilmRecord, { moments }: MatchedMoments): WantedLines {
  const numbers = new Set(moments.flatMap(({ line, shows }) => shows?.lines ?? [line]));
  return { id, revision, lines: [...numbers].sort((a, b) => a - b), starts: numbers.size > 0 ? lineOffsets().starts : [] };
}

/** The lines of a film that are to be shown, if it still is of this revision. */
interface WantedLines {
  readonly id: string;
  readonly revision: number;
  /** Their numbers in the packed row, in order. */
  readonly lines: readonly number[];
  /** Where the lines of the row begin, in bytes; one more tells where the next would. */
  readonly starts: ArrayLike<number>;
}

/** A video with lines of it, by their numbers. */
interface ShownVideo {
  readonly video: Video;
  readonly lines: ReadonlyMap<number, ShownLine>;
  /** The packed row, where the film is of another revision; then all its lines are there. */
  readonly packed: string | undefined;
}

/** PostgreSQL reads so much of a stored row, in one piece, in the time that it takes for a line of it. */
const bytesReadAsFastAsLine = 6_000;

/**
 * The videos that can be seen among these, in their order, with the lines that are shown: one statement, which gives the whole row of a
 * film that has changed.
 */
async function readShown({ pool }: Pick<SearchRun, 'pool'>, wanted: readonly WantedLines[]): Promise<ShownVideo[]> {
  if (wanted.length === 0) return [];
  const arrayOf = (numbers: readonly number[]) => `{${numbers.join()}}`;
  const startsOf = ({ lines, starts }: WantedLines) => lines.map((line) => starts[line] ?? 0);
  const lengthsOf = ({ lines, starts }: WantedLines) => lines.map((line) => (starts[line + 1] ?? 0) - (starts[line] ?? 0) - 1);
  // Named: every search asks it, so it is planned once per connection. Lateral, so that it goes by key, video by video: after
  // a large import the planner knows too little, and would read all videos. Of a row that is stored as it is only the lines are read, each by
  // itself while they are few.
  const statement = sql`
    select ${videoColumns}, wanted.rank,
           case when v.revision <> wanted.revision then coalesce(${bodyText}, '') end as packed,
           case when v.revision <> wanted.revision then m.word_starts end as "wordStarts",
           (select convert_from(string_agg(substring(m.body from line.start + 1 for line.length), '\\x0a' order by line.start), 'UTF8')
              from unnest(wanted.starts::int[], wanted.lengths::int[]) as line (start, length)) as shown,
           case when m.starts_of_lines is not null
                then (select string_agg(m.starts_of_lines[line.number + 1], E'\\n' order by line.number)
                        from unnest(wanted.lines::int[]) as line (number)) end as "shownStarts"
      from unnest(${wanted.map(({ id }) => id)}::text[], ${wanted.map(({ revision }) => revision)}::bigint[],
                  ${wanted.map(({ lines }) => arrayOf(lines))}::text[], ${wanted.map((one) => arrayOf(startsOf(one)))}::text[],
                  ${wanted.map((one) => arrayOf(lengthsOf(one)))}::text[])
           with ordinality as wanted (id, revision, lines, starts, lengths, rank)
     cross join lateral (select * from videos where id = wanted.id limit 1) v
      left join lateral (
        select word_starts,
               case when octet_length(body) < ${bytesReadAsFastAsLine} * cardinality(wanted.lines::int[]) then body || '' else body end as body,
               case when v.revision = wanted.revision and wanted.lines <> '{}' then string_to_array(word_starts, E'\\n') end as starts_of_lines
          from moments where video_id = v.id limit 1) m on true
     where v.state = 'Processed'
     order by wanted.rank`;
  const videos: ShownVideo[] = [];
  await askInTime(statement, (timed) =>
    // What is passed on as the video holds no line of it: not everybody may read them all.
    eachRow<ShownRow>(pool, { name: 'search-page', ...timed }, ({ rank, packed, wordStarts, shown, shownStarts, ...video }) => {
      const numbers = wanted[rank - 1]?.lines ?? [];
      const lines =
        packed === null
          ? unpackMoments(shown ?? '', { wordStarts: shownStarts }).map((line, n) => [numbers[n] ?? 0, line] as const)
          : [...unpackMoments(packed, { wordStarts }).entries()];
      videos.push({ video, lines: new Map(lines), packed: packed ?? undefined });
    }),
  );
  return videos;
}

interface ShownRow extends Video {
  /** From 1. */
  readonly rank: number;
  /** Null where the film is of the wanted revision. */
  readonly packed: string | null;
  readonly wordStarts: string | null;
  /** The lines as the row has them, and their word starts. */
  readonly shown: string | null;
  readonly shownStarts: string | null;
}
