import type { CountedNetwork } from '#domain/networks/counted-networks.ts';
import { inTenths, namesItsVideo } from '#domain/search/match/in-tenths.ts';
import { withinLines } from '#domain/search/match/within-lines.ts';
import type { FoundVideo, SearchRequest } from '#domain/search/search-request.ts';
import type { HourlyBudget } from './hourly-budget.ts';
import type { Reading } from './reading.ts';

/** For whom an answer is told, and what they may see of it. */
export interface Telling {
  readonly reading: Reading;
  /** Whoever may watch a film collects nothing by its lines. */
  readonly mayWatch: boolean;
  readonly networks: readonly CountedNetwork[];
  readonly lines: { readonly budget: HourlyBudget; readonly perHour: number };
}

/** The found videos with the matches that may be told; what is left out stays counted. */
export function toldAnswer(results: readonly FoundVideo[], request: SearchRequest, telling: Telling): readonly FoundVideo[] {
  const { reading, mayWatch, networks, lines } = telling;
  if (mayWatch) return results;
  switch (reading) {
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
