import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { limits } from '#contract/limits.ts';
import { Problem } from '#contract/problem.ts';
import type { Bucket, Price } from '#contract/route.ts';
import { countedNetworks } from '#domain/networks/counted-networks.ts';
import type { Config } from '../config.ts';
import { queryText, queryTexts } from './request-text.ts';
import { routeOf } from './route-of.ts';
import { searchPrice } from './search-price.ts';
import { type TokenBuckets, tokenBuckets } from './token-bucket.ts';

/** A refusal comes this late: whoever asks again at once, over every connection that they may have, keeps nobody busy with refusing. */
export const refusedAfterMs = 250;

/** The refusal for who asks too often, by address and by token, so that neither many tokens nor many addresses get around it. */
export function limitRates(config: Config): (request: FastifyRequest) => Problem | undefined {
  const buckets: Record<Bucket, TokenBuckets> = {
    search: tokenBuckets(config.rateLimits.search),
    thumbnails: tokenBuckets(config.rateLimits.thumbnails),
    tokens: tokenBuckets(config.rateLimits.tokens),
  };
  return (request) => {
    const route = routeOf(request);
    // A route that takes from no bucket says why in its row.
    if (!route || typeof route.rate === 'object') return undefined;
    const token = tokenKey(request);
    const payers = [...countedNetworks(request.ip), ...(token === '' ? [] : [{ name: token, shares: 1 }])];
    const retryAfterSeconds = buckets[route.rate](payers, priceOf(request, route.price));
    if (retryAfterSeconds === 0) return undefined;
    return new Problem('rate_limited', `Too many requests. Try again in ${retryAfterSeconds} s.`, { retryAfterSeconds });
  };
}

const arranging = ['sort', 'matchKind', 'length', 'person', 'label', 'brand'];

/** A search is charged by what it takes, everything else by what its row says. */
function priceOf(request: FastifyRequest, price: Price = 1): number {
  if (typeof price === 'number') return price;
  return searchPrice({
    texts: queryTexts(request, 'query'),
    skip: wholeNumber(queryText(request, 'skip')),
    pageSize: Math.min(limits.pageSizeMax, wholeNumber(queryText(request, 'pageSize'))),
    isSurveyed: price === 'count' || arranging.some((name) => queryTexts(request, name).length > 0),
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
