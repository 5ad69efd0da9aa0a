import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import jpeg from 'jpeg-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBothTools } from '#testing/both-media-tools.ts';
import { canMakeMedia, makeMedia } from '#testing/media-clips.ts';
import { countEncoderThreads, samplesPerSecond } from '../media/media-plans.ts';
import { measureFramesPerSecond } from '../media/plays-as-it-is.ts';
import { StepFailure } from '../step-failure.ts';
import type { MediaTools } from './media-tools.ts';

const scratch = await mkdtemp(join(tmpdir(), 'rushes-stretch-'));
const film = join(scratch, 'film.mkv');
const plain = { rotation: 0, deinterlace: false, dynamicRange: 'standard' } as const;
let tools: Record<'ffmpeg' | 'node-av', MediaTools>;

/** Red for two seconds, green for two, blue for two, late on its clock; a tone that begins with the fourth second. */
beforeAll(async () => {
  tools = await openBothTools(scratch);
  const colour = (name: string) => ['-f', 'lavfi', '-i', `color=${name}:s=64x36:r=25:d=2`];
  const inputs = [...colour('red'), ...colour('lime'), ...colour('blue'), '-f', 'lavfi', '-i', 'sine=d=2:r=44100'];
  const graph = '[0][1][2]concat=n=3[v];[3]adelay=4000:all=1[a]';
  const encode = ['-map', '[v]', '-map', '[a]', '-c:v', 'libx264', '-g', '200', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];
  if (canMakeMedia) await makeMedia([...inputs, '-filter_complex', graph, ...encode, '-output_ts_offset', '60', film]);
}, 60_000);
afterAll(() => rm(scratch, { recursive: true, force: true }));

const input = { path: film, outputFolder: scratch, timeoutMs: 60_000 };
const colours = ['red', 'green', 'blue'];

test.skipIf(!canMakeMedia).each(['ffmpeg', 'node-av'] as const)(
  'a stretch is drawn by %s as its pictures stand at their seconds, and ends where it should',
  { timeout: 60_000 },
  async (name) => {
    const { startSeconds, video } = (await tools[name].lookAt(input)).description;
    const path = join(scratch, `${name}.rgb`);
    const size = { width: 32, height: 18 };
    const plan = {
      stream: video?.index ?? 0,
      ...plain,
      startSeconds,
      ...size,
      path,
    };
    const drawn = async (stretch: { fromSeconds: number; lengthSeconds: number; everySeconds: number }) => {
      await tools[name].drawPictures(input, { ...plan, ...stretch });
      const bytes = await readFile(path);
      const middles = Array.from({ length: bytes.length / (32 * 18 * 3) }, (_, n) =>
        bytes.subarray((n * 32 * 18 + 9 * 32 + 16) * 3).subarray(0, 3),
      );
      return middles.map((rgb) => colours[rgb.indexOf(Math.max(...rgb))]);
    };
    const halves = await drawn({ fromSeconds: 1.25, lengthSeconds: 4, everySeconds: 0.5 });
    expect(halves).toEqual(['red', 'red', 'green', 'green', 'green', 'green', 'blue', 'blue']);
    expect(await drawn({ fromSeconds: 0.5, lengthSeconds: 4, everySeconds: 2 })).toEqual(['red', 'green']);
    // What comes after its last picture is known before it ends.
    expect((await drawn({ fromSeconds: 0, lengthSeconds: 4.5, everySeconds: 2 }))[0]).toBe('red');
  },
);

