import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { limits } from '#contract/limits.ts';
import { arrangingParameters } from '#contract/narrowing.ts';
import { Problem } from '#contract/problem.ts';
import type { Bucket, Price } from '#contract/route.ts';
import { type CountedNetwork, countedNetworksOf } from '#domain/networks/counted-networks.ts';
import { parseQuery } from '#domain/search/query/parse-query.ts';
import type { QueryTerm } from '#domain/search/query/query.ts';
import { isStopWord, knownLanguages } from '#domain/words/languages/languages.ts';
import type { Config, RateLimit } from '../config.ts';
import { queryTexts, readQueryText } from './request-text.ts';
import { routeOf } from './route-of.ts';

/** A refusal comes this late: whoever asks again at once, over every connection that they may have, keeps nobody busy with refusing. */
export const refusedAfterMs = 250;

/** The refusal for who asks too often, by address and by token, so that neither many tokens nor many addresses get around it. */
export function limitRates(config: Config): (request: FastifyRequest) => Problem | undefined {
  const buckets: Record<Bucket, TokenBuckets> = {
    search: makeTokenBuckets(config.rateLimits.search),
    thumbnails: makeTokenBuckets(config.rateLimits.thumbnails),
    tokens: makeTokenBuckets(config.rateLimits.tokens),
  };
  return (request) => {
    const route = routeOf(request);
    // A route that takes from no bucket says why in its row.
    if (!route || typeof route.rate === 'object') return undefined;
    const token = tokenKeyOf(request);
    const payers = [...countedNetworksOf(request.ip), ...(token === '' ? [] : [{ name: token, shares: 1 }])];
    const retryAfterSeconds = buckets[route.rate](payers, priceOf(request, route.price));
    if (retryAfterSeconds === 0) return undefined;
    return new Problem('rate_limited', `Too many requests. Try again in ${retryAfterSeconds} s.`, { retryAfterSeconds });
  };
}

/** A search is charged by what it takes, everything else by what its row says. */
function priceOf(request: FastifyRequest, price: Price = 1): number {
  if (typeof price === 'number') return price;
  return searchPrice({
    texts: queryTexts(request, 'query'),
    skip: parseWholeNumber(readQueryText(request, 'skip')),
    pageSize: Math.min(limits.pageSizeMax, parseWholeNumber(readQueryText(request, 'pageSize'))),
    isSurveyed: price === 'count' || isArranged(request),
  });
}

/** Scopes leave films out as filters do; an empty one is none. */
function isArranged(request: FastifyRequest): boolean {
  if (queryTexts(request, 'textScope').some((scope) => scope.trim() !== '')) return true;
  return arrangingParameters.some((name) => queryTexts(request, name).length > 0);
}

/** 0 for what is none: it is refused, or left out. */
function parseWholeNumber(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}

/** Only a hash, so that the memory of this process holds no list of tokens. */
function tokenKeyOf(request: FastifyRequest): string {
  const token = request.headers.authorization ?? readQueryText(request, 'accessToken');
  return token && createHash('sha256').update(token).digest('base64url');
}

/** What a search is charged by. */
interface PricedSearch {
  /** Every text that was sent, also one that says what another says. */
  readonly texts: readonly string[];
  readonly skip: number;
  readonly pageSize: number;
  /** Whether the whole answer has to be surveyed: for an order, for filters, or to be counted. */
  readonly isSurveyed: boolean;
}

/** What each of these adds to the 1 that every search costs. It stands in docs/operations.md, too. */
const prices = {
  furtherText: 2,
  /** Films have to be read to be left out, up to a thousand of them. */
  anyCondition: 4,
  eachCondition: 1,
  phraseOfStopWords: 2,
  survey: 8,
  wordsPerOne: 10,
  skippedPerOne: 50,
  pagePerOne: 25,
} as const;

/** How many plain searches a search counts as. */
export function searchPrice({ texts, skip, pageSize, isSurveyed }: PricedSearch): number {
  const asked = texts.filter((text) => text.trim() !== '');
  const furtherTexts = Math.max(0, asked.length - 1) * prices.furtherText;
  const ofTexts = asked.reduce((sum, text) => sum + priceOfText(text), 0);
  const ofPage = Math.floor(skip / prices.skippedPerOne) + Math.floor(Math.max(0, pageSize - 1) / prices.pagePerOne);
  return 1 + furtherTexts + ofTexts + ofPage + (isSurveyed ? prices.survey : 0);
}

/** A price is named before the archive is asked anything: a phrase costs what it would where any of the languages is spoken. */
const languages = knownLanguages;

