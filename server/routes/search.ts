import { endpoints } from '#contract/endpoints.ts';
import { isMatchKind } from '#contract/match-kinds.ts';
import { Problem } from '#contract/problem.ts';
import type { SearchResponse } from '#contract/video-service/answers.ts';
import type { SearchVideosInput } from '#contract/video-service/input.ts';
import type { Narrowing } from '#domain/search/list/narrowing.ts';
import type { SearchTime } from '#domain/search/open-search.ts';
import { kindsInScopes } from '#domain/search/query/text-scope.ts';
import type { SearchAnswer, SearchRequest } from '#domain/search/search-request.ts';
import type { Secrets } from '#domain/tokens/secrets.ts';
import { dismissUnfound, listUnfound } from '#domain/unfound/unfound-queries.ts';
import { findByExternalId } from '#domain/videos/find-videos.ts';
import { findHiddenFilms } from '#domain/videos/visibility.ts';
import type { Context } from '../context.ts';
import type { Admitted } from '../http/access/caller.ts';
import { makeHourlyBudget } from '../http/rate-limits.ts';
import { type Asker, askerOf, type SearchQueue } from '../http/search-queue.ts';
import { type RouteHost, serve } from '../http/serve.ts';
import { readPaging } from '../video-service/paging.ts';
import {
  presentAnswer,
  presentExamples,
  presentFacets,
  presentFilmMatches,
  type Telling,
  tellMatches,
} from '../video-service/present-answer.ts';
import type { AnswerForm } from '../video-service/present-matches.ts';
import { type Reader, readerOf, readsRecords, readsWords, type SeeingReader } from '../video-service/reader.ts';
import { requireAccount, requireVideo } from '../video-service/video-path.ts';
import { VideoServiceProblem } from '../video-service/video-service-problem.ts';

/** Search and what it comes to, its older alias for the search box, and the list of every video for administrators. */
export function addSearchRoutes(host: RouteHost, inSearchQueue: SearchQueue): void {
  const { context } = host;
  const perHour = context.config.linesPerVideoHour;
  const lines = { budget: makeHourlyBudget(perHour), perHour };

  serve(host, endpoints.searchVideos, async (input, caller, { request }) => {
    requireAccount(context.config, input);
    const asker = askerOf(request);
    const found = await inSearchQueue(asker, 'search', (work) =>
      answerTo(context, { input, caller, asker, lines, form: 'videos' }, (asked) => context.search.answer(asked, { work })),
    );
    const query = soleQueryOf(input);
    if (query !== null) context.unfound.searched(query, found.results.length > 0);
    return found;
  });

  serve(host, endpoints.searchFacets, async (input, caller, { request }) => {
    requireAccount(context.config, input);
    const reader = await readerOf(context, caller);
    const asked = { ...readSearch(input, reader, context.secrets), hidden: await findHiddenFilms(context.pool, reader.sight) };
    return presentFacets(await inSearchQueue(askerOf(request), 'count', (work) => context.search.facets(asked, { work })), reader);
  });

  serve(host, endpoints.partnerSearch, ({ perKind, ...input }, caller, { request }) => {
    const asker = askerOf(request);
    const isChoice = perKind !== undefined && soleQueryOf(input) !== null;
    const find = (asked: SearchRequest, time: SearchTime) =>
      isChoice
        ? context.search.suggest({ query: asked.query, perKind, hidden: asked.hidden }, time)
        : context.search.answer({ ...asked, purpose: 'suggestions' }, time);
    const question = { input, caller, asker, lines, form: isChoice ? 'choice' : 'suggestions' } as const;
    return inSearchQueue(asker, 'search', (work) => answerTo(context, question, (asked) => find(asked, { work })));
  });

  serve(host, endpoints.filmMatches, async ({ query, id, ...path }, caller, { request }) => {
    requireAccount(context.config, path);
    const reader = await readerOf(context, caller);
    const { id: videoId } = await requireVideo(context.pool, id, reader.sight);
    const hidden = await findHiddenFilms(context.pool, reader.sight);
    const found = await inSearchQueue(askerOf(request), 'search', (work) => context.search.film({ videoId, query, hidden }, { work }));
    return presentFilmMatches(found, reader);
  });

  serve(host, endpoints.searchExamples, async (_input, caller, { request }) => {
    const reader = await readerOf(context, caller);
    const hidden = await findHiddenFilms(context.pool, reader.sight);
    const examples = await inSearchQueue(askerOf(request), 'search', (work) => context.search.examples({ hidden }, { work }));
    return presentExamples(examples, reader);
  });

  serve(host, endpoints.listVideos, (input, caller, { request }) => {
    requireAccount(context.config, input);
    const question = { input, caller, asker: askerOf(request), lines, form: 'videos' } as const;
    return answerTo(context, question, (asked) => context.search.answer({ ...asked, allStates: true, after: input.after }));
  });

  serve(host, endpoints.idByExternalId, async ({ externalId, ...path }) => {
    requireAccount(context.config, path);
    const found = await findByExternalId(context.pool, externalId);
    const [id, ...others] = found;
    if (id === undefined) throw new VideoServiceProblem('not_found', 'BREAKDOWN_NOT_FOUND', 'There is no video with this external id.');
    // A search lists those alone that play.
    if (others.length > 0) throw new Problem('conflict', `Several videos have this external id: ${found.slice(0, idsTold).join(', ')}.`);
    return id;
  });
}

