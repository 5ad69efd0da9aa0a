import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import jpeg from 'jpeg-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readFrame } from '#domain/files/frame-pack.ts';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { canMakeMedia, makeClip, makeMedia } from '#testing/media-clips.ts';
import { storedBytes } from '#testing/stored-bytes.ts';
import { openTestIngest, type TestIngest } from '#testing/test-ingest.ts';
import { until } from '#testing/until.ts';
import { bundleChild } from './node-av-tools.ts';
import { runTool } from './run-tool.ts';

let bare: TestIngest;
beforeAll(async () => {
  bare = await openTestIngest({ ffmpegPath: undefined, searchPath: '' });
});
afterAll(() => bare.close());

test('on a machine without ffmpeg the package’s own is used', () => {
  expect(bare.context.tools.name).toContain('node-av');
});

test('its child begins with one file that holds all it loads, once that is made, and does the same', { timeout: 120_000 }, async () => {
  const source = join(import.meta.dirname, 'node-av-child.ts');
  const child = bundleChild(source);
  expect(child()).toBe(source);
  const bundle = await until(() => child() !== source && child(), { withinMs: 100_000 });
  const job = JSON.stringify({ do: 'look-at', path: source });
  const { stdout } = await runTool({ command: process.execPath, args: [bundle, job], env: {}, timeoutMs: 60_000 });
  expect(stdout).toContain('unreadable_media');
});

test.skipIf(!canMakeMedia)(
  'without ffmpeg an H.264 clip is cut as it is, with stills, storyboard and poster',
  { timeout: 60_000 },
  async () => {
    const path = join(bare.scratch, 'plain.mp4');
    await makeClip(path);
    const video = await bare.ingest(path);
    expect(video).toMatchObject({ state: 'Processed' });
    const files = toVideoKeys(video.id);
    const bytes = (key: string) => storedBytes(bare.context.store, key);
    const frame = await readFrame(bare.context.store, files.framePack, 1);
    expect(jpeg.decode(frame ?? Buffer.alloc(0))).toMatchObject({ width: 320, height: 180 });
    expect(JSON.parse(String(await bytes(files.storyboardIndex)))).toMatchObject({ columns: 2, rows: 1, count: 2, intervalSeconds: 2 });
    expect(jpeg.decode(await bytes(files.storyboard))).toMatchObject({ width: 320, height: 90 });
    expect(String(await bytes(`${files.hls}/master.m3u8`))).toMatch(/RESOLUTION=320x180\n180p/);
  },
);

test.skipIf(!canMakeMedia)('a storyboard counts no tile for the second at which a film ends', { timeout: 60_000 }, async () => {
  const path = join(bare.scratch, 'two-seconds.mp4');
  await makeClip(path, ['-t', '2']);
  const { storyboardIndex } = toVideoKeys((await bare.ingest(path)).id);
  const storyboard = JSON.parse(String(await storedBytes(bare.context.store, storyboardIndex)));
  expect(storyboard).toMatchObject({ count: 1, intervalSeconds: 2 });
});

test.skipIf(!canMakeMedia)(
  'without ffmpeg a film in another codec and late on its clock is encoded with its subtitles in time',
  {
    timeout: 60_000,
  },
  async () => {
    const path = join(bare.scratch, 'odd.mkv');
    await writeFile(join(bare.scratch, 'odd-text.srt'), '1\n00:00:01,000 --> 00:00:02,000\nHello <i>there</i>\n');
    const inputs = [
      '-f',
      'lavfi',
      '-i',
      'testsrc=s=642x480:r=25:d=3',
      '-f',
      'lavfi',
      '-i',
      'sine=d=3',
      '-i',
      join(bare.scratch, 'odd-text.srt'),
    ];
    await makeMedia([
      ...inputs,
      '-map',
      '0',
      '-map',
      '1',
      '-map',
      '2',
      '-c:v',
      'mpeg4',
      '-c:a',
      'libvorbis',
      '-c:s',
      'srt',
      '-output_ts_offset',
      '60',
      path,
    ]);
    const video = await bare.ingest(path);
    expect(video).toMatchObject({ state: 'Processed' });
    const files = toVideoKeys(video.id);
    const bytes = (key: string) => storedBytes(bare.context.store, key);
    expect(String(await bytes(files.captions))).toMatch(/00:00:01\.00\d --> 00:00:02\.00\d\nHello there/);
    const master = String(await bytes(`${files.hls}/master.m3u8`));
    expect(master).toContain('RESOLUTION=482x360');
    expect(String(await bytes(`${files.hls}/360p/index.m3u8`))).toMatch(/#EXTINF:3\.0/);
  },
);

test.skipIf(!canMakeMedia)(
  'without ffmpeg a recording without pictures plays, and what is no footage is refused',
  { timeout: 60_000 },
  async () => {
    await makeMedia(['-f', 'lavfi', '-i', 'sine=d=3', '-c:a', 'libmp3lame', join(bare.scratch, 'voice.mp3')]);
    expect(await bare.ingest(join(bare.scratch, 'voice.mp3'))).toMatchObject({ state: 'Processed' });
    await writeFile(join(bare.scratch, 'text.mp4'), 'hello\n'.repeat(500));
    expect(await bare.ingest(join(bare.scratch, 'text.mp4'))).toMatchObject({ state: 'Failed', failureCode: 'unreadable_media' });
  },
);

test.skipIf(!canMakeMedia).each([
  ['a codec that is not among those of footage', ['testsrc=d=2:s=320x180', '-c:v', 'magicyuv'], 'codec.mkv'],
  ['a picture of 256 million pixels', ['color=s=16000x16000:d=1:r=1', '-frames:v', '1', '-c:v', 'png'], 'huge.mkv'],
])('without ffmpeg %s is refused before a decoder meets it', { timeout: 90_000 }, async (_, encode, name) => {
  await makeMedia(['-f', 'lavfi', '-i', ...encode, join(bare.scratch, name)]);
  const { state, failureCode } = await bare.ingest(join(bare.scratch, name));
  expect([state, failureCode]).toEqual(['Failed', expect.stringMatching(/^(unreadable_media|dimensions_too_large)$/)]);
});
