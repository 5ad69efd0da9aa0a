import { afterAll, beforeAll, expect, test } from 'vitest';
import { listEngines } from '#domain/videos/engines.ts';
import { openTestIngest, type TestIngest } from '#testing/test-ingest.ts';
import { EngineUsed } from './engines/engine.ts';
import { publishEngines } from './engines.ts';
import { steps } from './steps.ts';

/** With the FFmpeg that comes with the archive, and no other. */
let archive: TestIngest;
beforeAll(async () => {
  archive = await openTestIngest({ ffmpegPath: undefined, searchPath: '' }, { steps });
});
afterAll(() => archive.close());

async function enginesOf(tools = archive.context.tools) {
  await publishEngines({ ...archive.context, tools });
  return await listEngines(archive.context.pool);
}

test('every step whose results say an engine has one that administrators see, so that films can be read again by a newer one', async () => {
  const fields = Object.keys(EngineUsed.shape);
  const saying = steps.filter(({ Result }) =>
    fields.every((field) => Result.safeParse({}).error?.issues.some(({ path }) => path[0] === field)),
  );
  const shown = new Set((await enginesOf()).map(({ step }) => step));
  expect(saying.length).toBeGreaterThan(10);
  expect(saying.filter(({ name }) => !shown.has(name)).map(({ name }) => name)).toEqual([]);
});

test('where subtitles that are pictures cannot be drawn, their engine says that the built-in FFmpeg cannot, and which one can', async () => {
  const { tools } = archive.context;
  const engineIn = async (those = tools) => (await enginesOf(those)).find(({ step }) => step === 'picture-subtitles');
  const off = (await engineIn())?.off;
  expect(off?.reason).toBe('The built-in FFmpeg cannot draw picture subtitles.');
  expect(off?.whatToDo).toMatch(/ffmpeg 7\.1 or newer on the worker’s PATH .*FFMPEG_PATH/);
  const plan = { stream: 0, fromSeconds: 0, lengthSeconds: 1, everySeconds: 1, width: 64, height: 36, path: '/dev/null' };
  const drawing = tools.drawSubtitles({ path: '/dev/null', timeoutMs: 1_000 }, plan);
  await expect(drawing).rejects.toThrow(`${off?.reason} ${off?.whatToDo}`);
  const { withoutSubtitles: _, ...able } = tools;
  expect((await engineIn(able))?.off).toBeNull();
});
