import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { ensureSpace, listLocalMedia } from '#domain/files/stage-file.ts';
import { chooseRenditionSizes, type RenditionSize, type Size, uprightSizeOf } from '../media/geometry.ts';
import { countEncoderThreads, toPictureTrack } from '../media/media-plans.ts';
import { framesPerSecondMax, measureFramesPerSecond, playsAsItIs } from '../media/plays-as-it-is.ts';
import { preparePassInput } from '../original-input.ts';
import type { Step, StepContext, StepOutcome } from '../step.ts';
import { makeRefusal, StepFailure } from '../step-failure.ts';
import { requireWhole } from '../whole-output.ts';
import { type ProbeResult, probe } from './probe.ts';
import { type StillsResult, stills } from './stills.ts';

const RenditionsResult = z.object({
  /** The length that players will see; from the decoded film where it was decoded. */
  durationInSeconds: z.number(),
  streamingPreset: z.enum(['SingleBitrate', 'AdaptiveBitrate']),
});
type RenditionsResult = z.infer<typeof RenditionsResult>;

/** Makes the film playable: its own tracks cut into segments where browsers play them, else encoded in several sizes. */
export const renditions: Step<RenditionsResult> = {
  name: 'renditions',
  version: 1,
  needs: [probe, stills],
  optional: false,
  class: 'playable',
  share: 74,
  Result: RenditionsResult,
  run: makeRenditions,
};

async function makeRenditions(context: StepContext): Promise<StepOutcome<RenditionsResult>> {
  const probed = context.resultOf(probe);
  const drawn = context.resultOf(stills);
  const hls = join(context.workFolder, 'hls');
  await mkdir(hls);
  const asItIs = drawn.decodesCleanly && playsAsItIs(probed) ? await copy(context, probed, hls) : undefined;
  const isRight =
    asItIs !== undefined && Math.abs(asItIs.durationInSeconds - probed.durationInSeconds) < 0.5 + probed.durationInSeconds * 0.02;
  const playable = await keep(context, isRight ? [asItIs] : await encode(context, probed, hls), hls);
  const durationInSeconds = isTrueLength(probed, drawn) ? probed.durationInSeconds : playable;
  return { is: 'done', result: { durationInSeconds, streamingPreset: isRight ? 'SingleBitrate' : 'AdaptiveBitrate' } };
}

/** Encodes a film that was taken as it is and cannot be decoded without complaint: what players get of it then holds together. */
export async function encodeAfterAll(context: StepContext): Promise<RenditionsResult> {
  const hls = join(context.workFolder, 'hls');
  await mkdir(hls);
  const durationInSeconds = await keep(context, await encode(context, context.resultOf(probe), hls), hls);
  return { durationInSeconds, streamingPreset: 'AdaptiveBitrate' };
}

/** Puts the renditions into the store, below their master playlist; the length of the longest, in seconds. */
async function keep(context: StepContext, made: readonly Rendition[], hls: string): Promise<number> {
  const playable = Math.max(...made.map((rendition) => rendition.durationInSeconds));
  if (!(playable > 0)) throw makeRefusal('unreadable_media', 'Nothing in the file can be played.');
  await writeFile(join(hls, 'master.m3u8'), writeMasterPlaylist(made));
  await context.store.putFolder(context.video.keys.hls, { path: hls });
  return playable;
}

/** Whether the packets' own times hold: the whole film was decoded without complaint, and its clock never jumped. */
function isTrueLength({ scan }: ProbeResult, { decodesCleanly }: StillsResult): boolean {
  return decodesCleanly && (scan.video?.timeJumps ?? 0) === 0 && (scan.audio?.timeJumps ?? 0) === 0;
}

async function copy(context: StepContext, probed: ProbeResult, hls: string): Promise<Rendition> {
  const { video, audio, startSeconds } = probed.description;
  const size = video ? uprightSizeOf(video) : null;
  const name = size ? `${Math.min(size.width, size.height)}p` : 'sound';
  const folder = join(hls, name);
  await mkdir(folder);
  const original = await context.store.stat(context.video.keys.original);
  await requireRoom(context, original?.sizeBytes ?? 0);
  const input = await preparePassInput(context, probed.durationInSeconds);
  await context.tools.copyRendition(input, { videoStream: video?.index ?? null, audioStream: audio?.index ?? null, startSeconds, folder });
  await requireWhole(await filesIn(folder), context.workFolder);
  return await readRendition(folder, { name, size });
}

