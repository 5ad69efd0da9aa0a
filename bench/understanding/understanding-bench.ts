import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from '#domain/db/sql.ts';
import { findSteps, type StepRecord } from '#domain/videos/record-step.ts';
import { importFile } from '#ingest/footage/import-file.ts';
import { facts } from '#ingest/steps/facts.ts';
import { probe } from '#ingest/steps/probe.ts';
import { steps } from '#ingest/steps.ts';
import { publishAsItIs } from '#testing/publish-as-it-is.ts';
import { openTestIngest } from '#testing/test-ingest.ts';
import { until } from '#testing/until.ts';

/** Material to measure by, and an archive in which every step that understands films runs. */
export interface UnderstandingBench extends AsyncDisposable {
  /** Footage with its truth. */
  readonly media: string;
  /** For what is made to measure by. */
  readonly folder: string;
  readonly pool: Awaited<ReturnType<typeof openTestIngest>>['context']['pool'];
  /** Takes a film in, and tells of it once this step has settled. Throws where that had no result. */
  understand(path: string, step: string): Promise<Understood>;
}

export interface Understood {
  readonly id: string;
  /** What the step came to. */
  readonly result: unknown;
  readonly durationInSeconds: number;
  /** How long the step took. */
  readonly tookSeconds: number;
}

const withinMs = 3_600_000;

/** Opens an archive to measure in; `media` is a folder of the shape of the shared footage. */
export async function openUnderstandingBench(media: string): Promise<UnderstandingBench> {
  const folder = await mkdtemp(join(tmpdir(), 'rushes-understanding-'));
  const understood = steps.filter((step) => step.class === 'understood');
  const archive = await openTestIngest(undefined, { steps: [facts, probe, publishAsItIs, ...understood] });
  const { context } = archive;
  const { pool } = context;
  return {
    media,
    folder,
    pool,
    understand: async (path, name) => {
      const { videoId: id } = await importFile(context, path);
      const record = await until(async () => (await findSteps(pool, id)).find((one) => one.step === name && isSettled(one)), { withinMs });
      if (record.state !== 'done') throw new Error(`${path}: ${name} ${record.state}: ${record.message}`);
      return { id, result: record.result, ...(await timesOf(pool, id, name)) };
    },
    [Symbol.asyncDispose]: async () => {
      await archive.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function isSettled({ state }: StepRecord): boolean {
  return state === 'done' || state === 'skipped' || state === 'failed';
}

async function timesOf(pool: UnderstandingBench['pool'], videoId: string, step: string) {
  const { rows } = await pool.query<Pick<Understood, 'durationInSeconds' | 'tookSeconds'>>(sql`
    select v.duration_seconds as "durationInSeconds", extract(epoch from s.ended_at - s.started_at)::float8 as "tookSeconds"
      from ingest_steps s join videos v on v.id = s.video_id where s.video_id = ${videoId} and s.step = ${step}`);
  return rows[0] ?? { durationInSeconds: 0, tookSeconds: 0 };
}

/** Seconds of film for a second of the step, over several films. */
export function realTimeFactor(films: readonly Understood[]): number {
  const sum = (count: (film: Understood) => number) => films.reduce((total, film) => total + count(film), 0);
  return rounded(
    sum((film) => film.durationInSeconds) /
      Math.max(
        0.001,
        sum((film) => film.tookSeconds),
      ),
  );
}

/** With three digits behind the point. */
export function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
