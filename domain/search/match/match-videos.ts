import { limits } from '#contract/limits.ts';
import { type FilmCodes, filmCodesOf } from '../../search-index/film-codes.ts';
import { filmText } from '../../search-index/film-text.ts';
import { SearchTurn } from '../../turns/search-turn.ts';
import type { Video } from '../../videos/video.ts';
import type { SearchRun } from '../search-parts.ts';
import { type FoundMoments, findMoments } from './find-moments.ts';
import type { Answering } from './found-video.ts';
import type { ShownLine } from './match-start.ts';
import type { MomentMatch } from './moment-match.ts';
import { readShown } from './read-shown.ts';

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
  const known = new Map<string, Omit<MatchedVideo, 'video' | 'lines'>>();
  const wanted = [];
  const films = await index.films(ids, deadline.work);
  for (const [n, id] of ids.entries()) {
    // A hundred films with thousands of matches each would hold everybody up for a second.
    if (turn.isOver) await turn.next();
    const { revision, ...film } = films[n] ?? { revision: -1, ...filmCodesOf(filmText('')) };
    const found = findMoments(film, answering, { limit, accepts });
    known.set(id, { film, found });
    wanted.push({ id, revision, lines: linesShown(found), places: film.places() });
  }
  const videos: MatchedVideo[] = [];
  for (const { video, lines, packed } of await readShown({ pool }, wanted)) {
    if (turn.isOver) await turn.next();
    const asIndexed = packed === undefined ? known.get(video.id) : undefined;
    const film = asIndexed?.film ?? filmCodesOf(filmText(packed ?? ''));
    videos.push({ video, film, lines, found: asIndexed?.found ?? findMoments(film, answering, { limit, accepts }) });
  }
  return videos;
}

function linesShown({ moments }: FoundMoments): number[] {
  return [...new Set(moments.flatMap(({ line, shows }) => shows?.lines ?? [line]))].sort((a, b) => a - b);
}
