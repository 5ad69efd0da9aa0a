/*
 * Jobs: pg-boss behind a few verbs. ingest-queue names the queues that films go through; worker-lease tells whether anybody works on them.
 */

import { PgBoss } from 'pg-boss';
import { serverLimits } from '#contract/limits.ts';
import { advisoryLocks } from '../db/advisory-locks.ts';
import { answersQueries, type Db, directOf, type Pool } from '../db/database.ts';
import { isDatabaseAway, isUnanswered } from '../db/is-database-away.ts';
import { sql } from '../db/sql.ts';
import { pause } from '../system/pause.ts';

/** What a handler says of a job it was given; a thrown error counts as a failed try, unless the database was away. */
export type JobOutcome = { readonly is: 'finished' } | RetryLater;

interface RetryLater {
  readonly is: 'retry-later';
  readonly inSeconds: number;
  /** Whether it goes on before those that came after it; else it waits behind whatever is there by now. */
  readonly keepsPlace?: boolean;
}

export interface JobQueue {
  /** Adds a job. With `db` it appears together with whatever else that transaction writes; those of higher priority, 0 for most, go first. */
  enqueue(name: string, data: JobData, options?: { db?: Db; inSeconds?: number; priority?: number | undefined }): Promise<void>;
  /** Adds jobs, however many, by one statement of that transaction. */
  enqueueAll(name: string, data: readonly JobData[], options: { db: Db; priority?: number | undefined }): Promise<void>;
  /** Hands every job of that name to `handle`, one at a time. `signal` is raised when the queue stops. */
  work(name: string, handle: JobHandler): Promise<void>;
  /** Whether this process is working on a job of one of these names, or could: what others are working on says nothing here. */
  hasWork(names: readonly string[]): Promise<boolean>;
  /** Stops taking jobs, tells running handlers to stop and waits for them. */
  stop(): Promise<void>;
}

/** `since` is the queue's own: when a job that waits again and again was given to it first. */
export type JobData = Readonly<Record<string, string>>;
/** The priority is that of the job: what goes on in another one is given the same. */
type JobHandler = (data: JobData, signal: AbortSignal, priority: number) => Promise<JobOutcome>;

const leaseSeconds = 12;
/** pg-boss deletes what nobody has begun for so long, two weeks where nothing is said: what waits for a tool or for room may wait for years. */
const keptWaitingSeconds = 10 * 365 * 24 * 60 * 60;
const oneAtATime = { pollingIntervalSeconds: 0.5, batchSize: 1, includeMetadata: true } as const;

/**
 * The archive's jobs, kept in PostgreSQL: a job is done once by one worker, survives the death of that worker (its lease
 * ends when the heartbeat does), and after three failed tries goes to the queue `{name}-dead`.
 */
export async function openJobQueue(pool: Pool, options: { onError: (error: Error) => void }): Promise<JobQueue> {
  // To make its tables may take longer than what comes after.
  const patience: Patience = {};
  const boss = new PgBoss({
    db: toDb(directOf(pool), patience),
    schema: 'jobs',
    schedule: false,
    superviseIntervalSeconds: 4,
    monitorIntervalSeconds: 4,
  });
  boss.on('error', options.onError);
  // Two processes that create its tables at once would meet each other's half-made schema.
  await withStartLock(pool, async () => {
    await boss.start();
    // Before it tidies up for the first time.
    await keepWaitingJobs(pool);
  });
  patience.query_timeout = serverLimits.databaseAnswersWithinMs;
  const stopping = new AbortController();
  const running = new Map<Promise<unknown>, string>();
  const send = async (...[name, data, { db, inSeconds, priority = 0 } = {}]: Parameters<JobQueue['enqueue']>) => {
    await ensureQueue(boss, name);
    return await boss.send(name, data, { priority, ...(db ? { db: toDb(db) } : {}), ...(inSeconds ? { startAfter: inSeconds } : {}) });
  };
  return {
    enqueue: async (...job) => void (await send(...job)),
    enqueueAll: async (name, data, { db, priority = 0 }) => {
      await ensureQueue(boss, name);
      const jobs = data.map((each) => ({ data: each, priority }));
      if (jobs.length > 0) await boss.insert(name, jobs, { db: toDb(db) });
    },
    work: async (name, handle) => {
      await ensureQueue(boss, name);
      await boss.work<JobData, void, typeof oneAtATime>(name, oneAtATime, async ([job]) => {
        if (!job) return;
        const { since, ...data } = job.data;
        const outcome = handle(data, stopping.signal, job.priority).catch((error: unknown) => untilThere(pool, error, stopping.signal));
        running.set(outcome, name);
        try {
          const done = await outcome;
          // A fresh job in place of this one: waiting, or a worker that was asked to stop, costs the job none of its tries.
          if (done.is !== 'retry-later') return;
          // How long it waits by now is told by the first of them.
          const waits: JobData = done.inSeconds > 0 ? { since: since ?? job.createdOn.toISOString() } : {};
          const id = await send(name, { ...data, ...waits }, { inSeconds: done.inSeconds, priority: job.priority });
          // Of one priority the oldest goes first.
          if (done.keepsPlace) await pool.query(sql`update jobs.job set created_on = ${job.createdOn} where name = ${name} and id = ${id}`);
        } finally {
          running.delete(outcome);
        }
      });
    },
    hasWork: async (names) => {
      if ([...running.values()].some((name) => names.includes(name))) return true;
      const { rows } = await pool.query<{ found: boolean }>(sql`
        select exists (select from jobs.job where name = any (${[...names]}::text[])
                          and state in ('created', 'retry') and start_after <= now()) as found`);
      return rows[0]?.found ?? false;
    },
    stop: async () => {
      stopping.abort();
      await Promise.allSettled(running.keys());
      await boss.stop({ graceful: true, timeout: 3_000, close: false });
    },
  };
}

