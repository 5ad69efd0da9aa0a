import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { serverLimits } from '#contract/limits.ts';
import { type ArchiveProcess, ProcessFacts } from '#contract/status.ts';
import type { Db, Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { findFullestDisk } from '../files/stage-file.ts';
import { inTime } from '../scheduling/in-time.ts';

const tellEveryMs = 5_000;
/** Several words of a process may be lost before it counts as gone. */
const goneAfterSeconds = 30;

/** The version of this archive's program. */
export const programVersion = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'))).version;

export interface TellingProcess {
  readonly does: ArchiveProcess['does'];
  readonly dataFolder: string;
  /** Its media, where they lie on a disk of this machine: of two disks that with less room is told. */
  readonly media?: readonly string[];
  /** The batch that searches of this process read. */
  readonly indexBatch?: () => Promise<number>;
  readonly notes?: readonly string[];
  /** What a worker does with films; both where nothing is said. */
  readonly classes?: Readonly<ProcessFacts['classes']>;
}

/** Says every few seconds that this process lives and how it stands, until it is stopped; then it says that it has ended. */
export function keepTelling(pool: Pool, process: TellingProcess): { stop(): Promise<void> } {
  const id = randomUUID();
  const telling = { isOver: false };
  const disk = lookAtDisks([process.dataFolder, ...(process.media ?? [])]);
  // The database may be away for a while; the next word is heard.
  const tell = () => tellOnce(pool, { id, disk }, process).catch(() => {});
  let told = tell();
  const timer = setInterval(() => (told = told.then(() => (telling.isOver ? undefined : tell()))), tellEveryMs).unref();
  return {
    stop: async () => {
      telling.isOver = true;
      clearInterval(timer);
      await told;
      await pool.query(sql`delete from processes where id = ${id}`).catch(() => {});
    },
  };
}

/** How full the fullest of these disks is; null where that cannot be told. One that does not answer, as a NAS that is away, is not asked once more meanwhile: each question holds a thread. */
function lookAtDisks(folders: readonly string[]): () => Promise<ProcessFacts['disk']> {
  let looking: Promise<ProcessFacts['disk']> | undefined;
  return async () => {
    looking ??= findFullestDisk(folders)
      .catch(() => null)
      .finally(() => {
        looking = undefined;
      });
    return await inTime(looking, serverLimits.diskAnswersWithinMs, 'A disk does not answer.').catch(() => null);
  };
}

async function tellOnce(
  pool: Pool,
  { id, disk }: { id: string; disk: () => Promise<ProcessFacts['disk']> },
  telling: TellingProcess,
): Promise<void> {
  const clockAheadMs = (await readClockAhead(pool)) ?? 0;
  const facts: ProcessFacts = {
    folder: telling.dataFolder,
    memoryBytes: process.memoryUsage.rss(),
    disk: await disk(),
    indexBatch: (await telling.indexBatch?.().catch(() => null)) ?? null,
    clockAheadMs,
    notes: [...(telling.notes ?? [])],
    classes: telling.classes && [...telling.classes],
  };
  await pool.query(sql`
    insert into processes (id, machine, pid, does, version, facts)
    values (${id}, ${hostname()}, ${process.pid}, ${telling.does}, ${programVersion}, ${JSON.stringify(facts)}::jsonb)
    on conflict (id) do update set facts = excluded.facts, seen_at = now()`);
  await pool.query(sql`delete from processes where seen_at < now() - make_interval(hours => ${serverLimits.goneProcessKeptHours})`);
}

/** How far this machine's clock is before the database's; null where that cannot be told, because the database let us wait. */
export async function readClockAhead(db: Db, now: () => number = Date.now): Promise<number | null> {
  const before = now();
  const there = await readDatabaseClock(db);
  const after = now();
  return after - before > serverLimits.diskAnswersWithinMs ? null : Math.round((before + after) / 2) - there;
}

/** What the clock of the database says, in milliseconds. */
export async function readDatabaseClock(db: Db): Promise<number> {
  const { rows } = await db.query<{ at: Date }>(sql`select clock_timestamp() as at`);
  return rows[0]?.at.getTime() ?? Date.now();
}

/** Every process of the archive: those that live first, then those that ended without a word. */
export async function listProcesses(db: Db): Promise<ArchiveProcess[]> {
  const { rows } = await db.query<Omit<ArchiveProcess, keyof ProcessFacts | 'startedAt' | 'seenAt'> & TellingRow>(sql`
    select id, machine, pid, does, version, facts, started_at as "startedAt", seen_at as "seenAt",
           seen_at > now() - make_interval(secs => ${goneAfterSeconds}) as "isAlive"
      from processes order by "isAlive" desc, machine, does desc, started_at`);
  // A process of another version may tell other facts.
  return rows.flatMap(({ facts, startedAt, seenAt, ...row }) => {
    const told = ProcessFacts.safeParse(facts).data;
    return told ? [{ ...row, ...told, startedAt: startedAt.toISOString(), seenAt: seenAt.toISOString() }] : [];
  });
}

interface TellingRow {
  readonly facts: unknown;
  readonly startedAt: Date;
  readonly seenAt: Date;
}
