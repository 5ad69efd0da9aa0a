import type { CountedNetwork } from '#domain/networks/counted-networks.ts';
import { inTenths, namesItsVideo } from '#domain/search/match/in-tenths.ts';
import { withinLines } from '#domain/search/match/within-lines.ts';
import type { FoundVideo, SearchRequest } from '#domain/search/search-request.ts';
import type { HourlyBudget } from '../http/hourly-budget.ts';
import type { Reader } from './reader.ts';

/** To whom matches are told, and how many lines of a film they may collect. */
export interface Telling {
  readonly reader: Reader;
  readonly networks: readonly CountedNetwork[];
  readonly lines: { readonly budget: HourlyBudget; readonly perHour: number };
}

/** The found videos with the matches that may be told of at all; what is left out stays counted. */
export function tellMatches(results: readonly FoundVideo[], request: SearchRequest, telling: Telling): readonly FoundVideo[] {
  const { reader, networks, lines } = telling;
  if (reader.mayWatch) return results;
  switch (reader.reading) {
    case 'counts':
      return results;
    case 'locked':
      return namesItsVideo(request) ? results.map((found) => ({ ...found, matches: [] })) : inTenths(results);
    case 'words':
      return withinLines(results, {
        perHour: lines.perHour,
        mayShow: (videoId, numbers) => lines.budget({ networks, videoId, things: numbers }),
      });
  }
}
