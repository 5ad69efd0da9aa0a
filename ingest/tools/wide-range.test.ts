import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBothTools } from '#testing/both-media-tools.ts';
import { canMakeMedia, makeMedia } from '#testing/media-clips.ts';
import type { VideoStream } from '../media/media-description.ts';
import { toPictureTrack } from '../media/media-plans.ts';
import type { MediaTools } from './media-tools.ts';

const scratch = await mkdtemp(join(tmpdir(), 'rushes-wide-'));
let tools: Record<'ffmpeg' | 'node-av', MediaTools>;
beforeAll(async () => {
  tools = await openBothTools(scratch);
}, 60_000);
afterAll(() => rm(scratch, { recursive: true, force: true }));

const wide = [
  { range: 'pq', transfer: 'smpte2084' },
  { range: 'hlg', transfer: 'arib-std-b67' },
] as const;

test.skipIf(!canMakeMedia).each(
  wide.flatMap((one) => [
    { ...one, name: 'ffmpeg' as const },
    { ...one, name: 'node-av' as const },
  ]),
)(
  'a film of a wide range of light ($range) is as bright in what $name makes of it as it is meant, and its renditions say so of themselves',
  { timeout: 60_000 },
  async ({ name, range, transfer }) => {
    const folder = join(scratch, `${range}-${name}`);
    await mkdir(folder);
    const path = join(folder, 'wide.mp4');
    const told = ['-color_primaries', 'bt2020', '-color_trc', transfer, '-colorspace', 'bt2020nc'];
    const grey = ['-f', 'lavfi', '-i', 'color=gray:s=66x38:r=25:d=1'];
    await makeMedia([...grey, '-c:v', 'libx264', '-pix_fmt', 'yuv420p10le', ...told, path]);
    const source = { path, outputFolder: folder, timeoutMs: 60_000 };
    const { video, startSeconds } = (await tools[name].lookAt(source)).description;
    expect(video?.dynamicRange).toBe(range);
    if (!video) return;
    const renditions = [{ folder, width: 66, height: 38, maxKilobitsPerSecond: 800 }];
    const picture = { ...toPictureTrack(video), framesPerSecond: 25, frameRateMax: null };
    await tools[name].encodeRenditions(source, { video: picture, audioStream: null, startSeconds, renditions, threads: 2 });
    const parts = await Promise.all(['init.mp4', '00000.m4s'].map((file) => readFile(join(folder, file))));
    const made = { ...source, path: join(folder, 'made.mp4') };
    await writeFile(made.path, Buffer.concat(parts));
    const ofMade = (await tools[name].lookAt(made)).description.video;
    expect(ofMade?.dynamicRange).toBe('standard');
    const lightIn = async (of: typeof source, track: VideoStream) => {
      const size = { width: 33, height: 19 };
      const stretch = { startSeconds: 0, fromSeconds: 0, lengthSeconds: 0.5, everySeconds: 0.5, path: join(folder, 'picture.rgb') };
      await tools[name].drawPictures(of, { ...toPictureTrack(track), ...size, ...stretch });
      return (await readFile(stretch.path))[0] ?? 0;
    };
    const [drawn, asItIs] = [await lightIn(source, video), await lightIn(source, { ...video, dynamicRange: 'standard' })];
    expect(asItIs).toBeCloseTo(128, -1);
    // Half of the signal: 92 and 50 of the 100 cd/m² that are white on an ordinary screen.
    expect(drawn).toBeGreaterThan(range === 'pq' ? 205 : 175);
    expect(drawn).toBeLessThan(range === 'pq' ? 240 : 200);
    if (ofMade) expect(Math.abs((await lightIn(made, ofMade)) - drawn)).toBeLessThan(4);
  },
);