function priceOfText(text: string): number {
  const { concepts, not } = readOrNothing(text);
  const terms = concepts.flatMap(({ anyOf }) => anyOf);
  const conditions = concepts.filter(({ must }) => must).length + not.length;
  const phrases = [...terms, ...not].filter(isPhraseOfStopWords).length;
  return (
    (conditions > 0 ? prices.anyCondition + conditions * prices.eachCondition : 0) +
    phrases * prices.phraseOfStopWords +
    Math.floor(terms.length / prices.wordsPerOne)
  );
}

/** What is too long to be read is refused without being searched for. */
function readOrNothing(text: string): Pick<ReturnType<typeof parseQuery>, 'concepts' | 'not'> {
  try {
    return parseQuery(text, { languages });
  } catch {
    return { concepts: [], not: [] };
  }
}

function isPhraseOfStopWords({ tokens }: QueryTerm): boolean {
  return tokens.length > 1 && tokens.every((token) => isStopWord(token, languages));
}

/** Whose bucket pays, and how many buckets' worth theirs holds. */
interface Payer {
  readonly name: string;
  readonly shares: number;
}

/** Takes the price of a request from all who pay for it. Says 0 when it may pass now, else after how many seconds it may; then nobody has paid. */
type TokenBuckets = (payers: readonly Payer[], price?: number) => number;

const bucketsMax = 100_000;

/** A bucket per name that holds `burst` and refills at `perMinute`. What costs more than a full bucket costs a full one. */
export function makeTokenBuckets({ perMinute, burst }: RateLimit, now: () => number = Date.now): TokenBuckets {
  const buckets = new Map<string, { left: number; at: number }>();
  const perMs = perMinute / 60_000;
  return (payers, price = 1) => {
    const at = now();
    const asked = payers.map(({ name, shares }) => {
      const known = buckets.get(name);
      const left = known ? Math.min(burst * shares, known.left + (at - known.at) * perMs * shares) : burst * shares;
      const due = Math.max(1, Math.min(price, burst));
      const waitMs = left >= due ? 0 : (due - left) / (perMs * shares);
      return { name, left, due, waitMs };
    });
    const waitMs = Math.max(0, ...asked.map((one) => one.waitMs));
    for (const { name, left, due } of asked) {
      // Whoever was heard of longest ago is forgotten first.
      buckets.delete(name);
      if (buckets.size >= bucketsMax) buckets.delete(buckets.keys().next().value ?? '');
      buckets.set(name, { left: waitMs > 0 ? left : left - due, at });
    }
    return waitMs > 0 ? Math.max(1, Math.ceil(waitMs / 1_000)) : 0;
  };
}

const anHourMs = 3_600_000;
/** What is remembered of everybody together: about a hundred megabytes at most. */
const thingsMax = 1_000_000;

/** What somebody would see of one video: things by their numbers, all of them or none. */
interface AskedOf {
  readonly networks: readonly CountedNetwork[];
  readonly videoId: string;
  readonly things: readonly number[];
}

/** Whether these things of a video may be shown to these networks now. What was shown within the hour is free. */
type HourlyBudget = (asked: AskedOf) => boolean;

interface Hour {
  readonly until: number;
  readonly things: Set<number>;
}

/**
 * Different things of one video that one network sees within an hour, at most `perHour`: who searches sees what was found; who asks
 * for one word after another does not put the film together.
 */
export function makeHourlyBudget(perHour: number, now: () => number = Date.now): HourlyBudget {
  const hours = new Map<string, Hour>();
  let remembered = 0;
  const forget = (key: string, { things }: Hour) => {
    hours.delete(key);
    remembered -= things.size;
  };
  return ({ networks, videoId, things }) => {
    const at = now();
    // Those that began first stand first, and end first.
    for (const [key, hour] of hours) {
      if (hour.until > at && remembered <= thingsMax) break;
      forget(key, hour);
    }
    const asked = networks.map(({ name, shares }) => {
      const key = `${name} ${videoId}`;
      const hour = hours.get(key) ?? { until: at + anHourMs, things: new Set<number>() };
      const fresh = things.filter((thing) => !hour.things.has(thing));
      return { key, hour, fresh, isWithin: fresh.length === 0 || hour.things.size + fresh.length <= perHour * shares };
    });
    if (!asked.every(({ isWithin }) => isWithin)) return false;
    for (const { key, hour, fresh } of asked) {
      for (const thing of fresh) hour.things.add(thing);
      remembered += fresh.length;
      hours.set(key, hour);
    }
    return true;
  };
}
