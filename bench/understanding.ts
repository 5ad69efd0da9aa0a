import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from '#domain/db/sql.ts';
import { findShotStarts } from '#domain/videos/moments-of-video.ts';
import { findSteps } from '#domain/videos/record-step.ts';
import { steps } from '#ingest/steps.ts';
import { sharedMedia } from '#testing/shared-media.ts';
import { openTestIngest } from '#testing/test-ingest.ts';
import { until } from '#testing/until.ts';
import { joinClips } from './joined-clips.ts';

/*
 * npm run -s report:understanding runs what understands films over material whose truth is known, and prints a line of JSON for each: how
 * much it finds, how much of that is right, and how many seconds of film it takes in a second.
 */
const media = sharedMedia();
if (!media) {
  process.stderr.write('There is no shared footage to measure by; RUSHES_TEST_MEDIA names its folder.\n');
  process.exit(1);
}
const folder = await mkdtemp(join(tmpdir(), 'rushes-understanding-'));
const archive = await openTestIngest(undefined, { steps });
try {
  process.stdout.write(`${JSON.stringify(await measureShots(media))}\n`);
} finally {
  await archive.close();
  await rm(folder, { recursive: true, force: true });
}

/** Sixty cuts and dissolves at known seconds; one is found when a shot begins within 0.2 s of it. */
async function measureShots(footage: string): Promise<object> {
  const path = join(folder, 'joined.mp4');
  const truth = await joinClips(path, { media: footage, joints: 60, seed: 7 });
  const { id } = await archive.ingest(path);
  const { pool } = archive.context;
  await until(async () => (await findSteps(pool, id)).some(({ step, state }) => step === 'shots' && state === 'done'), {
    withinMs: 600_000,
  });
  const starts = (await findShotStarts(pool, id)).slice(1).map((ms) => ms / 1_000);
  const left = new Set(truth);
  let right = 0;
  for (const start of starts) {
    const one = [...left].find((second) => Math.abs(second - start) <= 0.2);
    if (one !== undefined && left.delete(one)) right++;
  }
  const [precision, recall] = [right / Math.max(1, starts.length), right / truth.length];
  const f1 = (2 * precision * recall) / Math.max(1e-9, precision + recall);
  const found = { recall: rounded(recall), precision: rounded(precision), f1: rounded(f1) };
  return { step: 'shots', set: 'joined', changes: truth.length, ...found, realTimeFactor: await realTimeFactor(id, 'shots') };
}

/** Seconds of film for a second of the step. */
async function realTimeFactor(videoId: string, step: string): Promise<number> {
  const { rows } = await archive.context.pool.query<{ factor: number }>(sql`
    select v.duration_seconds / extract(epoch from s.ended_at - s.started_at)::float8 as factor
      from ingest_steps s join videos v on v.id = s.video_id where s.video_id = ${videoId} and s.step = ${step}`);
  return rounded(rows[0]?.factor ?? 0);
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
