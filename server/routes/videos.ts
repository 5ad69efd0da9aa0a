/*
 * Routes: a file for each noun puts up the rows of contract/routes.ts that are about it, and does no more than ask the domain and give the answer on.
 * Who may call and what it costs is settled before (../http), how the video service words an answer behind (../video-service). Here: films and their steps.
 */
import { z } from 'zod';
import { endpoints } from '#contract/endpoints.ts';
import { Problem } from '#contract/problem.ts';
import { routes } from '#contract/routes.ts';
import type { VideoIndex } from '#contract/video-service/answers.ts';
import { captionTypes, writeCaptionText } from '#domain/moments/captions.ts';
import { findNamesByEditors } from '#domain/moments/corrections.ts';
import { findMoments, linesAround } from '#domain/moments/find-moments.ts';
import { findKeywordsOf, findPlacedTexts, findShots } from '#domain/moments/layers.ts';
import { deletedKeptDaysFor, deleteFilm, listDeletedFilms, restoreFilm } from '#domain/videos/deletions.ts';
import { findLines, listFilms } from '#domain/videos/desk/desk-films.ts';
import { eraseFilm } from '#domain/videos/erase-film.ts';
import { requireKnownVideo, requireShownVideo } from '#domain/videos/find-videos.ts';
import { retryFootage } from '#domain/videos/footage.ts';
import { findFaces } from '#domain/videos/people/name-person.ts';
import { findSpeech } from '#domain/videos/speech-of-film.ts';
import { cancelStepOf, listSteps, runStepAgain, runStepForAll, selectBelowVersion, skipStepOf } from '#domain/videos/steps.ts';
import type { Video } from '#domain/videos/video.ts';
import { findVisibility, listKeptBack, setVisibility, sightOf } from '#domain/videos/visibility.ts';
import type { Context } from '../context.ts';
import { byOf } from '../http/access/session-of.ts';
import { type RouteHost, serve, serveRaw } from '../http/serve.ts';
import { presentIndex } from '../video-service/present-index.ts';
import { type Reader, readerOf } from '../video-service/reader.ts';
import { requireAccount, requireFilm, requireVideo, VideoPath } from '../video-service/video-path.ts';
import { withJobs } from '../with-jobs.ts';

const CaptionsQuery = z.object({
  format: z
    .string()
    .toLowerCase()
    .pipe(z.enum(['vtt', 'srt', 'txt']))
    .default('vtt'),
});

/** What is known of one video: its index document and its captions; and another try for one that failed. */
export function addVideoRoutes(host: RouteHost): void {
  const { context } = host;
  const { config, pool, store } = context;

  serve(host, endpoints.videoIndex, async (input, caller) => {
    requireAccount(config, input);
    const reader = await readerOf(context, caller);
    // A script waits for its film by looking how far it is.
    const video = caller.video ? await requireVideo(pool, input.id, reader.sight) : await requireFilm(pool, input.id);
    return await indexOf(context, video, { reader, isSummarized: input.includeSummarizedInsights === 'true' });
  });

  serve(host, endpoints.linesAround, async ({ id, type, atMs, ...path }, caller) => {
    requireAccount(config, path);
    const video = await requireVideo(pool, id, (await readerOf(context, caller)).sight);
    const { before, after } = linesAround(await findMoments(pool, video.id), { kind: type, atMs });
    return { before, after: [...after] };
  });

  serve(host, endpoints.filmFacts, async ({ id }, { user }) => {
    const { description, recordedAt, place, language, rights } = await requireShownVideo(pool, id, sightOf(user?.roles));
    return { description, recordedAt, place, language, rights };
  });

  serve(host, endpoints.retryVideo, async ({ id }, _caller, { reply }) => {
    await requireKnownVideo(pool, id);
    await withJobs(context, (queue) => retryFootage({ pool, store, queue }, id));
    reply.code(202);
    return {};
  });

  serveRaw(host, routes.captions, async ({ user, video: ofToken }, { request, reply }) => {
    const path = VideoPath.parse(request.params);
    requireAccount(config, path);
    const query = CaptionsQuery.safeParse(request.query);
    if (!query.success) throw new Problem('invalid_parameter', 'format must be Vtt, Srt or Txt.');
    const video = ofToken ? await requireVideo(pool, path.id, sightOf(user?.roles)) : await requireFilm(pool, path.id);
    const { format } = query.data;
    return reply.type(`${captionTypes[format]}; charset=utf-8`).send(writeCaptionText(await findMoments(pool, video.id), format));
  });
}

