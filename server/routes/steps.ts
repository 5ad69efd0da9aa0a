import { endpoints } from '#contract/endpoints.ts';
import { Problem } from '#contract/problem.ts';
import { isVideoId } from '#domain/files/video-keys.ts';
import { type JobQueue, openJobQueue } from '#domain/jobs/job-queue.ts';
import { findVideos } from '#domain/videos/find-videos.ts';
import { cancelStepOf, listSteps, runStepAgain, runStepForAll, skipStepOf } from '#domain/videos/steps.ts';
import { type Site, serve } from '../http/serve.ts';

/** What is done with films, step by step, for those who look after them. */
export function stepRoutes(site: Site): void {
  const { pool, log } = site.context;

  const requireKnown = async (id: string) => {
    const [video] = isVideoId(id) ? await findVideos(pool, [id]) : [];
    if (!video) throw new Problem('not_found', 'There is no such video.');
  };
  const withQueue = async <T>(work: (queue: JobQueue) => Promise<T>): Promise<T> => {
    const queue = await openJobQueue(pool, { onError: (error) => log.warn('jobs', { reason: error.message }) });
    return await work(queue).finally(() => queue.stop());
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

  serve(site, endpoints.runStepForAll, async (asked, _caller, { reply }) => {
    const films = await withQueue((queue) => runStepForAll({ pool, queue }, asked));
    reply.code(202);
    return { films };
  });
}
