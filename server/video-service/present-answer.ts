import type { SearchExamples, SearchFacets } from '#contract/search-facets.ts';
import type { FilmMatches, NearestQuery, SearchResponse } from '#contract/video-service/answers.ts';
import type { FilmMatches as FoundInFilm } from '#domain/search/match/match-film.ts';
import type { MomentMatch } from '#domain/search/match/moment-match.ts';
import type { SearchAnswer } from '#domain/search/search-request.ts';
import { presentPaging } from './paging.ts';
import { presentCounts } from './present-counts.ts';
import { presentMatch } from './present-matches.ts';
import { type Asked, type Presenting, presentVideo } from './present-video.ts';
import { type Reader, readsWords } from './reader.ts';

/** An answer in the shape of the video service, built field by field for one reader. */
export function presentAnswer(answer: SearchAnswer, asked: Asked, presenting: Presenting): SearchResponse {
  const { reader, secrets } = presenting;
  const { searchedFor, nearest, arrangedAmong } = answer;
  const results = answer.results.map((found) => presentVideo(found, asked, presenting));
  const isOffer = asked.form === 'choice' || (asked.form === 'suggestions' && !readsWords(reader));
  return {
    results: isOffer ? results.filter(({ searchMatches }) => searchMatches.length > 0) : results,
    nextPage: presentPaging(answer.nextPage, secrets),
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
export function presentFilmMatches({ matches, matchesTotal, counts, searchedFor }: FoundInFilm, reader: Reader): FilmMatches {
  const reads = readsWords(reader);
  return {
    searchMatches: reads ? matches.map(presentFilmMatch) : [],
    searchMatchesTotal: matchesTotal,
    searchMatchCounts: presentCounts(counts),
    ...(reads && searchedFor ? { searchedFor: { text: searchedFor.text, literally: searchedFor.literally } } : {}),
  };
}

function presentFilmMatch(match: MomentMatch): FilmMatches['searchMatches'][number] {
  return { ...presentMatch(match, undefined), ...(match.ofKind ? { lines: [...match.ofKind] } : {}) };
}
