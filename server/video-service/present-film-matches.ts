import type { FilmMatches } from '#contract/video-service.ts';
import type { FilmMatches as FoundInFilm } from '#domain/search/match/match-film.ts';
import type { MomentMatch } from '#domain/search/match/moment-match.ts';
import { presentCounts } from './present-counts.ts';
import { presentMatch } from './present-matches.ts';
import { type Reader, readsWords } from './reader.ts';

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
