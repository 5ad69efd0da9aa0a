import { endpoints } from '#contract/endpoints.ts';
import type { SearchItem, SearchResponse } from '#contract/video-service.ts';
import { pickExamples } from '#domain/search/pick-examples.ts';
import { presentAnswer } from '#domain/search/present-answer.ts';
import { searchFacets } from '#domain/search/search-facets.ts';
import type { SearchRequest } from '#domain/search/search-request.ts';
import { searchVideos } from '#domain/search/search-videos.ts';
import { suggest } from '#domain/search/suggest.ts';
import { withholdNames, withholdQuotes, withholdWords } from '#domain/search/withhold-words.ts';
import type { SearchWork } from '#domain/turns/search-turn.ts';
import type { Context } from '../context.ts';
import type { Admitted } from '../http/access/caller.ts';
import { hourlyBudget } from '../http/hourly-budget.ts';
import { type Asker, askerOf, type InTurns } from '../http/in-turns.ts';
import { plainQuery } from '../http/plain-query.ts';
import { readSearch } from '../http/read-search.ts';
import { mayWatch, type Reading, readingOf } from '../http/reading.ts';
import { type Site, serve } from '../http/serve.ts';
import { type Telling, toldAnswer } from '../http/told-answer.ts';
import { requireAccount } from '../http/video-path.ts';

/** Search and what it comes to, its older alias for the search box, and the list of every video for administrators. */
export function searchRoutes(site: Site, turn: InTurns): void {
  const { context } = site;
  const { secrets } = context;
  const perHour = context.config.linesPerVideoHour;
  const lines = { budget: hourlyBudget(perHour), perHour };

  serve(site, endpoints.searchVideos, async (input, caller, { request }) => {
    requireAccount(context.config, input);
    const asker = askerOf(request);
    const requestFor = (reading: Reading) => readSearch(input, caller, { reading, secrets });
    const found = await turn(asker, 'search', (work) => answer(context, caller, { work, asker, lines, requestFor }));
    const query = plainQuery(input);
    if (query !== null) context.unfound.searched(query, found.results.length > 0);
    return found;
  });

  serve(site, endpoints.searchFacets, async (input, caller, { request }) => {
    requireAccount(context.config, input);
    const reading = await readingOf(context, caller);
    const asked = readSearch(input, caller, { reading, secrets });
    const facets = await turn(askerOf(request), 'count', (work) => searchFacets({ ...context, work }, asked));
    return reading === 'words' ? facets : withholdNames(facets);
  });

  serve(site, endpoints.partnerSearch, ({ perKind, ...input }, caller, { request }) => {
    const asker = askerOf(request);
    const isTyping = plainQuery(input) !== null;
    const requestFor = (reading: Reading) => ({ ...readSearch(input, caller, { reading, secrets }), purpose: 'suggestions' }) as const;
    return turn(asker, 'search', (work) =>
      answer(context, caller, { work, asker, lines, requestFor, perKind: isTyping ? perKind : undefined }),
    );
  });

  serve(site, endpoints.searchExamples, async (_input, caller, { request }) => {
    const examples = await turn(askerOf(request), 'search', (work) => pickExamples({ ...context, work }));
    return (await readingOf(context, caller)) === 'words' ? examples : withholdQuotes(examples);
  });

  serve(site, endpoints.listVideos, (input, caller, { request }) => {
    requireAccount(context.config, input);
    const requestFor = (reading: Reading) => ({ ...readSearch(input, caller, { reading, secrets }), allStates: true });
    return answer(context, caller, { asker: askerOf(request), lines, requestFor });
  });
}

interface Asked {
  readonly asker: Asker;
  readonly work?: SearchWork | undefined;
  readonly lines: Telling['lines'];
  readonly requestFor: (reading: Reading) => SearchRequest;
  /** So many titles, people, brands and moments each at most, in place of a page of videos. */
  readonly perKind?: number | undefined;
}

async function answer(context: Context, caller: Admitted, { asker, work, lines, requestFor, perKind }: Asked): Promise<SearchResponse> {
  const { secrets, config } = context;
  const { accountId } = config.videoService;
  const reading = await readingOf(context, caller);
  const request = requestFor(reading);
  const found = await (perKind === undefined
    ? searchVideos({ ...context, work }, request)
    : suggest({ ...context, work }, { query: request.query, perKind }));
  const telling = { reading, mayWatch: await mayWatch(context, caller), networks: asker.networks, lines };
  const results = toldAnswer(found.results, request, telling);
  const told = perKind === undefined ? results : results.filter(({ matches }) => matches.length > 0);
  const audience = { secrets, accountId, caller: caller.callerId, adminFields: caller.adminFields };
  const whole = presentAnswer({ ...found, results: told }, audience);
  const response = perKind === undefined ? whole : { ...whole, results: whole.results.map(withoutTotals) };
  return reading === 'words' ? response : withholdWords(response, { reading, asked: request.query, purpose: request.purpose });
}

/** Suggestions are a choice of a video's matches; nobody has counted the others. */
function withoutTotals({
  searchMatchesTotal: _total,
  searchMatchesWithheld: _withheld,
  searchMatchCounts: _counts,
  ...item
}: SearchItem): SearchItem {
  return item;
}