const lookAgainEveryMs = 500;
const awaySeconds = 1;

/**
 * A database that cannot be reached says nothing of a job: it waits until that answers, and goes on a little later. Where that took longer
 * than the lease, the queue has taken the try for failed already. Throws the error again then, and any other.
 */
async function untilThere(pool: Pool, error: unknown, stop: AbortSignal): Promise<JobOutcome> {
  if (!isDatabaseAway(error) || isUnanswered(error)) throw error;
  const untilMs = Date.now() + leaseSeconds * 1_000;
  while (!(await answersQueries(pool))) {
    if (stop.aborted || Date.now() > untilMs) throw error;
    await pause(lookAgainEveryMs, stop);
  }
  return { is: 'retry-later', inSeconds: awaySeconds, keepsPlace: true };
}

/** Makes the queue's tables where they are missing, and nothing else. */
export async function makeJobTables(pool: Pool): Promise<void> {
  const boss = new PgBoss({ db: toDb(directOf(pool)), schema: 'jobs', schedule: false, supervise: false });
  boss.on('error', () => {});
  await withStartLock(pool, () => boss.start());
  await boss.stop({ graceful: false, close: false });
}

/** Where this process has seen to that: others open the queue for every piece of work. */
const kept = new WeakSet<Pool>();

/** Gives queues and jobs that an earlier version made, or a backup brought back, the same time to live as new ones, once in a process. */
async function keepWaitingJobs(pool: Pool): Promise<void> {
  if (kept.has(pool)) return;
  await pool.query(sql`
    update jobs.queue set retention_seconds = ${keptWaitingSeconds} where retention_seconds < ${keptWaitingSeconds}`);
  await pool.query(sql`
    update jobs.job set keep_until = now() + make_interval(secs => ${keptWaitingSeconds})
     where state in ('created', 'retry') and keep_until < now() + make_interval(secs => ${keptWaitingSeconds / 2})`);
  kept.add(pool);
}

async function withStartLock(pool: Pool, start: () => Promise<unknown>): Promise<void> {
  const client = await directOf(pool).connect();
  try {
    await client.query(sql`select pg_advisory_lock(${advisoryLocks.makingQueues})`);
    await start();
    await client.query(sql`select pg_advisory_unlock(${advisoryLocks.makingQueues})`);
    client.release();
  } catch (error) {
    // A closed connection keeps no lock.
    client.release(true);
    throw error;
  }
}

async function ensureQueue(boss: PgBoss, name: string): Promise<void> {
  const dead = `${name}-dead`;
  if (await boss.getQueue(name)) return;
  await boss.createQueue(dead, { retryLimit: serverLimits.triesPerJob - 1, retentionSeconds: keptWaitingSeconds });
  await boss.createQueue(name, {
    retryLimit: serverLimits.triesPerJob - 1,
    retryDelay: 1,
    retryBackoff: true,
    heartbeatSeconds: leaseSeconds,
    expireInSeconds: serverLimits.jobMaxSeconds,
    deleteAfterSeconds: serverLimits.endedJobKeptHours * 60 * 60,
    retentionSeconds: keptWaitingSeconds,
    deadLetter: dead,
  });
}

interface Patience {
  /** In milliseconds; without it a statement takes as long as it will. */
  query_timeout?: number;
}

function toDb(db: Db, patience: Patience = {}) {
  return { executeSql: async (text: string, values?: unknown[]) => await db.query({ text, ...(values ? { values } : {}), ...patience }) };
}
