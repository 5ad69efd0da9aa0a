import { type FileHandle, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FFmpegError, type Frame } from 'node-av';
import { Encoder, FilterAPI } from 'node-av/api';
import { AVSEEK_FLAG_BACKWARD, FF_ENCODER_MJPEG } from 'node-av/constants';
import { planPoster } from '../../media/choose-poster.ts';
import {
  type GreyPlan,
  makeEverySecondsFilter,
  makeGreyFilter,
  makePictureFilter,
  makePicturesFilter,
  makeSoundFilter,
  type PicturesPlan,
  type PosterPlan,
  type SoundPlan,
  type StillsPlan,
} from '../../media/media-plans.ts';
import type { DecodeReport } from '../media-tools.ts';
import { decodeFrames, secondOf } from './decode-frames.ts';
import { openInput } from './open-input.ts';
import { makePictureChain } from './picture-chain.ts';

interface Output {
  readonly chain: FilterAPI;
  readonly fileOf: (n: number) => string;
  drawn: number;
}

const smallQuality = 6;
const posterQuality = 3;

/** One decoding pass that draws the small frames, the poster's candidates and the storyboard. */
export async function drawStills(path: string, plan: StillsPlan, onSecond: (second: number) => void): Promise<DecodeReport> {
  const { columns, rows } = plan.storyboard;
  const tile = makeSmallChain(plan, plan.storyboard, `tile=${columns}x${rows}`);
  const outputs: Output[] = [
    { chain: makeSmallChain(plan, plan.frames), fileOf: numberFiles(plan.folder, 'frame'), drawn: 0 },
    { chain: makeSmallChain(plan, plan.candidates), fileOf: numberFiles(plan.folder, 'candidate'), drawn: 0 },
    { chain: tile, fileOf: () => join(plan.folder, 'storyboard.jpg'), drawn: 0 },
  ];
  const count = { brokenPackets: 0, keyFramesOnly: plan.keyFramesOnly };
  await using input = await openInput(path);
  for await (using frame of decodeFrames(input, plan.stream, count)) {
    onSecond(secondOf(frame) - plan.startSeconds);
    for (const output of outputs) await draw(output, output.chain.processAllSync(frame));
  }
  for (const output of outputs) {
    await draw(output, output.chain.flushFramesSync());
    output.chain.close();
  }
  const poster = await planPoster(plan);
  if (poster) await drawPoster(path, poster);
  return { brokenPackets: count.brokenPackets, clean: count.brokenPackets === 0 };
}

/** Filters that draw small pictures at even distances. */
function makeSmallChain(
  plan: Pick<StillsPlan, 'startSeconds' | 'rotation' | 'deinterlace' | 'dynamicRange'>,
  output: StillsPlan['frames'],
  ...more: string[]
): FilterAPI {
  const drawn = [makeEverySecondsFilter(output.everySeconds), makePictureFilter({ ...plan, ...output })];
  return makePictureChain(plan, [...drawn, ...more, 'format=yuvj420p']);
}

function numberFiles(folder: string, name: string): (n: number) => string {
  return (n) => join(folder, `${name}-${String(n).padStart(6, '0')}.jpg`);
}

/** A stretch of the film as raw grey pictures, one behind the other, and stills beside them. */
export async function drawGrey(path: string, plan: GreyPlan, onSecond: (second: number) => void): Promise<void> {
  const begins = { startSeconds: plan.startSeconds + plan.fromSeconds, rotation: plan.rotation };
  await using input = await openInput(path);
  await using file = await open(plan.path, 'w');
  const grey = new FramesFile(file);
  using chain = makePictureChain(begins, [makeGreyFilter(plan)]);
  using stillsChain = makeSmallChain({ ...plan, ...begins }, plan.stills);
  const stills: Output = { chain: stillsChain, fileOf: numberFiles(plan.stills.folder, 'still'), drawn: 0 };
  if (plan.fromSeconds > 0) await input.seek(begins.startSeconds, -1, AVSEEK_FLAG_BACKWARD);
  for await (using frame of decodeFrames(input, plan.stream, { brokenPackets: 0 })) {
    const second = secondOf(frame) - begins.startSeconds;
    if (second >= plan.lengthSeconds) break;
    onSecond(Math.max(0, second));
    await grey.add(chain.processAllSync(frame));
    await draw(stills, stillsChain.processAllSync(frame));
  }
  await grey.add(chain.flushFramesSync());
  await grey.flush();
  await draw(stills, stillsChain.flushFramesSync());
}

