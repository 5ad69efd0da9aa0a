import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { serverLimits } from '#contract/limits.ts';
import { readStored } from '#domain/files/read-stored.ts';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { findFootage } from '#domain/videos/footage.ts';
import { findSteps, findStreamVersion, type StepRecord } from '#domain/videos/record-step.ts';
import { runStepAgain } from '#domain/videos/steps.ts';
import { importFile } from '#ingest/footage/import-file.ts';
import { canMakeMedia, makeClip, makeMedia } from '#testing/media-clips.ts';
import { storedBytes } from '#testing/stored-bytes.ts';
import { openTestIngest, type TestIngest } from '#testing/test-ingest.ts';
import { until } from '#testing/until.ts';
import { StepFailure } from '../step-failure.ts';
import { steps } from '../steps.ts';
import type { MediaTools } from '../tools/media-tools.ts';
import { largerRenditions, renditions } from './renditions.ts';

const machines = [
  ['ffmpeg', undefined],
  ['node-av', { ffmpegPath: undefined, searchPath: '' }],
] as const;

/** What an encode waits for, and does, that is asked for a picture of so many lines. */
let beforeEncode: (lines: number) => void | Promise<void>;
const withBefore = (tools: MediaTools): MediaTools => ({
  ...tools,
  encodeRenditions: async (input, plan) => {
    await beforeEncode(Math.max(...plan.renditions.map(({ height }) => height)));
    await tools.encodeRenditions(input, plan);
  },
});

const archives = new Map<string, TestIngest>();
beforeAll(async () => {
  const all = [...steps.filter((step) => step.class === 'playable'), largerRenditions];
  for (const [name, where] of machines) archives.set(name, await openTestIngest(where, { steps: all, tools: withBefore }));
});
afterAll(async () => {
  for (const archive of archives.values()) await archive.close();
});

/** A film in a codec that browsers do not play, of 480 lines, with a time of its own. */
async function filmToEncode({ scratch }: TestIngest, seconds: number): Promise<string> {
  const path = join(scratch, `film-${seconds}.mkv`);
  const inputs = ['-f', 'lavfi', '-i', `testsrc=s=640x480:r=25:d=${seconds}`, '-f', 'lavfi', '-i', `sine=d=${seconds}`];
  await makeMedia([...inputs, '-c:v', 'mpeg4', '-c:a', 'libvorbis', path]);
  return path;
}

async function stepOf({ context: { pool } }: TestIngest, id: string, name: string): Promise<StepRecord | undefined> {
  return (await findSteps(pool, id)).find(({ step }) => step === name);
}

async function afterLarger(archive: TestIngest, id: string): Promise<StepRecord> {
  const isOver = ({ state }: StepRecord) => ['done', 'skipped', 'failed'].includes(state);
  return await until(
    async () => {
      const record = await stepOf(archive, id, largerRenditions.name);
      return record && isOver(record) && record;
    },
    { withinMs: 60_000 },
  );
}

