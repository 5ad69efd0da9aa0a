import { type JobQueue, openJobQueue } from '#domain/jobs/job-queue.ts';
import type { Context } from './context.ts';

/** Opens the queue of jobs for one piece of work, and closes it after that. */
export async function withJobs<T>({ pool, log }: Pick<Context, 'pool' | 'log'>, work: (queue: JobQueue) => Promise<T>): Promise<T> {
  const queue = await openJobQueue(pool, { onError: (error) => log.warn('jobs', { reason: error.message }) });
  return await work(queue).finally(() => queue.stop());
}