test.skipIf(!canMakeMedia).each(['ffmpeg', 'node-av'] as const)(
  'a poster is drawn by %s of the picture that is shown at its second, however long it stands',
  { timeout: 60_000 },
  async (name) => {
    const slides = { ...input, path: join(scratch, 'second-slides.mkv') };
    const slide = (colour: string) => ['-f', 'lavfi', '-i', `color=${colour}:s=64x36:r=1/2:d=4`];
    const inputs = [...slide('red'), ...slide('lime'), ...slide('blue'), '-f', 'lavfi', '-i', 'sine=d=14:r=44100'];
    const encode = ['-map', '[v]', '-map', '3', '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'pcm_s16le', '-output_ts_offset', '60'];
    await makeMedia([...inputs, '-filter_complex', '[0][1][2]concat=n=3[v]', ...encode, slides.path]);
    const { startSeconds, video } = (await tools[name].lookAt(slides)).description;
    const path = join(scratch, `${name}.jpg`);
    const plan = {
      stream: video?.index ?? 0,
      ...plain,
      startSeconds,
      width: 32,
      height: 18,
      path,
    };
    const drawnAt = async (atSeconds: number) => {
      await tools[name].drawPoster(slides, { ...plan, atSeconds });
      const { data } = jpeg.decode(await readFile(path));
      const rgb = data.subarray((9 * 32 + 16) * 4).subarray(0, 3);
      return colours[rgb.indexOf(Math.max(...rgb))];
    };
    const seconds = [0, 3.5, 4, 7, 7.99, 9, 13];
    const drawn = [];
    for (const second of seconds) drawn.push(await drawnAt(second));
    expect(drawn).toEqual(['red', 'red', 'green', 'green', 'green', 'blue', 'blue']);
  },
);

test.skipIf(!canMakeMedia).each(['ffmpeg', 'node-av'] as const)(
  'a picture that stands since before a stretch is drawn by %s from its start on, in colour and in grey',
  { timeout: 60_000 },
  async (name) => {
    const slides = { ...input, path: join(scratch, 'slides.mkv') };
    const slide = (colour: string) => ['-f', 'lavfi', '-i', `color=${colour}:s=64x36:r=1/10:d=40`];
    const encode = ['-filter_complex', '[0][1]concat=n=2', '-c:v', 'libx264', '-g', '3', '-pix_fmt', 'yuv420p'];
    await makeMedia([...slide('black'), ...slide('white'), ...encode, slides.path]);
    const { startSeconds, video } = (await tools[name].lookAt(slides)).description;
    const folder = await mkdtemp(join(scratch, 'stills-'));
    const [size, path] = [{ width: 32, height: 18 }, join(scratch, `${name}.slides`)];
    const source = {
      stream: video?.index ?? 0,
      ...plain,
      startSeconds,
      ...size,
      path,
    };
    const stretch = { fromSeconds: 35, lengthSeconds: 8, everySeconds: 1 };
    const brightness = async (bytesPerPicture: number) => {
      const bytes = await readFile(path);
      return Array.from({ length: 8 }, (_, n) => ((bytes[n * bytesPerPicture + bytesPerPicture / 2] ?? 0) > 127 ? 1 : 0));
    };
    const changed = [0, 0, 0, 0, 0, 1, 1, 1];
    await tools[name].drawPictures(slides, { ...source, ...stretch });
    expect(await brightness(32 * 18 * 3)).toEqual(changed);
    await tools[name].drawGrey(slides, { ...source, ...stretch, stills: { everySeconds: 3, ...size, folder } });
    expect(await brightness(32 * 18)).toEqual(changed);
    expect((await readdir(folder)).length).toBeGreaterThanOrEqual(3);
  },
);

test.skipIf(!canMakeMedia).each(['ffmpeg', 'node-av'] as const)(
  'a stretch of the sound is drawn by %s at its seconds, with silence where the track has none',
  { timeout: 60_000 },
  async (name) => {
    const { startSeconds, audio } = (await tools[name].lookAt(input)).description;
    const path = join(scratch, `${name}.pcm`);
    const plan = { stream: audio?.index ?? 0, startSeconds, path };
    await tools[name].drawSound(input, { ...plan, fromSeconds: 3, lengthSeconds: 2 });
    const bytes = await readFile(path);
    const loudest = (from: number, to: number) => {
      const half = bytes.subarray(from * samplesPerSecond * 2, to * samplesPerSecond * 2);
      return Math.max(...new Int16Array(half.buffer.slice(half.byteOffset, half.byteOffset + half.byteLength)).map(Math.abs));
    };
    expect(bytes.length / 2 / samplesPerSecond).toBeCloseTo(2, 1);
    expect(loudest(0, 0.9)).toBeLessThan(200);
    expect(loudest(1.1, 1.9)).toBeGreaterThan(2_000);
  },
);

test.skipIf(!canMakeMedia).each(['ffmpeg', 'node-av'] as const)(
  'an H.264 film in fields, and pixels that only the container says are wide, are read by %s',
  { timeout: 60_000 },
  async (name) => {
    const clip = async (file: string, encode: string[]) => {
      const path = join(scratch, `${name}-${file}`);
      await makeMedia(['-f', 'lavfi', '-i', 'testsrc=s=64x48:r=25:d=1', '-c:v', 'libx264', '-pix_fmt', 'yuv420p', ...encode, path]);
      return path;
    };
    const read = async (path: string) => (await tools[name].lookAt({ ...input, path })).description.video;
    const plain = await clip('plain.mkv', []);
    const fields = await clip('fields.mkv', ['-vf', 'setfield=tff', '-flags', '+ilme+ildct', '-x264-params', 'tff=1']);
    const wide = join(scratch, `${name}-wide.mkv`);
    await makeMedia(['-i', plain, '-c', 'copy', '-aspect', '16:9', wide]);
    expect(await read(plain)).toMatchObject({ interlaced: false, pixelAspect: 1 });
    expect(await read(fields)).toMatchObject({ interlaced: true });
    expect((await read(wide))?.pixelAspect).toBeCloseTo(4 / 3, 2);
  },
);

test.skipIf(!canMakeMedia).each([
  ['moves for a second and stands for nine keeps its motion', "select='lt(t,1)+not(mod(n,100))'", 100, 500],
  ['keeps to five pictures a second stays at those', 'fps=5', 20, 50],
])('a film that %s with node-av', { timeout: 60_000 }, async (_, shape, picturesMin, picturesMax) => {
  const folder = await mkdtemp(join(scratch, 'rates-'));
  const path = join(folder, 'film.mkv');
  const held = ['-vf', shape, '-fps_mode', 'vfr', '-c:v', 'libx264', '-bf', '0', '-pix_fmt', 'yuv420p'];
  await makeMedia(['-f', 'lavfi', '-i', 'testsrc=s=64x48:r=50:d=10', ...held, path]);
  const { description, scan } = await tools['node-av'].lookAt({ ...input, path });
  if (!description.video || !scan.video) throw new Error('no picture');
  const video = {
    stream: 0,
    ...plain,
    framesPerSecond: measureFramesPerSecond(scan.video),
    frameRateMax: null,
  };
  const renditions = [{ folder, width: 64, height: 48, maxKilobitsPerSecond: 500 }];
  await tools['node-av'].encodeRenditions(
    { ...input, path, outputFolder: folder },
    { video, audioStream: null, startSeconds: 0, threads: 2, renditions },
  );
  const firstSeconds = await Promise.all(['init.mp4', '00000.m4s'].map((file) => readFile(join(folder, file))));
  await writeFile(join(folder, 'first.mp4'), Buffer.concat(firstSeconds));
  const first = (await tools['node-av'].lookAt({ ...input, path: join(folder, 'first.mp4') })).scan.video;
  expect(first?.packets).toBeGreaterThanOrEqual(picturesMin);
  expect(first?.packets).toBeLessThanOrEqual(picturesMax);
});

test.skipIf(!canMakeMedia).each(['ffmpeg', 'node-av'] as const)(
  'which subtitles players show by themselves, are forced, or tell sounds is read by %s',
  { timeout: 60_000 },
  async (name) => {
    const [text, path] = [join(scratch, 'text.srt'), join(scratch, `${name}-marked.mkv`)];
    await writeFile(text, '1\n00:00:00,000 --> 00:00:01,000\nHello\n');
    const inputs = ['-f', 'lavfi', '-i', 'color=red:s=64x36:r=5:d=1', '-i', text];
    const marks = ['default', 'forced', 'hearing_impaired'].flatMap((mark, n) => [`-disposition:s:${n}`, mark]);
    await makeMedia([...inputs, ...['0', '1', '1', '1'].flatMap((n) => ['-map', n]), '-c:s', 'srt', ...marks, path]);
    const { subtitles } = (await tools[name].lookAt({ ...input, path })).description;
    const unmarked = { preferred: false, forced: false, hearingImpaired: false };
    expect(subtitles).toMatchObject([
      { ...unmarked, preferred: true },
      { ...unmarked, forced: true },
      { ...unmarked, hearingImpaired: true },
    ]);
  },
);

test.skipIf(!canMakeMedia).each(['ffmpeg', 'node-av'] as const)(
  'what %s cannot do is said in a sentence, and what it said itself is kept for whoever looks into it',
  { timeout: 60_000 },
  async (name) => {
    const plan = { stream: 9, startSeconds: 0, fromSeconds: 0, lengthSeconds: 1, path: join(scratch, 'none.pcm') };
    const failure = await tools[name].drawSound(input, plan).catch((error: unknown) => error);
    if (!(failure instanceof StepFailure)) throw failure;
    expect(failure.message).toMatch(/^[A-Z][a-z ]+(: [a-z ]+)?\.$/);
    expect(failure.details).toMatch(/9.*\n(.*\n)*It ended with exit code \d+\.$/);
  },
);

test.skipIf(!canMakeMedia).each(['ffmpeg', 'node-av'] as const)(
  'an encode by %s takes the threads of its plan, not as many as the machine has processors',
  { timeout: 60_000 },
  async (name) => {
    const { startSeconds, video } = (await tools[name].lookAt(input)).description;
    const folder = join(scratch, `encoded-${name}`);
    await mkdir(folder);
    const picture = {
      stream: video?.index ?? 0,
      ...plain,
      framesPerSecond: 25,
      frameRateMax: null,
    };
    const renditions = [{ folder, width: 640, height: 360, maxKilobitsPerSecond: 800 }];
    await tools[name].encodeRenditions(input, { video: picture, audioStream: null, startSeconds, renditions, threads: 2 });
    // The encoder writes into its stream how it was set.
    expect(await readFile(join(folder, '00000.m4s'), 'latin1')).toMatch(/ threads=2 /);
  },
);

test('an encoder gets half again as many threads as there are processors, and four at most: each holds pictures of its own', () => {
  expect([1, 2, 4, 8, 64].map(countEncoderThreads)).toEqual([2, 3, 4, 4, 4]);
});
