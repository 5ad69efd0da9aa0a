import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';

/** The queue of footage that waits to be ingested; a job names its video. */
export const ingestQueue = 'ingest-video';

/** The queue of footage that can be watched and waits to be understood better; its jobs give way to those of the other. */
export const understandQueue = 'understand-video';

/** Every film, as `id`, that a job of these queues is about: one that waits, is worked on, or was given up and waits for somebody. */
export const filmsWithJob = sql`
  select data ->> 'videoId' as id from jobs.job
   where state in ('created', 'retry', 'active') and (name like ${`${ingestQueue}%`} or name like ${`${understandQueue}%`})
     and data ? 'videoId'`;

/** What waits of a kind of work, and since when. */
interface WorkLeft {
  readonly name: 'playable' | 'understood';
  readonly waiting: number;
  readonly working: number;
  readonly oldestAt: Date | null;
}

/** How many films wait to be made playable and to be understood; nothing of what has no job, and before there are queues. */
export async function countJobs(db: Db): Promise<WorkLeft[]> {
  if (!(await areQueuesMade(db))) return [];
  const queues = JSON.stringify(
    [ingestQueue, understandQueue].flatMap((queue, n) =>
      [queue, `${queue}-long`].map((job) => ({ job, name: n === 0 ? 'playable' : 'understood' })),
    ),
  );
  const { rows } = await db.query<WorkLeft>(sql`
    select l.name, (count(*) filter (where j.state in ('created', 'retry')))::int as waiting,
           (count(*) filter (where j.state = 'active'))::int as working,
           min(coalesce((j.data ->> 'since')::timestamptz, j.created_on)) filter (where ${isWaiting}) as "oldestAt"
      from jobs.job j join jsonb_to_recordset(${queues}::jsonb) as l (job text, name text) on l.job = j.name
     where j.state in ('created', 'retry', 'active')
     group by l.name`);
  return rows;
}

/** Of a job: it could be done, or could not be the last time; one that is only looked at again still waits. */
const isWaiting = sql`
  (case when j.state = 'active' then j.data ? 'since' and j.started_on > now() - interval '1 minute'
        else j.data ? 'since' or j.start_after <= now() end)`;

/** Whether there is any job, of whatever queue and state. */
export async function hasJobs(db: Db): Promise<boolean> {
  if (!(await areQueuesMade(db))) return false;
  const { rowCount } = await db.query(sql`select from jobs.job limit 1`);
  return rowCount === 1;
}

/** The first process that works on films, or gives them to be worked on, makes the tables of jobs. */
async function areQueuesMade(db: Db): Promise<boolean> {
  const { rows } = await db.query<{ areMade: boolean }>(sql`select to_regclass('jobs.job') is not null as "areMade"`);
  return rows[0]?.areMade === true;
}
