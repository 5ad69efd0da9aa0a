import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { endpoints } from '#contract/endpoints.ts';
import { limits } from '#contract/limits.ts';
import { Problem } from '#contract/problem.ts';
import { rawRoutes } from '#contract/raw-routes.ts';
import { countedNetworks } from '#domain/networks/counted-networks.ts';
import type { Config } from '../config.ts';
import { queryText, queryTexts } from './request-text.ts';
import { searchPrice } from './search-price.ts';
import { tokenBuckets } from './token-bucket.ts';

// The list of all videos is not among them: it is for administrators, whose table fetches hundreds of pages in a row.
const limited: Readonly<Record<string, keyof Config['rateLimits']>> = {
  [endpoints.searchVideos.path]: 'search',
  [endpoints.searchFacets.path]: 'search',
  [endpoints.partnerSearch.path]: 'search',
  [endpoints.videoIndex.path]: 'search',
  [rawRoutes.captions.path]: 'search',
  [endpoints.searchExamples.path]: 'search',
  [endpoints.searchOpened.path]: 'search',
  [rawRoutes.suggestions.path]: 'search',
  [rawRoutes.feed.path]: 'search',
  [rawRoutes.thumbnail.path]: 'thumbnails',
  [rawRoutes.poster.path]: 'thumbnails',
  [endpoints.accountToken.path]: 'tokens',
  [endpoints.videoToken.path]: 'tokens',
  [endpoints.userBearer.path]: 'tokens',
  // Whoever is signed in can call these without a role, and each leaves something behind or reads much.
  [endpoints.setOwnName.path]: 'tokens',
  [endpoints.setOwnNote.path]: 'tokens',
  [rawRoutes.accountExport.path]: 'tokens',
  [endpoints.sendSignInLink.path]: 'tokens',
  [endpoints.signInLink.path]: 'tokens',
  [rawRoutes.popupSignIn.path]: 'tokens',
  [rawRoutes.redirectSignIn.path]: 'tokens',
};

/** A refusal comes this late: whoever asks again at once, over every connection that they may have, keeps nobody busy with refusing. */
export const refusedAfterMs = 250;

/** The refusal for who asks too often, by address and by token, so that neither many tokens nor many addresses get around it. */
export function limitRates(config: Config): (request: FastifyRequest) => Problem | undefined {
  const buckets = {
    search: tokenBuckets(config.rateLimits.search),
    thumbnails: tokenBuckets(config.rateLimits.thumbnails),
    tokens: tokenBuckets(config.rateLimits.tokens),
  };
  return (request) => {
    const name = limited[request.routeOptions.url ?? ''];
    if (!name) return undefined;
    const token = tokenKey(request);
    const payers = [...countedNetworks(request.ip), ...(token === '' ? [] : [{ name: token, shares: 1 }])];
    const retryAfterSeconds = buckets[name](payers, priceOf(request));
    if (retryAfterSeconds === 0) return undefined;
    return new Problem('rate_limited', `Too many requests. Try again in ${retryAfterSeconds} s.`, { retryAfterSeconds });
  };
}

const searched = new Set<string>([endpoints.searchVideos.path, endpoints.partnerSearch.path, rawRoutes.suggestions.path]);
/** Examples are tried out, each by a search. */
const examplesPrice = 10;
const arranging = ['sort', 'matchKind', 'length', 'person', 'label', 'brand'];

/** A search is charged by what it takes; everything else costs one. */
function priceOf(request: FastifyRequest): number {
  const path = request.routeOptions.url ?? '';
  if (path === endpoints.searchExamples.path) return examplesPrice;
  const isCounted = path === endpoints.searchFacets.path;
  if (!isCounted && !searched.has(path)) return 1;
  return searchPrice({
    texts: queryTexts(request, 'query'),
    skip: wholeNumber(queryText(request, 'skip')),
    pageSize: Math.min(limits.pageSizeMax, wholeNumber(queryText(request, 'pageSize'))),
    isSurveyed: isCounted || arranging.some((name) => queryTexts(request, name).length > 0),
  });
}

/** 0 for what is none: it is refused, or left out. */
function wholeNumber(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}

/** Only a hash, so that the memory of this process holds no list of tokens. */
function tokenKey(request: FastifyRequest): string {
  const token = request.headers.authorization ?? queryText(request, 'accessToken');
  return token && createHash('sha256').update(token).digest('base64url');
}
