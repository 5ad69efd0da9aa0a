import { limits } from '#contract/limits.ts';
import { type FilmCodes, filmCodes } from '../../search-index/film-codes.ts';
import type { FilmRecord } from '../../search-index/film-record.ts';
import { SearchTurn } from '../../turns/search-turn.ts';
import type { Video } from '../../videos/video.ts';
import type { SearchRun } from '../search-parts.ts';
import { type FoundMoments, findMoments } from './find-moments.ts';
import type { Answering } from './found-video.ts';
import type { ShownLine } from './match-start.ts';
import type { MomentMatch } from './moment-match.ts';
import { readShown, type WantedLines } from './read-shown.ts';

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
  readonly found: FoundMoments;
  readonly lines: ReadonlyMap<number, ShownLine>;
}

/**
 * The videos that can be seen among these, in their order, matched. Films are matched as the index holds them, and only the lines that are
 * shown are read; one that has changed since is matched by its packed row.
 */
export async function matchVideos(
  { pool, index, deadline }: Pick<SearchRun, 'pool' | 'index' | 'deadline'>,
  ids: readonly string[],
  { answering, accepts, limit = limits.matchesPerVideoMax }: Showing,
): Promise<MatchedVideo[]> {
  const turn = new SearchTurn(deadline.work);
  const known = new Map<string, Pick<MatchedVideo, 'film' | 'found'>>();
  const wanted: WantedLines[] = [];
  const films = await index.films(ids, { work: deadline.work });
  for (const [n, id] of ids.entries()) {
    // A hundred films with thousands of matches each would hold everybody up for a second.
    if (turn.isOver) await turn.next();
    const film = films[n];
    const found = film && findMoments(film, answering, { limit, accepts });
    if (film && found) known.set(id, { film, found });
    wanted.push(film && found ? wantedLines(id, film, found) : { id, revision: -1, lines: [], starts: [] });
  }
  const videos: MatchedVideo[] = [];
  for (const { video, lines, packed } of await readShown({ pool }, wanted)) {
    if (turn.isOver) await turn.next();
    const asIndexed = packed === undefined ? known.get(video.id) : undefined;
    const film = asIndexed?.film ?? filmCodes(video, packed ?? '');
    videos.push({ video, film, lines, found: asIndexed?.found ?? findMoments(film, answering, { limit, accepts }) });
  }
  return videos;
}

/** The lines that show what was found. */
function wantedLines(id: string, { revision, places }: FilmRecord, { moments }: FoundMoments): WantedLines {
  const numbers = new Set(moments.flatMap(({ line, shows }) => shows?.lines ?? [line]));
  return { id, revision, lines: [...numbers].sort((a, b) => a - b), starts: numbers.size > 0 ? places().starts : [] };
}
