import { endpoints } from '#contract/endpoints.ts';
import { Problem } from '#contract/problem.ts';
import { findBrandList, replaceBrandList } from '#domain/brands/kept-brand-list.ts';
import { isVideoId } from '#domain/files/video-keys.ts';
import { type JobQueue, openJobQueue } from '#domain/jobs/job-queue.ts';
import { faceMark } from '#domain/moments/faces.ts';
import { faceThumbnailIds } from '#domain/tokens/thumbnail-ids.ts';
import { dismissUnfound, listUnfound } from '#domain/unfound/unfound-queries.ts';
import { correctTitle } from '#domain/videos/correct-title.ts';
import { listCorrections, undoCorrection } from '#domain/videos/corrections.ts';
import { listEngines, readAgain } from '#domain/videos/engines.ts';
import { askForModel, listModels } from '#domain/videos/fetched-models.ts';
import { findVideos } from '#domain/videos/find-videos.ts';
import { findFaces, namePerson } from '#domain/videos/name-person.ts';
import { belowVersion, cancelStepOf, everyFilm, listSteps, runStepAgain, runStepForAll, skipStepOf } from '#domain/videos/steps.ts';
import { sessionOf } from '../http/access/session-of.ts';
import { type Site, serve } from '../http/serve.ts';

/** What editors change of what is known of a film, and take back. */
export function correctionRoutes(site: Site): void {
  const { pool, secrets } = site.context;

  serve(site, endpoints.listCorrections, async ({ id }) => {
    const [video] = isVideoId(id) ? await findVideos(pool, [id]) : [];
    if (!video) throw new Problem('not_found', 'There is no such video.');
    return { name: video.name, corrections: await listCorrections(pool, id) };
  });

  serve(site, endpoints.correctTitle, async ({ id, replaces, title }, caller, { request }) => {
    const { uid } = sessionOf(caller).user;
    return { name: await correctTitle(pool, { videoId: id, replaces, title, actorUid: uid, from: request.ip }) };
  });

  serve(site, endpoints.listFaces, async ({ id }, { callerId }) => {
    const [video] = isVideoId(id) ? await findVideos(pool, [id]) : [];
    if (!video) throw new Problem('not_found', 'There is no such video.');
    const pictureOf = faceThumbnailIds(secrets, { videoId: id, caller: callerId });
    const faces = await findFaces(pool, id);
    return {
      faces: faces.map(({ name, isNamed, tracks, ...face }) => {
        const mark = faceMark(face);
        const startMs = tracks[0]?.startMs ?? face.clearest.atMs;
        return { mark, name, isNamed, thumbnailId: pictureOf(mark), startMs, appearances: tracks.length };
      }),
    };
  });

  serve(site, endpoints.namePerson, async ({ id, ...naming }, caller, { request }) => {
    const { uid } = sessionOf(caller).user;
    return { name: await namePerson(pool, { videoId: id, ...naming, actorUid: uid, from: request.ip }) };
  });

  serve(site, endpoints.undoCorrection, async ({ id, correction }, caller, { request }) => {
    const { uid } = sessionOf(caller).user;
    return { name: await undoCorrection(pool, { videoId: id, correction, actorUid: uid, from: request.ip }) };
  });
}

/** What is done with films, step by step, for those who look after them. */
export function stepRoutes(site: Site): void {
  const { pool } = site.context;
  const withQueue = queueOf(site);

  const requireKnown = async (id: string) => {
    const [video] = isVideoId(id) ? await findVideos(pool, [id]) : [];
    if (!video) throw new Problem('not_found', 'There is no such video.');
  };
  serve(site, endpoints.listSteps, async ({ id }) => {
    await requireKnown(id);
    return { steps: await listSteps(pool, id) };
  });

  serve(site, endpoints.runStep, async ({ id, step }, _caller, { reply }) => {
    await requireKnown(id);
    await withQueue((queue) => runStepAgain({ pool, queue }, { videoId: id, step }));
    reply.code(202);
    return {};
  });

  serve(site, endpoints.skipStep, async ({ id, step }, _caller, { reply }) => {
    await requireKnown(id);
    await skipStepOf(pool, { videoId: id, step });
    reply.code(204);
    return {};
  });

  serve(site, endpoints.cancelStep, async ({ id, step }, _caller, { reply }) => {
    await requireKnown(id);
    await cancelStepOf(pool, { videoId: id, step });
    reply.code(204);
    return {};
  });

  serve(site, endpoints.runStepForAll, async ({ step, belowVersion: version }, _caller, { reply }) => {
    const films = await withQueue((queue) => runStepForAll({ pool, queue }, { step, behind: belowVersion(version), priority: -1 }));
    reply.code(202);
    return { films };
  });
}

/** The brands that films are looked through for. */
export function brandRoutes(site: Site): void {
  const { pool } = site.context;
  const withQueue = queueOf(site);

  serve(site, endpoints.brandList, () => findBrandList(pool));

  serve(site, endpoints.replaceBrands, async (asked, _caller, { reply }) => {
    const kept = await replaceBrandList(pool, asked);
    const films = await withQueue((queue) => runStepForAll({ pool, queue }, { step: 'brands', behind: everyFilm() }));
    reply.code(202);
    return { ...kept, films };
  });
}

/** What recognises things in films, and what an administrator has done with it. */
export function engineRoutes(site: Site): void {
  const { pool } = site.context;
  const withQueue = queueOf(site);

  serve(site, endpoints.listEngines, async () => ({ engines: await listEngines(pool), models: await listModels(pool) }));

  serve(site, endpoints.readAgain, async ({ engine }, _caller, { reply }) => {
    const films = await withQueue((queue) => readAgain({ pool, queue }, engine));
    reply.code(202);
    return { films };
  });

  serve(site, endpoints.fetchModel, async ({ model }, _caller, { reply }) => {
    await withQueue((queue) => askForModel({ pool, queue }, model));
    reply.code(202);
    return {};
  });
}

function queueOf({ context: { pool, log } }: Site) {
  return async <T>(work: (queue: JobQueue) => Promise<T>): Promise<T> => {
    const queue = await openJobQueue(pool, { onError: (error) => log.warn('jobs', { reason: error.message }) });
    return await work(queue).finally(() => queue.stop());
  };
}

/** Queries that failed visitors, for those who can do something about it; and how a page tells that one did not. */
export function unfoundRoutes(site: Site): void {
  const { pool, unfound } = site.context;

  serve(site, endpoints.listUnfound, (page) => listUnfound(pool, page));

  serve(site, endpoints.dismissUnfound, async ({ text }, _caller, { reply }) => {
    // What waits in memory failed before this.
    await unfound.write();
    await dismissUnfound(pool, text);
    reply.code(204);
    return {};
  });

  serve(site, endpoints.searchOpened, ({ query }, _caller, { reply }) => {
    unfound.opened(query);
    reply.code(204);
    return {};
  });
}
