import { mkdtempSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { isDatabaseAway } from '#domain/db/is-database-away.ts';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { findSteps, type StepRecord } from '#domain/videos/record-step.ts';
import { readCorpus } from '#testing/corpus/read-corpus.ts';
import { canMakeMedia, makeClip } from '#testing/media-clips.ts';
import { buildMedia, MediaRecipe, type Surroundings } from '#testing/media-recipes.ts';
import { putReport } from '#testing/put-report.ts';
import { seededRandom, turnOfTests } from '#testing/seeded-random.ts';
import { openTestIngest, type TestIngest } from '#testing/test-ingest.ts';
import { until } from '#testing/until.ts';
import { watchChildren } from '#testing/watched-children.ts';
import { wantsWholeCorpus } from '#testing/whole-corpus.ts';
import { StepFailure } from '../step-failure.ts';
import { steps } from '../steps.ts';

/** Four hours of silence take a minute: `npm run -s report:footage` takes them all, `npm test` five minutes of them. */
const silenceInSeconds = wantsWholeCorpus ? 14_400 : 300;
/** Four hours, of which a frame is looked at every two seconds, take a quarter of an hour with each tool on a machine with nothing else to do. */
const patienceInMs = wantsWholeCorpus ? 5_400_000 : 300_000;
const recipes = readCorpus('media', MediaRecipe).map((recipe) =>
  recipe.name === 'long-4h-silent.mp4' ? withLength(recipe, silenceInSeconds) : recipe,
);
/** What understands films decodes all of them once more. */
const stepsRun = wantsWholeCorpus ? steps : steps.filter((step) => step.class === 'playable');
type Tool = 'ffmpeg' | 'node-av';
/** As many recipes as there is time for, fewer of them on the FFmpeg inside npm, which is slower; and others with every turn. */
const shares: Record<Tool, number> = wantsWholeCorpus ? { ffmpeg: 1, 'node-av': 1 } : { ffmpeg: 1 / 6, 'node-av': 1 / 12 };
const chance = seededRandom(turnOfTests);
const toolsOf = new Map(recipes.map(({ id }) => [id, (['ffmpeg', 'node-av'] as const).filter((tool) => chance.next() < shares[tool])]));
const judged = recipes.filter(({ id }) => toolsOf.get(id)?.length);
const asExpected: Record<Tool, string[]> = { ffmpeg: [], 'node-av': [] };
let archives: Record<Tool, TestIngest>;
let canary: Server;
let canaryVisits = 0;
let around: Surroundings;
let tried: ReturnType<typeof watchChildren>;

beforeAll(async () => {
  archives = {
    ffmpeg: await openTestIngest(undefined, { steps: stepsRun }),
    'node-av': await openTestIngest({ ffmpegPath: undefined, searchPath: '' }, { steps: stepsRun }),
  };
  canary = createServer((socket) => {
    canaryVisits += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
  const address = canary.address();
  const folder = mkdtempSync(join(tmpdir(), 'rushes-recipes-'));
  around = { folder, canaryPort: typeof address === 'object' && address ? address.port : 0, victim: join(folder, 'victim.ts') };
  if (canMakeMedia) await makeClip(around.victim, ['-f', 'mpegts']);
  tried = watchChildren();
});

afterAll(async () => {
  for (const archive of Object.values(archives)) await archive.close();
  canary.close();
  await rm(around.folder, { recursive: true, force: true });
});

describe.skipIf(!canMakeMedia)('hostile, damaged and unusual files (skipped without an ffmpeg to make them)', () => {
  describe.each(judged)('$id $name: $expect', (recipe) => {
    let path = '';
    beforeAll(async () => {
      path = await buildMedia(recipe, around);
    }, patienceInMs);
    afterAll(() => rm(join(around.folder, recipe.id), { recursive: true }));

    test.concurrent.each(toolsOf.get(recipe.id) ?? [])('with %s', { timeout: patienceInMs }, async (tool) => {
      const verdict = await verdictOf(archives[tool], path);
      if (recipe.expect === 'processed') expect(verdict).toEqual({ state: 'Processed', code: null });
      if (recipe.expect === 'rejected') expect(verdict).toEqual({ state: 'Failed', code: recipe.code });
      if (recipe.expect === 'processed-or-rejected') expect(['Processed', 'Failed']).toContain(verdict.state);
      await vi.waitFor(async () => expect(await leftovers(archives[tool])).toEqual([]), tidiedWithinMs);
      asExpected[tool].push(recipe.id);
    });
  });

  test.each(['ffmpeg', 'node-av'] as const)(
    'after all of them nobody has visited the canary, %s takes the next good file, and no length is a container’s lie',
    { timeout: 60_000 },
    async (tool) => {
      const archive = archives[tool];
      expect(canaryVisits).toBe(0);
      await makeClip(join(archive.scratch, 'good.mp4'), ['-metadata', 'comment=good']);
      expect((await archive.ingest(join(archive.scratch, 'good.mp4'))).state).toBe('Processed');
      const { rows } = await archive.database.pool.query(`select file_name, duration_seconds from videos where state = 'Processed'`);
      const seconds = new Map(rows.map((row) => [row.file_name, row.duration_seconds]));
      const wasJudged = (name: string) => recipes.some((recipe) => recipe.name === name && asExpected[tool].includes(recipe.id));
      for (const [name, length, digits] of lengths) if (wasJudged(name)) expect(seconds.get(name), name).toBeCloseTo(length, digits);
      for (const [name, length] of seconds) if (/^truncated-[15]0%/.test(name)) expect(length).toBeLessThan(2.5);
    },
  );

  test.for(['ffmpeg', 'node-av'] as const)('all that was given to %s was judged as it should be', async (tool, { task }) => {
    const files = recipes.filter(({ id }) => toolsOf.get(id)?.includes(tool)).length;
    const wrongVerdicts = files - asExpected[tool].length;
    const figures = { files, asExpected: asExpected[tool].length, wrongVerdicts, canaryVisits, ...(await tried.stop()) };
    putReport(task, { check: 'footage', tool: archives[tool].context.tools.name, ...figures });
    expect(wrongVerdicts).toBe(0);
  });
});

const lengths: readonly [name: string, seconds: number, digits: number][] = [
  ['lying-duration.mp4', 3, 0],
  ['long-4h-silent.mp4', silenceInSeconds, -1],
  ['start-offset-1h.mkv', 3, 0],
  ['ts-gap-10min.ts', 6, 0],
  ['ts-wrap-back.ts', 6, 0],
];

function withLength(recipe: MediaRecipe, seconds: number): MediaRecipe {
  const build = recipe.build.map((step) =>
    'ffmpeg' in step ? { ffmpeg: step.ffmpeg.map((arg) => arg.replace('14400', String(seconds))) } : step,
  );
  return { ...recipe, build };
}

/** What is left is taken away behind the verdict: at once, but for a busy machine. */
const tidiedWithinMs = 60_000;

/** Connections come late on a machine that does all it can with a film of hours. */
const patience = { withinMs: patienceInMs, everyMs: 250, passes: isDatabaseAway };

const isUnderWay = ({ state }: StepRecord) => state === 'waiting' || state === 'running';

async function verdictOf(archive: TestIngest, path: string): Promise<{ state: string; code: string | null }> {
  try {
    const video = await archive.ingest(path);
    // What understands the film comes to an end as well, whatever it meets.
    if (video.state === 'Processed') await until(async () => !(await findSteps(archive.context.pool, video.id)).some(isUnderWay), patience);
    const trashed = [`refused (${video.failureCode}): ${video.failureMessage}`];
    const isRefused = video.state === 'Failed' && !video.failureCode?.startsWith('processing_');
    if (isRefused)
      await vi.waitFor(async () => expect(await whatBecameOf(archive, video.id)).toEqual({ left: [], trashed }), tidiedWithinMs);
    return { state: video.state, code: video.failureCode };
  } catch (error) {
    if (error instanceof StepFailure && error.kind.is === 'bad-media') return { state: 'Failed', code: error.kind.code };
    throw error;
  }
}

/** What was refused lies in the trash, with its reason, and nowhere else. */
async function whatBecameOf(archive: TestIngest, videoId: string): Promise<{ left: string[]; trashed: string[] }> {
  const { store } = archive.context;
  const { all } = toVideoKeys(videoId);
  const left = (await Array.fromAsync(store.list(all))).map(({ key }) => key);
  return { left, trashed: (await store.trash.list()).filter(({ key }) => key === all).map(({ reason }) => reason) };
}

async function leftovers(archive: TestIngest): Promise<string[]> {
  const { staging, work } = archive.context.folder;
  return (await Promise.all([staging, work].map((folder) => readdir(folder).catch(() => [])))).flat();
}
