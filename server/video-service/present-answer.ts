import type { NearestQuery, SearchResponse } from '#contract/video-service.ts';
import type { SearchAnswer } from '#domain/search/search-request.ts';
import { presentPaging } from './paging.ts';
import { type Asked, type Presenting, presentVideo } from './present-video.ts';
import { readsWords } from './reader.ts';

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
