import { endpoints } from '#contract/endpoints.ts';
import type { SearchResponse } from '#contract/video-service/answers.ts';
import type { SearchTime } from '#domain/search/open-search.ts';
import type { SearchAnswer, SearchRequest } from '#domain/search/search-request.ts';
import { findHiddenFilms } from '#domain/videos/visibility.ts';
import type { Context } from '../context.ts';
import type { Admitted } from '../http/access/caller.ts';
import { hourlyBudget } from '../http/hourly-budget.ts';
import { plainQuery } from '../http/request-text.ts';
import { type Asker, askerOf, type SearchQueue } from '../http/search-queue.ts';
import { type Site, serve } from '../http/serve.ts';
import { presentAnswer, presentExamples, presentFacets, presentFilmMatches } from '../video-service/present-answer.ts';
import type { AnswerForm } from '../video-service/present-matches.ts';
import { readSearch, type SearchInput } from '../video-service/read-search.ts';
import { readerOf } from '../video-service/reader.ts';
import { type Telling, tellMatches } from '../video-service/tell-matches.ts';
import { requireAccount, requireVideo } from '../video-service/video-path.ts';

/** Search and what it comes to, its older alias for the search box, and the list of every video for administrators. */
export function searchRoutes(site: Site, queued: SearchQueue): void {
  const { context } = site;
  const perHour = context.config.linesPerVideoHour;
  const lines = { budget: hourlyBudget(perHour), perHour };

  serve(site, endpoints.searchVideos, async (input, caller, { request }) => {
    requireAccount(context.config, input);
    const asker = askerOf(request);
    const found = await queued(asker, 'search', (work) =>
      answerTo(context, { input, caller, asker, lines, form: 'videos' }, (asked) => context.search.answer(asked, { work })),
    );
    const query = plainQuery(input);
    if (query !== null) context.unfound.searched(query, found.results.length > 0);
    return found;
  });

  serve(site, endpoints.searchFacets, async (input, caller, { request }) => {
    requireAccount(context.config, input);
    const reader = await readerOf(context, caller);
    const asked = { ...readSearch(input, reader, context.secrets), hidden: await findHiddenFilms(context.pool, reader.sight) };
    return presentFacets(await queued(askerOf(request), 'count', (work) => context.search.facets(asked, { work })), reader);
  });

  serve(site, endpoints.partnerSearch, ({ perKind, ...input }, caller, { request }) => {
    const asker = askerOf(request);
    const isChoice = perKind !== undefined && plainQuery(input) !== null;
    const find = (asked: SearchRequest, time: SearchTime) =>
      isChoice
        ? context.search.suggest({ query: asked.query, perKind, hidden: asked.hidden }, time)
        : context.search.answer({ ...asked, purpose: 'suggestions' }, time);
    const question = { input, caller, asker, lines, form: isChoice ? 'choice' : 'suggestions' } as const;
    return queued(asker, 'search', (work) => answerTo(context, question, (asked) => find(asked, { work })));
  });

  serve(site, endpoints.filmMatches, async ({ query, id, ...path }, caller, { request }) => {
    requireAccount(context.config, path);
    const reader = await readerOf(context, caller);
    const { id: videoId } = await requireVideo(context.pool, id, reader.sight);
    const found = await queued(askerOf(request), 'search', (work) => context.search.film({ videoId, query }, { work }));
    return presentFilmMatches(found, reader);
  });

  serve(site, endpoints.searchExamples, async (_input, caller, { request }) => {
    const reader = await readerOf(context, caller);
    const hidden = await findHiddenFilms(context.pool, reader.sight);
    const examples = await queued(askerOf(request), 'search', (work) => context.search.examples({ hidden }, { work }));
    return presentExamples(examples, reader);
  });

  serve(site, endpoints.listVideos, (input, caller, { request }) => {
    requireAccount(context.config, input);
    const question = { input, caller, asker: askerOf(request), lines, form: 'videos' } as const;
    return answerTo(context, question, (asked) => context.search.answer({ ...asked, allStates: true }));
  });
}

interface Question {
  readonly input: SearchInput;
  readonly caller: Admitted;
  readonly asker: Asker;
  readonly lines: Telling['lines'];
  readonly form: AnswerForm;
}

/** Asks what this caller may ask, and writes what is found for them as a reader. */
async function answerTo(
  context: Context,
  { input, caller, asker, lines, form }: Question,
  find: (asked: SearchRequest) => Promise<SearchAnswer>,
): Promise<SearchResponse> {
  const { secrets, config } = context;
  const reader = await readerOf(context, caller);
  const asked = { ...readSearch(input, reader, secrets), hidden: await findHiddenFilms(context.pool, reader.sight) };
  const found = await find(asked);
  const results = tellMatches(found.results, asked, { reader, networks: asker.networks, lines });
  const presenting = { reader, secrets, accountId: config.videoService.accountId };
  return presentAnswer({ ...found, results }, { texts: asked.query, form }, presenting);
}
