import { z } from 'zod';
import { endpoints } from '#contract/endpoints.ts';
import { Problem } from '#contract/problem.ts';
import { routes } from '#contract/routes.ts';
import type { SearchResponse } from '#contract/video-service/answers.ts';
import type { SearchRequest } from '#domain/search/search-request.ts';
import { mintVideoToken } from '#domain/tokens/video-token.ts';
import type { AzureService } from '../azure/azure-service.ts';
import type { Admitted } from '../http/access/caller.ts';
import { makeHourlyBudget } from '../http/rate-limits.ts';
import { askerOf } from '../http/search-queue.ts';
import { type RouteHost, serve, serveRaw } from '../http/serve.ts';
import { presentAnswer, tellMatches } from '../video-service/present-answer.ts';
import { presentIndex } from '../video-service/present-index.ts';
import type { AnswerForm } from '../video-service/present-matches.ts';
import { readerOf } from '../video-service/reader.ts';
import { requireAccount, VideoPath } from '../video-service/video-path.ts';
import { bearerOf } from './account.ts';
import { readSearch, soleQueryOf } from './search.ts';

/** The calls that pages make of the video service, where the films lie at Azure: they come to this server, which asks there with its own token. */
export function addAzureRoutes(host: RouteHost, azure: AzureService): void {
  const { context } = host;
  const { config, secrets, unfound } = context;
  const perHour = config.linesPerVideoHour;
  const lines = { budget: makeHourlyBudget(perHour), perHour };
  const { accountId } = config.videoService;

  type Asking = Pick<SearchRequest, 'allStates'> & { readonly form: AnswerForm; readonly caller: Admitted; readonly asked: Asked };
  const answer = async ({ form, caller, asked, allStates }: Asking): Promise<SearchResponse> => {
    const reader = await readerOf(context, caller);
    // Editors keep nothing there: what they are not shown is no filter for them.
    const wanted = { ...readSearch(asked.input, { ...reader, sight: 'viewer' }, secrets), ...(allStates ? { allStates } : {}) };
    const found = await azure.search(wanted);
    const results = tellMatches(found.answer.results, wanted, { reader, networks: askerOf(asked.request).networks, lines });
    const told = presentAnswer(
      { ...found.answer, results },
      { texts: wanted.query, skip: wanted.skip, form },
      { reader, secrets, accountId },
    );
    return { ...told, results: told.results.map((one) => ({ ...one, thumbnailId: found.pictures.get(one.id) ?? one.thumbnailId })) };
  };

  serve(host, endpoints.searchVideos, async (input, caller, { request }) => {
    requireAccount(config, input);
    const found = await answer({ form: 'videos', caller, asked: { input, request } });
    const query = soleQueryOf(input);
    if (query !== null) unfound.searched(query, found.results.length > 0);
    return found;
  });

  serve(host, endpoints.partnerSearch, ({ perKind: _perKind, ...input }, caller, { request }) =>
    answer({ form: 'suggestions', caller, asked: { input, request } }),
  );

  serve(host, endpoints.listVideos, (input, caller, { request }) => {
    requireAccount(config, input);
    return answer({ form: 'videos', caller, asked: { input, request }, allStates: true });
  });

  serve(host, endpoints.videoIndex, async (input, caller) => {
    requireAccount(config, input);
    // Scripts edit at the service itself.
    if (!caller.video) throw new Problem('forbidden', 'This needs the token of the video.');
    const { video, moments, thumbnailId } = await azure.index(input.id);
    const speech = { speechMs: [], noTranscript: null, noMeaning: null };
    const nothingElse = { shots: [], speech, keywords: [], placedTexts: [], faces: [], isSummarized: false };
    const index = presentIndex({ video, moments, ...nothingElse }, { reader: await readerOf(context, caller), secrets, accountId });
    return { ...index, videos: index.videos.map((one) => ({ ...one, thumbnailId: thumbnailId ?? one.thumbnailId })) };
  });

  serve(host, endpoints.videoToken, async ({ id }, caller) => {
    const { user, sid } = bearerOf(caller);
    // First what the service opens: an id that is none has no token here either.
    const widgetToken = await azure.widgetToken(id);
    const accessToken = await mintVideoToken(secrets, { videoId: id, uid: user.uid, sid, authVersion: user.authVersion });
    return { accessToken, widgetToken };
  });

  serveRaw(host, routes.thumbnail, async (caller, { request, reply }) => {
    const { id: videoId, thumbnailId, ...path } = VideoPath.extend({ thumbnailId: z.string() }).parse(request.params);
    requireAccount(config, path);
    const { mayWatch } = await readerOf(context, caller);
    const picture = await azure.picture({ videoId, thumbnailId, mayWatch: mayWatch && caller.video !== undefined });
    return reply.header('cache-control', 'private, max-age=86400').type('image/jpeg').send(picture);
  });
}

interface Asked {
  readonly input: Parameters<typeof readSearch>[0];
  readonly request: Parameters<typeof askerOf>[0];
}
