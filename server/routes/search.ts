import { endpoints } from '#contract/endpoints.ts';
import type { SearchItem, SearchResponse } from '#contract/video-service.ts';
import { pickExamples } from '#domain/search/pick-examples.ts';
import { presentAnswer } from '#domain/search/present-answer.ts';
import { searchFacets } from '#domain/search/search-facets.ts';
import type { SearchRequest } from '#domain/search/search-request.ts';
import { searchVideos } from '#domain/search/search-videos.ts';
import { suggest } from '#domain/search/suggest.ts';
import { withholdNames, withholdQuotes, withholdWords } from '#domain/search/withhold-words.ts';
import type { Context } from '../context.ts';
import type { Admitted } from '../http/admit.ts';
import { askerOf, type InTurns } from '../http/in-turns.ts';
import { plainQuery } from '../http/plain-query.ts';
import { readSearch } from '../http/read-search.ts';
import { type Reading, readingOf } from '../http/reading.ts';
import { type Site, serve } from '../http/serve.ts';
import { requireAccount } from '../http/video-path.ts';

/** Search and what it comes to, its older alias for the search box, and the list of every video for administrators. */
export function searchRoutes(site: Site, turn: InTurns): void {
  const { context } = site;

  serve(site, endpoints.searchVideos, async (input, caller, { request }) => {
    requireAccount(context.config, input);
    const found = await turn(askerOf(request), 'search', () =>
      answer(context, caller, { requestFor: (reading) => readSearch(input, caller, reading) }),
    );
    const query = plainQuery(input);
    if (query !== null) context.unfound.searched(query, found.results.length > 0);
    return found;
  });

  serve(site, endpoints.searchFacets, async (input, caller, { request }) => {
    requireAccount(context.config, input);
    const reading = await readingOf(context, caller);
    const facets = await turn(askerOf(request), 'count', () => searchFacets(context, readSearch(input, caller, reading)));
    return reading === 'words' ? facets : withholdNames(facets);
  });

  serve(site, endpoints.partnerSearch, ({ perKind, ...input }, caller, { request }) => {
    const isTyping = plainQuery(input) !== null;
    const requestFor = (reading: Reading): SearchRequest => ({ ...readSearch(input, caller, reading), purpose: 'suggestions' });
    return turn(askerOf(request), 'search', () => answer(context, caller, { requestFor, perKind: isTyping ? perKind : undefined }));
  });

  serve(site, endpoints.searchExamples, async (_input, caller, { request }) => {
    const examples = await turn(askerOf(request), 'search', () => pickExamples(context));
    return (await readingOf(context, caller)) === 'words' ? examples : withholdQuotes(examples);
  });

  serve(site, endpoints.listVideos, (input, caller) => {
    requireAccount(context.config, input);
    return answer(context, caller, { requestFor: (reading) => ({ ...readSearch(input, caller, reading), allStates: true }) });
  });
}

/** With `perKind` so many titles, people, brands and moments each at most, in place of a page of videos. */
async function answer(
  context: Context,
  caller: Admitted,
  { requestFor, perKind }: { requestFor: (reading: Reading) => SearchRequest; perKind?: number | undefined },
): Promise<SearchResponse> {
  const { secrets, config } = context;
  const reading = await readingOf(context, caller);
  const request = requestFor(reading);
  const found = await (perKind === undefined ? searchVideos(context, request) : suggest(context, { query: request.query, perKind }));
  const { accountId } = config.videoService;
  const whole = presentAnswer(found, { secrets, accountId, caller: caller.callerId, adminFields: caller.adminFields });
  const response = perKind === undefined ? whole : { ...whole, results: whole.results.map(withoutTotals) };
  return reading === 'words' ? response : withholdWords(response, { reading, asked: request.query, purpose: request.purpose });
}

/** Suggestions are a choice of a video's matches; nobody has counted the others. */
function withoutTotals({ searchMatchesTotal: _total, searchMatchCounts: _counts, ...item }: SearchItem): SearchItem {
  return item;
}
