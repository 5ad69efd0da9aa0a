import { availableParallelism } from 'node:os';
import { endpoints } from '#contract/endpoints.ts';
import { limits } from '#contract/limits.ts';
import { isMatchKind } from '#contract/match-kinds.ts';
import type { SearchItem, SearchResponse } from '#contract/video-service.ts';
import type { SearchVideosInput } from '#contract/video-service-input.ts';
import type { Narrowing } from '#domain/search/narrowing.ts';
import { pickExamples } from '#domain/search/pick-examples.ts';
import { presentAnswer } from '#domain/search/present-answer.ts';
import { searchFacets } from '#domain/search/search-facets.ts';
import type { SearchRequest } from '#domain/search/search-request.ts';
import { searchVideos } from '#domain/search/search-videos.ts';
import { suggest } from '#domain/search/suggest.ts';
import { withholdNames, withholdQuotes, withholdWords } from '#domain/search/withhold-words.ts';
import type { Context } from '../context.ts';
import type { Admitted } from '../http/admit.ts';
import { inTurns } from '../http/in-turns.ts';
import { plainQuery } from '../http/plain-query.ts';
import { type Reading, readingOf } from '../http/reading.ts';
import { type Site, serve } from '../http/serve.ts';
import { requireAccount } from '../http/video-path.ts';

/** One search keeps the processor that it runs on and LanceDB's busy in turn: a few more than there are fill them. */
const searchesAtOnce = availableParallelism() + 2;

/** The video service's page size when the caller names none. */
const defaultPageSize = 25;

/** Search and what it comes to, its older alias for the search box, and the list of every video for administrators. */
export function searchRoutes(site: Site): void {
  const { context } = site;
  const turn = inTurns(searchesAtOnce);

  serve(site, endpoints.searchVideos, async (input, caller) => {
    requireAccount(context.config, input);
    const found = await turn(() => answer(context, caller, (reading) => searchRequest(input, caller, reading)));
    const query = plainQuery(input);
    if (query !== null) context.unfound.searched(query, found.results.length > 0);
    return found;
  });

  serve(site, endpoints.searchFacets, async (input, caller) => {
    requireAccount(context.config, input);
    const reading = await readingOf(context, caller);
    const facets = await searchFacets(context, searchRequest(input, caller, reading));
    return reading === 'words' ? facets : withholdNames(facets);
  });

  serve(site, endpoints.partnerSearch, ({ perKind, ...input }, caller) => {
    const isTyping = plainQuery(input) !== null;
    const requestFor = (reading: Reading): SearchRequest => ({
      ...searchRequest(input, caller, reading),
      purpose: 'suggestions',
      perKind: isTyping ? perKind : undefined,
    });
    return turn(() => answer(context, caller, requestFor));
  });

  serve(site, endpoints.searchExamples, async (_input, caller) => {
    const examples = await pickExamples(context);
    return (await readingOf(context, caller)) === 'words' ? examples : withholdQuotes(examples);
  });

  serve(site, endpoints.listVideos, (input, caller) => {
    requireAccount(context.config, input);
    return answer(context, caller, (reading) => ({ ...searchRequest(input, caller, reading), allStates: true }));
  });
}

/** Privacy and state are not taken from the caller: what is found is private and processed. */
function searchRequest(input: Omit<SearchVideosInput, 'location' | 'account'>, caller: Admitted, reading: Reading): SearchRequest {
  return {
    query: input.query ?? [],
    ids: input.id,
    // A name that only administrators are shown is not to be guessed either.
    externalIds: caller.adminFields || !input.externalId ? input.externalId : [],
    // Ignored rather than refused for those who are not shown the names: a link that narrows still finds.
    faces: reading === 'words' ? input.face : undefined,
    owners: input.owner,
    textScope: input.textScope,
    narrowing: narrowingOf(input, reading),
    createdAfter: input.createdAfter ? new Date(input.createdAfter) : undefined,
    createdBefore: input.createdBefore ? new Date(input.createdBefore) : undefined,
    skip: input.skip ?? 0,
    pageSize: Math.min(input.pageSize ?? defaultPageSize, limits.pageSizeMax),
    purpose: 'results',
  };
}

/** Names narrow nothing for those who are not shown them: else they could be guessed by what is left. */
function narrowingOf(input: Omit<SearchVideosInput, 'location' | 'account'>, reading: Reading): Narrowing {
  const names = (texts: readonly string[] | undefined) => {
    const wanted = (reading === 'words' ? (texts ?? []) : []).map((text) => text.trim()).filter((text) => text !== '');
    return wanted.length > 0 ? wanted : undefined;
  };
  return {
    sort: input.sort,
    kinds: input.matchKind?.filter(isMatchKind),
    length: input.length,
    people: names(input.person),
    labels: names(input.label),
    brands: names(input.brand),
  };
}

async function answer(context: Context, caller: Admitted, requestFor: (reading: Reading) => SearchRequest): Promise<SearchResponse> {
  const { secrets, config } = context;
  const reading = await readingOf(context, caller);
  const request = requestFor(reading);
  const found = await (request.perKind === undefined ? searchVideos(context, request) : suggest(context, request));
  const { accountId } = config.videoService;
  const whole = presentAnswer(found, { secrets, accountId, caller: caller.callerId, adminFields: caller.adminFields });
  const response = request.perKind === undefined ? whole : { ...whole, results: whole.results.map(withoutTotals) };
  return reading === 'words' ? response : withholdWords(response, { reading, asked: request.query, purpose: request.purpose });
}

/** Suggestions are a choice of a video's matches; nobody has counted the others. */
function withoutTotals({ searchMatchesTotal: _total, searchMatchCounts: _counts, ...item }: SearchItem): SearchItem {
  return item;
}