/** Where the pictures of a rendition begin, by its playlist. */
async function lengthsOf({ context: { store } }: TestIngest, id: string, name: string): Promise<string[]> {
  const playlist = String(await storedBytes(store, `${toVideoKeys(id).hls}/${name}/index.m3u8`));
  return playlist.match(/#EXTINF:[\d.]+/g) ?? [];
}

async function namesInMaster({ context: { store } }: TestIngest, id: string): Promise<string[]> {
  const master = String(await storedBytes(store, `${toVideoKeys(id).hls}/master.m3u8`));
  return master.match(/^\d+p(?=\/)/gm) ?? [];
}

test.skipIf(!canMakeMedia).each(machines)(
  'a film that must be encoded plays in its smallest size first, and in all once the larger ones stand beside it, by %s',
  { timeout: 120_000 },
  async (machine) => {
    const archive = archives.get(machine) as TestIngest;
    const mayGoOn = Promise.withResolvers<void>();
    onTestFinished(() => mayGoOn.resolve());
    beforeEncode = async (lines) => {
      if (lines > 360) await mayGoOn.promise;
    };
    const { id, state } = await archive.ingest(await filmToEncode(archive, 9));
    expect(state).toBe('Processed');
    expect(await namesInMaster(archive, id)).toEqual(['360p']);
    const { store, pool } = archive.context;
    const segment = `${toVideoKeys(id).hls}/360p/00000.m4s`;
    const [first, version] = [await storedBytes(store, segment), await findStreamVersion(pool, id)];
    mayGoOn.resolve();
    expect(await afterLarger(archive, id)).toMatchObject({ state: 'done', result: { renditions: 1 } });
    expect(await namesInMaster(archive, id)).toEqual(['360p', '480p']);
    expect(await lengthsOf(archive, id, '480p')).toEqual(await lengthsOf(archive, id, '360p'));
    expect((await storedBytes(store, segment)).equals(first)).toBe(true);
    expect(await findStreamVersion(pool, id)).not.toBe(version);
  },
);

test.skipIf(!canMakeMedia)('a film whose larger sizes cannot be made plays on in its smallest', { timeout: 120_000 }, async () => {
  const archive = archives.get('ffmpeg') as TestIngest;
  beforeEncode = (lines) => {
    if (lines > 360) throw new StepFailure({ is: 'bad-media', code: 'too_much_memory' }, 'It took too much.');
  };
  const { id } = await archive.ingest(await filmToEncode(archive, 3));
  const isGivenUp = (record?: StepRecord) => record?.state === 'failed' && record.attempts === serverLimits.triesPerJob && record;
  const failed = await until(async () => isGivenUp(await stepOf(archive, id, largerRenditions.name)), { withinMs: 60_000 });
  expect(failed.message).toContain('memory');
  expect((await findFootage(archive.context.pool, id))?.state).toBe('Processed');
  expect(await namesInMaster(archive, id)).toEqual(['360p']);
});

test.skipIf(!canMakeMedia)(
  'larger sizes that are not cut where the smallest is take its place with it, all of one making',
  { timeout: 120_000 },
  async () => {
    const archive = archives.get('node-av') as TestIngest;
    const encoded: number[] = [];
    const path = await filmToEncode(archive, 10);
    beforeEncode = async (lines) => {
      encoded.push(lines);
      const { rows } = await archive.context.pool.query<{ id: string }>('select id from videos order by created_at desc limit 1');
      const playlist = `${toVideoKeys(rows[0]?.id ?? '').hls}/360p/index.m3u8`;
      const stored = await readStored(archive.context.store, playlist);
      // As another tool might have cut it.
      if (lines > 360 && stored) await archive.context.store.put(playlist, Buffer.from(String(stored).replace('#EXTINF:4', '#EXTINF:3')));
    };
    const { id } = await archive.ingest(path);
    expect((await afterLarger(archive, id)).state).toBe('done');
    expect(encoded).toEqual([360, 480, 480]);
    expect(await namesInMaster(archive, id)).toEqual(['360p', '480p']);
    expect((await lengthsOf(archive, id, '360p'))[0]).toMatch(/^#EXTINF:4/);
    expect(await lengthsOf(archive, id, '480p')).toEqual(await lengthsOf(archive, id, '360p'));
  },
);

test.skipIf(!canMakeMedia)(
  'a film that plays is not made smaller: done again, it has all its sizes at once',
  { timeout: 120_000 },
  async () => {
    const archive = archives.get('ffmpeg') as TestIngest;
    const encoded: number[] = [];
    beforeEncode = (lines) => void encoded.push(lines);
    const { id } = await archive.ingest(await filmToEncode(archive, 4));
    await afterLarger(archive, id);
    await runStepAgain(archive.context, { videoId: id, step: renditions.name });
    const skipped = { state: 'skipped', message: 'The video has all its sizes already.' };
    await until(async () => (await stepOf(archive, id, largerRenditions.name))?.state === 'skipped');
    expect(await stepOf(archive, id, largerRenditions.name)).toMatchObject(skipped);
    expect(encoded).toEqual([360, 480, 480]);
    expect(await namesInMaster(archive, id)).toEqual(['360p', '480p']);
  },
);

test.skipIf(!canMakeMedia)('a film that plays as it is has no larger sizes', { timeout: 60_000 }, async () => {
  const archive = archives.get('ffmpeg') as TestIngest;
  const clip = join(archive.scratch, 'clip.mp4');
  await makeClip(clip);
  const { videoId } = await importFile(archive.context, clip);
  expect(await afterLarger(archive, videoId)).toMatchObject({ state: 'skipped', message: 'The video has all its sizes already.' });
  expect(await namesInMaster(archive, videoId)).toEqual(['180p']);
});