const idsTold = 20;

interface Asking {
  readonly input: SearchInput;
  readonly caller: Admitted;
  readonly asker: Asker;
  readonly lines: Telling['lines'];
  readonly form: AnswerForm;
}

/** Asks what this caller may ask, and writes what is found for them as a reader. */
async function answerTo(
  context: Context,
  { input, caller, asker, lines, form }: Asking,
  find: (asked: SearchRequest) => Promise<SearchAnswer>,
): Promise<SearchResponse> {
  const { secrets, config } = context;
  const reader = await readerOf(context, caller);
  const asked = { ...readSearch(input, reader, secrets), hidden: await findHiddenFilms(context.pool, reader.sight) };
  const found = await find(asked);
  const results = tellMatches(found.results, asked, { reader, networks: asker.networks, lines });
  const presenting = { reader, secrets, accountId: config.videoService.accountId };
  const { query: texts, skip, createdUntil } = asked;
  return presentAnswer({ ...found, results }, { texts, skip, createdUntil, form }, presenting);
}

/** The older path has no location and account in it. */
type SearchInput = Omit<SearchVideosInput, 'location' | 'account'>;

/**
 * What is asked, as far as this reader may ask it: what they are not shown is no filter for them, as it could be guessed by what is
 * left. It is ignored rather than refused, so that a link that narrows still finds. Privacy and state are not taken from the caller:
 * what is found is private and processed.
 */
export function readSearch(input: SearchInput, reader: SeeingReader, secrets: Secrets): SearchRequest {
  const mayAsk = readsRecords(reader);
  return {
    query: input.query ?? [],
    ids: input.id,
    externalIds: mayAsk ? input.externalId : undefined,
    faces: readsWords(reader) ? input.face : undefined,
    owners: mayAsk ? input.owner : undefined,
    textScope: input.textScope,
    narrowing: narrowingOf(input, reader),
    ...readPaging(input, reader, secrets),
    // Whoever reads no words would learn of films what nobody has said in theirs.
    allowsMeaning: readsWords(reader),
    purpose: 'results',
  };
}

function narrowingOf(input: SearchInput, reader: Reader): Narrowing {
  const names = (texts: readonly string[] | undefined) => {
    const wanted = (readsWords(reader) ? (texts ?? []) : []).map((text) => text.trim()).filter((text) => text !== '');
    return wanted.length > 0 ? wanted : undefined;
  };
  return {
    sort: input.sort,
    kinds: kindsInScopes(input.textScope, input.matchKind?.filter(isMatchKind)),
    length: input.length,
    playable: input.playable && true,
    people: names(input.person),
    labels: names(input.label),
    brands: names(input.brand),
  };
}

/** Queries that failed visitors, for those who can do something about it; and how a page tells that one did not. */
export function addUnfoundRoutes(host: RouteHost): void {
  const { pool, unfound } = host.context;

  serve(host, endpoints.listUnfound, (page) => listUnfound(pool, page));

  serve(host, endpoints.dismissUnfound, async ({ text }, _caller, { reply }) => {
    // What waits in memory failed before this.
    await unfound.write();
    await dismissUnfound(pool, text);
    reply.code(204);
    return {};
  });

  serve(host, endpoints.searchOpened, ({ query }, _caller, { reply }) => {
    unfound.opened(query);
    reply.code(204);
    return {};
  });
}

/** What changes nothing about which videos are found, or says the same in every search. */
const changeNothing = new Set([
  'location',
  'account',
  'query',
  'state',
  'privacy',
  'language',
  'searchInPublicAccount',
  'pageSize',
  'skip',
]);

/** The query of somebody who asks for the first page by a query alone; null for every other search. */
export function soleQueryOf(input: Omit<SearchVideosInput, 'location' | 'account'>): string | null {
  const [query, ...others] = (input.query ?? []).filter((text) => text.trim() !== '');
  const isNarrowed = Object.entries(input).some(([name, value]) => value !== undefined && !changeNothing.has(name));
  return query === undefined || others.length > 0 || isNarrowed || (input.skip ?? 0) > 0 ? null : query;
}
