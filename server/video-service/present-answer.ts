import { serverLimits } from '#contract/limits.ts';
import type { SearchExamples, SearchFacets } from '#contract/search-facets.ts';
import type { FilmMatches, NearestQuery, SearchResponse } from '#contract/video-service/answers.ts';
import type { CountedNetwork } from '#domain/networks/counted-networks.ts';
import { totalOf } from '#domain/search/match/count-matches.ts';
import type { MomentMatch } from '#domain/search/match/moment-match.ts';
import type { FilmMatches as FoundInFilm } from '#domain/search/match-film.ts';
import { parseQuery } from '#domain/search/query/parse-query.ts';
import type { FoundVideo, SearchAnswer, SearchRequest } from '#domain/search/search-request.ts';
import { presentPaging } from './paging.ts';
import { presentCounts } from './present-counts.ts';
import { presentMatch } from './present-matches.ts';
import { type Asked, type Presenting, presentVideo } from './present-video.ts';
import { type Reader, readsWords } from './reader.ts';

interface AskedPage extends Asked, Pick<SearchRequest, 'createdUntil'> {
  readonly skip: number;
}

/** An answer in the shape of the video service, built field by field for one reader. */
export function presentAnswer(answer: SearchAnswer, { skip, createdUntil, ...asked }: AskedPage, presenting: Presenting): SearchResponse {
  const { reader, secrets } = presenting;
  const { searchedFor, nearest, arrangedAmong } = answer;
  const results = answer.results.map((found) => presentVideo(found, asked, presenting));
  const isOffer = asked.form === 'choice' || (asked.form === 'suggestions' && !readsWords(reader));
  return {
    results: isOffer ? results.filter(({ searchMatches }) => searchMatches.length > 0) : results,
    nextPage: presentPaging(answer.nextPage, secrets, createdUntil),
    query: asked.texts.length > 1 ? [...asked.texts] : (asked.texts[0] ?? ''),
    skip,
    // Corrections and other spellings are words of the archive.
    ...(searchedFor && readsWords(reader) ? { searchedFor: { text: searchedFor.text, literally: searchedFor.literally } } : {}),
    ...(nearest && readsWords(reader) ? { nearest: nearest.map(presentNearest) } : {}),
    ...(arrangedAmong === undefined ? {} : { arrangedAmong }),
    ...(reader.reading === 'counts' || reader.reading === 'locked' ? { reading: reader.reading } : {}),
  };
}

function presentNearest({ text, videos, orMore }: NearestQuery): NearestQuery {
  return { text, videos, ...(orMore ? { orMore } : {}) };
}

/** What a search came to: its counts are for everybody, the names of who and what is in the videos for those who read words. */
export function presentFacets(
  { isAll, videos, kinds, lengths, playable, people, labels, brands }: SearchFacets,
  reader: Reader,
): SearchFacets {
  const named = (names: SearchFacets['people']) => (readsWords(reader) ? names.map((one) => ({ name: one.name, videos: one.videos })) : []);
  return {
    isAll,
    videos,
    kinds: presentCounts(kinds),
    lengths: lengths.map((one) => ({ length: one.length, videos: one.videos })),
    playable,
    people: named(people),
    labels: named(labels),
    brands: named(brands),
  };
}

/** Examples of what stands in titles are for everybody; the others quote what only some can read. */
export function presentExamples(examples: SearchExamples, reader: Reader): SearchExamples {
  const { title, otherTitle, phrase, id, said, written, person, brand, label } = examples;
  const words = readsWords(reader)
    ? { said, written, person, brand, label }
    : { said: null, written: null, person: null, brand: null, label: null };
  return { title, otherTitle, phrase, id, ...words };
}

/** The matches of one film for one reader: all of them for who reads words, and only how many there are for everybody else. */
export function presentFilmMatches({ matches, counts, searchedFor }: FoundInFilm, reader: Reader): FilmMatches {
  const reads = readsWords(reader);
  return {
    searchMatches: reads ? matches.map(presentFilmMatch) : [],
    searchMatchesTotal: totalOf(counts),
    searchMatchCounts: presentCounts(counts),
    ...(reads && searchedFor ? { searchedFor: { text: searchedFor.text, literally: searchedFor.literally } } : {}),
  };
}

