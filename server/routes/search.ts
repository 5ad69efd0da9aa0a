import { endpoints } from '#contract/endpoints.ts';
import { limits } from '#contract/limits.ts';
import type { SearchResponse } from '#contract/video-service.ts';
import type { SearchVideosInput } from '#contract/video-service-input.ts';
import { pickExamples } from '#domain/search/pick-examples.ts';
import { presentAnswer } from '#domain/search/present-answer.ts';
import type { SearchRequest } from '#domain/search/search-request.ts';
import { searchVideos } from '#domain/search/search-videos.ts';
import type { Context } from '../context.ts';
import type { Admitted } from '../http/admit.ts';
import { plainQuery } from '../http/plain-query.ts';
import { type Site, serve } from '../http/serve.ts';
import { requireAccount } from '../http/video-path.ts';

/** The video service's page size when the caller names none. */
const defaultPageSize = 25;

/** Search, its older alias for the search box, and the list of every video for administrators. */
export function searchRoutes(site: Site): void {
  const { context } = site;

  serve(site, endpoints.searchVideos, async (input, caller) => {
    requireAccount(context.config, input);
    const found = await answer(context, caller, searchRequest(input, caller));
    const query = plainQuery(input);
    if (query !== null) context.unfound.searched(query, found.results.length > 0);
    return found;
  });

  serve(site, endpoints.partnerSearch, (input, caller) =>
    answer(context, caller, { ...searchRequest(input, caller), purpose: 'suggestions' }),
  );

  serve(site, endpoints.searchExamples, () => pickExamples(context));

  serve(site, endpoints.listVideos, (input, caller) => {
    requireAccount(context.config, input);
    return answer(context, caller, { ...searchRequest(input, caller), allStates: true });
  });
}

/** Privacy and state are not taken from the caller: what is found is private and processed. */
function searchRequest(input: Omit<SearchVideosInput, 'location' | 'account'>, caller: Admitted): SearchRequest {
  return {
    query: input.query ?? [],
    ids: input.id,
    // A name that only administrators are shown is not to be guessed either.
    externalIds: caller.adminFields || !input.externalId ? input.externalId : [],
    faces: input.face,
    owners: input.owner,
    textScope: input.textScope,
    createdAfter: input.createdAfter ? new Date(input.createdAfter) : undefined,
    createdBefore: input.createdBefore ? new Date(input.createdBefore) : undefined,
    skip: input.skip ?? 0,
    pageSize: Math.min(input.pageSize ?? defaultPageSize, limits.pageSizeMax),
    purpose: 'results',
  };
}

async function answer({ pool, index, secrets, config }: Context, caller: Admitted, request: SearchRequest): Promise<SearchResponse> {
  const found = await searchVideos({ pool, index }, request);
  const { accountId } = config.videoService;
  return presentAnswer(found, { secrets, accountId, caller: caller.callerId, adminFields: caller.adminFields });
}
