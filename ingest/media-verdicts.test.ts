import { mkdtempSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { videoKeys } from '#domain/files/video-keys.ts';
import { readCorpus } from '#testing/corpus/read-corpus.ts';
import { canMakeMedia, makeClip } from '#testing/media-clips.ts';
import { buildMedia, MediaRecipe, type Surroundings } from '#testing/media-recipes.ts';
import { openTestIngest, type TestIngest } from '#testing/test-ingest.ts';
import { wantsWholeCorpus } from '#testing/whole-corpus.ts';
import { StepFailure } from './step-failure.ts';

/** Four hours of silence take a minute: `npm run -s report:footage` takes them all, `npm test` twenty minutes of them. */
const silenceInSeconds = wantsWholeCorpus ? 14_400 : 1_200;
const recipes = readCorpus('media', MediaRecipe).map((recipe) =>
  recipe.name === 'long-4h-silent.mp4' ? withLength(recipe, silenceInSeconds) : recipe,
);
let archive: TestIngest;
let canary: Server;
let canaryVisits = 0;
let around: Surroundings;

beforeAll(async () => {
  archive = await openTestIngest();
  canary = createServer((socket) => {
    canaryVisits += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
  const address = canary.address();
  const folder = mkdtempSync(join(tmpdir(), 'rushes-recipes-'));
  around = { folder, canaryPort: typeof address === 'object' && address ? address.port : 0, victim: join(folder, 'victim.ts') };
  await makeClip(around.victim, ['-f', 'mpegts']);
});

afterAll(async () => {
  await archive.close();
  canary.close();
  await rm(around.folder, { recursive: true, force: true });
});

describe.skipIf(!canMakeMedia)('hostile, damaged and unusual files', () => {
  test.each(recipes)('$id $name: $expect', { timeout: 300_000 }, async (recipe) => {
    const path = await buildMedia(recipe, around);
    const verdict = await verdictOf(path);
    await rm(join(around.folder, recipe.id), { recursive: true });
    if (recipe.expect === 'processed') expect(verdict).toEqual({ state: 'Processed', code: null });
    if (recipe.expect === 'rejected') expect(verdict).toEqual({ state: 'Failed', code: recipe.code });
    if (recipe.expect === 'processed-or-rejected') expect(['Processed', 'Failed']).toContain(verdict.state);
    await vi.waitFor(async () => expect(await leftovers()).toEqual([]));
  });

  test('after all of them nobody has visited the canary, the next good file is taken, and no length is a container’s lie', async () => {
    expect(canaryVisits).toBe(0);
    await makeClip(join(archive.scratch, 'good.mp4'), ['-metadata', 'comment=good']);
    expect((await archive.ingest(join(archive.scratch, 'good.mp4'))).state).toBe('Processed');
    const { rows } = await archive.database.pool.query(`select file_name, duration_seconds from videos where state = 'Processed'`);
    const seconds = new Map(rows.map((row) => [row.file_name, row.duration_seconds]));
    expect(seconds.get('lying-duration.mp4')).toBeCloseTo(3, 0);
    expect(seconds.get('long-4h-silent.mp4')).toBeCloseTo(silenceInSeconds, -1);
    expect(seconds.get('start-offset-1h.mkv')).toBeCloseTo(3, 0);
    expect(seconds.get('ts-gap-10min.ts')).toBeCloseTo(6, 0);
    expect(seconds.get('ts-wrap-back.ts')).toBeCloseTo(6, 0);
    for (const [name, length] of seconds) if (/^truncated-[15]0%/.test(name)) expect(length).toBeLessThan(2.5);
  });
});

function withLength(recipe: MediaRecipe, seconds: number): MediaRecipe {
  const build = recipe.build.map((step) =>
    'ffmpeg' in step ? { ffmpeg: step.ffmpeg.map((arg) => arg.replace('14400', String(seconds))) } : step,
  );
  return { ...recipe, build };
}

async function verdictOf(path: string): Promise<{ state: string; code: string | null }> {
  try {
    const video = await archive.ingest(path);
    if (video.state === 'Failed')
      expect(await whatBecameOf(video.id)).toEqual({ left: [], trashed: [`refused (${video.failureCode}): ${video.failureMessage}`] });
    return { state: video.state, code: video.failureCode };
  } catch (error) {
    if (error instanceof StepFailure && error.kind.is === 'bad-media') return { state: 'Failed', code: error.kind.code };
    throw error;
  }
}

/** What was refused lies in the trash, with its reason, and nowhere else. */
async function whatBecameOf(videoId: string): Promise<{ left: string[]; trashed: string[] }> {
  const { store } = archive.context;
  const { all } = videoKeys(videoId);
  const left = (await Array.fromAsync(store.list(all))).map(({ key }) => key);
  return { left, trashed: (await store.trash.list()).filter(({ key }) => key === all).map(({ reason }) => reason) };
}

async function leftovers(): Promise<string[]> {
  const { stage, work } = archive.context.folder;
  return (await Promise.all([stage, work].map((folder) => readdir(folder).catch(() => [])))).flat();
}