const writtenAtOnceBytes = 1_048_576;

/** Raw frames, one behind the other in a file. Many are written at once: a second of sound is fifty of them, and to write one takes longer than to decode it. */
class FramesFile {
  readonly #file: FileHandle;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  async add(frames: Iterable<Frame>): Promise<void> {
    for (const frame of frames) {
      const bytes = frame.toBuffer();
      frame.free();
      this.#waiting.push(bytes);
      this.#waitingBytes += bytes.length;
      // A picture that stands for long comes as hundreds of them, of some megabytes each.
      if (this.#waitingBytes >= writtenAtOnceBytes) await this.flush();
    }
  }

  /** Writes what waits. */
  async flush(): Promise<void> {
    const bytes = Buffer.concat(this.#waiting);
    [this.#waiting, this.#waitingBytes] = [[], 0];
    await this.#file.writeFile(bytes);
  }
}

/** One upright picture: the one that is shown at a second, which began at or before it; where none had begun, the first one after. */
export async function drawPoster(path: string, plan: PosterPlan): Promise<void> {
  await using input = await openInput(path);
  await input.seek(plan.atSeconds + plan.startSeconds, -1, AVSEEK_FLAG_BACKWARD);
  let shown: Frame | null = null;
  for await (using frame of decodeFrames(input, plan.stream, { brokenPackets: 0 })) {
    const isAfter = secondOf(frame) - plan.startSeconds > plan.atSeconds + 0.001;
    if (isAfter && shown) break;
    shown?.free();
    shown = frame.clone();
    if (isAfter) break;
  }
  if (!shown) return;
  using chain = makePictureChain(plan, [makePictureFilter(plan), 'format=yuvj420p']);
  const [picture, ...more] = [...chain.processAllSync(shown), ...chain.flushFramesSync()];
  shown.free();
  for (const one of more) one.free();
  if (!picture) return;
  await writeFile(plan.path, await Encoder.encodeOne(FF_ENCODER_MJPEG, picture, { options: { qmin: posterQuality, qmax: posterQuality } }));
  picture.free();
}

async function draw(output: Output, pictures: Iterable<Frame>): Promise<void> {
  for (const picture of pictures) {
    await writeFile(
      output.fileOf(output.drawn),
      await Encoder.encodeOne(FF_ENCODER_MJPEG, picture, { options: { qmin: smallQuality, qmax: smallQuality } }),
    );
    output.drawn += 1;
    picture.free();
  }
}

/** A stretch of the film as raw colour pictures, one behind the other. */
export async function drawPictures(path: string, plan: PicturesPlan): Promise<void> {
  const startSeconds = plan.startSeconds + plan.fromSeconds;
  using chain = makePictureChain({ startSeconds, rotation: plan.rotation }, [makePicturesFilter(plan)]);
  await drawStretch(path, plan, chain);
}

/** A stretch of the sound, as recognisers want it. */
export async function drawSound(path: string, plan: SoundPlan): Promise<void> {
  const filters = [`asetpts=PTS-${plan.startSeconds + plan.fromSeconds}/TB`, 'atrim=start=0', makeSoundFilter(plan)];
  using chain = FilterAPI.create(filters.join(','), { threads: 1 });
  await drawStretch(path, plan, chain);
}

async function drawStretch(path: string, plan: PicturesPlan | SoundPlan, chain: FilterAPI): Promise<void> {
  await using input = await openInput(path);
  await using file = await open(plan.path, 'w');
  const raw = new FramesFile(file);
  if (plan.fromSeconds > 0) await input.seek(plan.startSeconds + plan.fromSeconds, -1, AVSEEK_FLAG_BACKWARD);
  for await (using frame of decodeFrames(input, plan.stream, { brokenPackets: 0 })) {
    if (secondOf(frame) - plan.startSeconds >= plan.fromSeconds + plan.lengthSeconds) break;
    try {
      await raw.add(chain.processAllSync(frame));
    } catch (error) {
      // The filters end their stretch as soon as they know that its last picture is out, which may be before its end.
      if (error instanceof FFmpegError && error.isEOF) break;
      throw error;
    }
  }
  await raw.add(chain.flushFramesSync());
  await raw.flush();
}