/** The index document of a film, as far as it is told to this reader. */
export async function indexOf(
  { pool, secrets, config }: Context,
  video: Video,
  { reader, isSummarized }: { reader: Reader; isSummarized: boolean },
): Promise<VideoIndex> {
  const [moments, shots, speech, keywords, placedTexts, faces, byEditors] = await Promise.all([
    findMoments(pool, video.id),
    findShots(pool, video.id),
    findSpeech(pool, video),
    findKeywordsOf(pool, video.id),
    findPlacedTexts(pool, video.id),
    findFaces(pool, video.id),
    findNamesByEditors(pool, video.id),
  ]);
  const presenting = { reader, secrets, accountId: config.videoService.accountId };
  return presentIndex({ video, moments, shots, speech, keywords, placedTexts, faces, byEditors, isSummarized }, presenting);
}

/** Films as editors look for them, and what they say. */
export function addFilmRoutes(host: RouteHost): void {
  const { pool } = host.context;
  serve(host, endpoints.listFilms, (asked) => listFilms(pool, asked));
  serve(host, endpoints.findLines, (asked) => findLines(pool, asked));
}

/** Deleting films, bringing them back, and erasing them before their time. */
export function addDeletionRoutes(host: RouteHost): void {
  const { pool, store, config } = host.context;

  serve(host, endpoints.deleteFilm, async ({ id, ...deleting }, caller, { request, reply }) => {
    await deleteFilm(pool, { videoId: id, ...deleting, ...byOf(caller, request) });
    reply.code(204);
    return {};
  });

  serve(host, endpoints.listDeletions, ({ after }) => listDeletedFilms(pool, { keptDays: deletedKeptDaysFor(config), after }));

  serve(host, endpoints.restoreFilm, async ({ id }, caller, { request, reply }) => {
    const restoring = { videoId: id, ...byOf(caller, request) };
    await withJobs(host.context, (queue) => restoreFilm({ pool, queue }, restoring));
    reply.code(204);
    return {};
  });

  serve(host, endpoints.eraseFilm, async ({ id, name }, caller, { request, reply }) => {
    await eraseFilm({ pool, store }, { videoId: id, name, ...byOf(caller, request) });
    reply.code(204);
    return {};
  });
}

/** Who sees which films. */
export function addVisibilityRoutes(host: RouteHost): void {
  const { pool } = host.context;

  serve(host, endpoints.filmVisibility, async ({ id }) => {
    await requireKnownVideo(pool, id);
    return await findVisibility(pool, id);
  });

  serve(host, endpoints.setVisibility, ({ id, until, ...asked }, caller, { request }) =>
    setVisibility(pool, {
      ...asked,
      videoId: id,
      until: until === null ? null : new Date(until),
      ...byOf(caller, request),
    }),
  );

  serve(host, endpoints.listKeptBack, ({ after }) => listKeptBack(pool, after));
}

/** What is done with films, step by step, for those who look after them. */
export function addStepRoutes(host: RouteHost): void {
  const { pool } = host.context;

  serve(host, endpoints.listSteps, async ({ id }) => {
    await requireKnownVideo(pool, id);
    return { steps: await listSteps(pool, id) };
  });

  serve(host, endpoints.runStep, async ({ id, step }, _caller, { reply }) => {
    await requireKnownVideo(pool, id);
    await withJobs(host.context, (queue) => runStepAgain({ pool, queue }, { videoId: id, step }));
    reply.code(202);
    return {};
  });

  serve(host, endpoints.skipStep, async ({ id, step }, _caller, { reply }) => {
    await requireKnownVideo(pool, id);
    await skipStepOf(host.context, { videoId: id, step });
    reply.code(204);
    return {};
  });

  serve(host, endpoints.cancelStep, async ({ id, step }, _caller, { reply }) => {
    await requireKnownVideo(pool, id);
    await cancelStepOf(host.context, { videoId: id, step });
    reply.code(204);
    return {};
  });

  serve(host, endpoints.runStepForAll, async ({ step, belowVersion: version }, _caller, { reply }) => {
    const films = await withJobs(host.context, (queue) =>
      runStepForAll({ pool, queue }, { step, behind: selectBelowVersion(version), priority: -1 }),
    );
    reply.code(202);
    return { films };
  });
}