async function encode(context: StepContext, probed: ProbeResult, hls: string): Promise<Rendition[]> {
  const { video, audio, startSeconds } = probed.description;
  const sizes: RenditionSize[] = video
    ? chooseRenditionSizes(uprightSizeOf(video))
    : [{ name: 'sound', width: 0, height: 0, maxKilobitsPerSecond: 0 }];
  await rm(hls, { recursive: true });
  await mkdir(hls);
  const kilobitsPerSecond = sizes.reduce((sum, size) => sum + size.maxKilobitsPerSecond * usualShare + soundKilobitsPerSecond, 0);
  await requireRoom(context, (kilobitsPerSecond * 1_000 * probed.durationInSeconds) / 8);
  const wanted = sizes.map((size) => ({ ...size, folder: join(hls, size.name) }));
  for (const { folder } of wanted) await mkdir(folder);
  const rate = probed.scan.video ? measureFramesPerSecond(probed.scan.video) : framesPerSecondMax;
  const picture = video && {
    ...toPictureTrack(video),
    framesPerSecond: rate,
    frameRateMax: rate > framesPerSecondMax + 1 ? framesPerSecondMax : null,
  };
  const input = await preparePassInput(context, probed.durationInSeconds);
  const threads = countEncoderThreads(availableParallelism());
  const plan = { video: picture, audioStream: audio?.index ?? null, startSeconds, threads, renditions: wanted };
  await context.tools.encodeRenditions(input, plan).catch(withoutBlame);
  for (const { folder } of wanted) await requireWhole(await filesIn(folder), context.workFolder);
  return await Promise.all(
    wanted.map((rendition) => readRendition(rendition.folder, { name: rendition.name, size: video ? rendition : null })),
  );
}

/** Of the highest bit rates, which few pictures need all the time. */
const usualShare = 0.5;
const soundKilobitsPerSecond = 128;

/** Throws `storage_full` where what is about to be made would not fit beside the reserve: after hours it would be thrown away, and begun again. */
async function requireRoom(context: StepContext, neededBytes: number): Promise<void> {
  await ensureSpace([context.workFolder, ...listLocalMedia(context)], neededBytes, context.reserveBytes);
}

/** The film was read before within the same memory: it is the encoders that took more, and that is no reason to throw it away. */
function withoutBlame(error: unknown): never {
  const tookTooMuch = error instanceof StepFailure && error.kind.is === 'bad-media' && error.kind.code === 'too_much_memory';
  if (!tookTooMuch) throw error;
  throw new StepFailure({ is: 'try-again' }, 'Encoding the video took more than 2 GB of memory and was stopped.', { cause: error });
}

async function filesIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).map((name) => join(folder, name));
}

/** One playlist of a film as its master playlist names it. */
interface Rendition {
  /** Folder below the master playlist. */
  readonly name: string;
  readonly durationInSeconds: number;
  readonly averageBitsPerSecond: number;
  readonly peakBitsPerSecond: number;
  readonly codecs: string;
  readonly size: Size | null;
}

/** Reads back what a tool wrote: the length that really is there, bit rates, and codec names from the first segment's header. */
async function readRendition(folder: string, about: { name: string; size: Size | null }): Promise<Rendition> {
  const playlist = await readFile(join(folder, 'index.m3u8'), 'utf8');
  const segments = [...playlist.matchAll(/#EXTINF:([\d.]+),.*\r?\n(\S+)/g)].map(([, seconds, file]) => ({
    seconds: Number(seconds),
    file: file ?? '',
  }));
  const bits = await Promise.all(segments.map(async ({ file }) => (await stat(join(folder, file))).size * 8));
  const durationInSeconds = segments.reduce((sum, { seconds }) => sum + seconds, 0);
  const peaks = segments.map(({ seconds }, n) => (bits[n] ?? 0) / Math.max(seconds, 0.5));
  const allBits = bits.reduce((sum, size) => sum + size, 0);
  return {
    ...about,
    durationInSeconds,
    averageBitsPerSecond: Math.ceil(allBits / Math.max(durationInSeconds, 0.5)),
    peakBitsPerSecond: Math.ceil(peaks.reduce((peak, rate) => Math.max(peak, rate), 1)),
    codecs: codecsOf(await readFile(join(folder, 'init.mp4'))),
  };
}

/** The master playlist over these renditions, the best last as players that pick the first one start small. */
function writeMasterPlaylist(renditions: readonly Rendition[]): string {
  const entries = renditions
    .toSorted((a, b) => a.peakBitsPerSecond - b.peakBitsPerSecond)
    .flatMap((rendition) => {
      const attributes = [
        `BANDWIDTH=${rendition.peakBitsPerSecond}`,
        `AVERAGE-BANDWIDTH=${rendition.averageBitsPerSecond}`,
        ...(rendition.codecs ? [`CODECS="${rendition.codecs}"`] : []),
        ...(rendition.size ? [`RESOLUTION=${rendition.size.width}x${rendition.size.height}`] : []),
      ];
      return [`#EXT-X-STREAM-INF:${attributes.join(',')}`, `${rendition.name}/index.m3u8`];
    });
  return ['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-INDEPENDENT-SEGMENTS', ...entries, ''].join('\n');
}

/** RFC 6381 names from an fMP4 header: the profile bytes stand right after the box name `avcC`. */
function codecsOf(header: Buffer): string {
  const avc = header.indexOf('avcC', 0, 'latin1');
  const video = avc === -1 ? [] : [`avc1.${header.subarray(avc + 5, avc + 8).toString('hex')}`];
  const audio = header.includes('mp4a', 0, 'latin1') ? ['mp4a.40.2'] : [];
  return [...video, ...audio].join(',');
}
