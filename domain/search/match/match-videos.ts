import { limits } from '#contract/limits.ts';
import { eachRow } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { readWanted, toWantedColumns, unpackWanted, type WantedLines, type WantedRow } from '../../moments/packed-row.ts';
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
  const wanted: LinesToShow[] = [];
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
function chooseLines(id: string, { revision, lineOffsets }: FilmRecord, { moments }: MatchedMoments): LinesToShow {
  const numbers = new Set(moments.flatMap(({ line, shows }) => shows?.lines ?? [line]));
  return { id, revision, lines: [...numbers].sort((a, b) => a - b), starts: numbers.size > 0 ? lineOffsets().starts : [] };
}

/** The lines of a film that are to be shown, if it still is of this revision. */
interface LinesToShow extends WantedLines {
  readonly id: string;
  readonly revision: number;
}

/** A video with lines of it, by their numbers. */
interface ShownVideo {
  readonly video: Video;
  readonly lines: ReadonlyMap<number, ShownLine>;
  /** The packed row, where the film is of another revision; then all its lines are there. */
  readonly packed: string | undefined;
}

/**
 * The videos that can be seen among these, in their order, with the lines that are shown: one statement, which gives the whole row of a
 * film that has changed.
 */
async function readShown({ pool }: Pick<SearchRun, 'pool'>, wanted: readonly LinesToShow[]): Promise<ShownVideo[]> {
  if (wanted.length === 0) return [];
  const { lines: numbers, starts, lengths } = toWantedColumns(wanted);
  const { columns, join } = readWanted(sql`v.revision <> wanted.revision`);
  // Named: every search asks it, so it is planned once per connection. Lateral, so that it goes by key, video by video: after
  // a large import the planner knows too little, and would read all videos.
  const statement = sql`
    select ${videoColumns}, wanted.rank, ${columns}
      from unnest(${wanted.map(({ id }) => id)}::text[], ${wanted.map(({ revision }) => revision)}::bigint[],
                  ${numbers}::text[], ${starts}::text[], ${lengths}::text[])
           with ordinality as wanted (id, revision, lines, starts, lengths, rank)
     cross join lateral (select * from videos where id = wanted.id limit 1) v ${join}
     where v.state = 'Processed'
     order by wanted.rank`;
  const videos: ShownVideo[] = [];
  await askInTime(statement, (timed) =>
    // What is passed on as the video holds no line of it: not everybody may read them all.
    eachRow<ShownRow>(pool, { name: 'search-page', ...timed }, ({ rank, packed, wordStarts, shown, shownStarts, ...video }) => {
      const lines = unpackWanted({ packed, wordStarts, shown, shownStarts }, wanted[rank - 1] ?? noLines);
      videos.push({ video, lines, packed: packed ?? undefined });
    }),
  );
  return videos;
}

const noLines: WantedLines = { lines: [], starts: [] };

interface ShownRow extends Video, WantedRow {
  /** From 1. */
  readonly rank: number;
}