function presentFilmMatch(match: MomentMatch): FilmMatches['searchMatches'][number] {
  return { ...presentMatch(match, undefined), ...(match.ofKind ? { lines: [...match.ofKind] } : {}) };
}

/** To whom matches are told, and how many lines of a film they may collect. */
export interface Telling {
  readonly reader: Reader;
  readonly networks: readonly CountedNetwork[];
  readonly lines: { readonly budget: LinesBudget; readonly perHour: number };
}

/** Whether these lines of a video, by their numbers, may be shown to these networks now; they count as shown from then on. */
type LinesBudget = (asked: { networks: readonly CountedNetwork[]; videoId: string; things: readonly number[] }) => boolean;

/** The found videos with the matches that may be told of at all; what is left out stays counted. */
export function tellMatches(results: readonly FoundVideo[], request: SearchRequest, telling: Telling): readonly FoundVideo[] {
  const { reader, networks, lines } = telling;
  if (reader.mayWatch) return results;
  switch (reader.reading) {
    case 'counts':
      return results;
    case 'locked':
      return namesItsVideo(request) ? results.map((found) => ({ ...found, matches: [] })) : toTenths(results);
    case 'words':
      return limitLines(results, {
        perHour: lines.perHour,
        mayShow: (videoId, numbers) => lines.budget({ networks, videoId, things: numbers }),
      });
  }
}

const parts = 10;

/**
 * Matches as they are told to somebody who is not told their words: in which tenth of the film, each kind once. A place to the second
 * would put the words of a dictionary into their order.
 */
function toTenths(results: readonly FoundVideo[]): FoundVideo[] {
  return results.map((found) => {
    const lengthMs = found.video.durationInSeconds * 1_000;
    const places = found.matches.map((match) => ({ ...match, startMs: tenthOf(match.startMs, lengthMs) }));
    return { ...found, matches: [...new Map(places.toReversed().map((one) => [`${one.kind} ${one.startMs}`, one])).values()].toReversed() };
  });
}

function tenthOf(startMs: number, lengthMs: number): number {
  if (lengthMs <= 0) return 0;
  const tenth = Math.min(parts - 1, Math.floor((startMs / lengthMs) * parts));
  return Math.floor((tenth * lengthMs) / parts / 1_000) * 1_000;
}

/** Whether a request names the video that it asks: by its id, or by a title that must be there. */
function namesItsVideo({ query, ids }: Pick<SearchRequest, 'query' | 'ids'>): boolean {
  if (ids !== undefined) return true;
  return query.some((text) => {
    // Numbers that are said twice, which are all that the languages tell apart here, leave less room for what names a video.
    const { ids: named, concepts } = parseQuery(text, { languages: [] });
    return named.length > 0 || concepts.some(({ anyOf, must }) => must && anyOf.every(({ field }) => field === 'title'));
  });
}

/** Whether these lines of a video may be shown now. */
type MayShowLines = (videoId: string, lines: readonly number[]) => boolean;

/**
 * Videos for somebody who may not watch them: of what was said and written the best lines, as far as they may be shown. The others
 * stay counted. Names, labels and titles are facts of a video and stay.
 */
function limitLines(results: readonly FoundVideo[], { mayShow, perHour }: { mayShow: MayShowLines; perHour: number }): FoundVideo[] {
  const perAnswer = Math.ceil(perHour / serverLimits.answersPerHourOfLines);
  const shown = new Map<string, number>();
  return results.map((found) => {
    const { id } = found.video;
    const matches = found.matches.filter(({ lines }) => {
      if (!lines) return true;
      const before = shown.get(id) ?? 0;
      if (before + lines.length > perAnswer || !mayShow(id, lines)) return false;
      shown.set(id, before + lines.length);
      return true;
    });
    return { ...found, matches, withheld: found.matches.length - matches.length };
  });
}
