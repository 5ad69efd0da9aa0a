import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { readStored } from '#domain/files/read-stored.ts';
import { ensureSpace, listLocalMedia } from '#domain/files/stage-file.ts';
import { chooseRenditionSizes, type RenditionSize, type Size, uprightSizeOf } from './media/geometry.ts';
import { countEncoderThreads, toPictureTrack } from './media/media-plans.ts';
import { framesPerSecondMax, measureFramesPerSecond } from './media/plays-as-it-is.ts';
import { preparePassInput } from './original-input.ts';
import type { StepContext } from './step.ts';
import { makeRefusal, StepFailure } from './step-failure.ts';
import type { ProbeResult } from './steps/probe.ts';
import { requireWhole } from './whole-output.ts';

/** One playlist of a film as its master playlist names it. */
interface Rendition {
  /** Folder below the master playlist. */
  readonly name: string;
  /** How long each of its segments is. */
  readonly segmentSeconds: readonly number[];
  readonly durationInSeconds: number;
  readonly averageBitsPerSecond: number;
  readonly peakBitsPerSecond: number;
  readonly codecs: string;
  readonly size: Size | null;
}

/** The sizes that a film is encoded in, the smallest first; one without pictures has its sound alone. */
export function sizesOf({ description: { video } }: ProbeResult): RenditionSize[] {
  return video ? chooseRenditionSizes(uprightSizeOf(video)) : [{ name: 'sound', width: 0, height: 0, maxKilobitsPerSecond: 0 }];
}

/** Cuts the film's own tracks into segments, in the scratch folder of the step. */
export async function copyTracks(context: StepContext, probed: ProbeResult): Promise<Rendition> {
  const { video, audio, startSeconds } = probed.description;
  const size = video ? uprightSizeOf(video) : null;
  const name = size ? `${Math.min(size.width, size.height)}p` : 'sound';
  const folder = join(await emptyFolderOf(context), name);
  await mkdir(folder);
  const original = await context.store.stat(context.video.keys.original);
  await requireRoom(context, original?.sizeBytes ?? 0);
  const input = await preparePassInput(context, probed.durationInSeconds);
  await context.tools.copyRendition(input, { videoStream: video?.index ?? null, audioStream: audio?.index ?? null, startSeconds, folder });
  await requireWhole(await filesIn(folder), context.workFolder);
  return await readRendition(folder, { name, size });
}

/** Encodes the film in these sizes, in one pass over it, in the scratch folder of the step. */
export async function encodeSizes(context: StepContext, probed: ProbeResult, sizes: readonly RenditionSize[]): Promise<Rendition[]> {
  const { video, audio, startSeconds } = probed.description;
  const hls = await emptyFolderOf(context);
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

/**
 * Puts renditions that were made into the store, below their master playlist and in the place of all that were there; returns the length of
 * the longest, in seconds. Throws `unreadable_media` where nothing came of the film.
 */
export async function putRenditions(context: StepContext, made: readonly Rendition[]): Promise<number> {
  const playable = Math.max(...made.map((rendition) => rendition.durationInSeconds));
  if (!(playable > 0)) throw makeRefusal('unreadable_media', 'Nothing in the file can be played.');
  const hls = folderOf(context);
  await writeFile(join(hls, masterName), writeMasterPlaylist(made.map(entryOf)));
  await context.store.putFolder(context.video.keys.hls, { path: hls });
  return playable;
}

/** Seconds by which a segment of one rendition may be longer than that of another: clocks of files count in parts of one. */
const segmentDifferenceMax = 0.05;

/** Whether renditions are cut where the one of this name in the store is. */
export async function fitsRendition(
  { store, video }: StepContext,
  { name }: Pick<Rendition, 'name'>,
  made: readonly Rendition[],
): Promise<boolean> {
  const stored = readSegments(String((await readStored(store, `${video.keys.hls}/${name}/${playlistName}`)) ?? ''));
  const isCutAlike = ({ segmentSeconds }: Rendition) =>
    segmentSeconds.length === stored.length &&
    segmentSeconds.every((seconds, n) => Math.abs(seconds - (stored[n]?.seconds ?? 0)) <= segmentDifferenceMax);
  return made.every(isCutAlike);
}

/** Puts renditions beside those that are in the store, where people watch these. The master playlist names a rendition once it is there. */
export async function addRenditions({ store, video, signal, workFolder }: StepContext, made: readonly Rendition[]): Promise<void> {
  const { hls } = video.keys;
  const master = String((await readStored(store, `${hls}/${masterName}`)) ?? '');
  for (const { name } of made) {
    signal.throwIfAborted();
    await store.putFolder(`${hls}/${name}`, { path: join(folderOf({ workFolder }), name) });
  }
  const added = made.map(entryOf);
  const stay = readMasterPlaylist(master).filter(({ path }) => added.every((entry) => entry.path !== path));
  await store.put(`${hls}/${masterName}`, Buffer.from(writeMasterPlaylist([...stay, ...added])));
}

function folderOf({ workFolder }: Pick<StepContext, 'workFolder'>): string {
  return join(workFolder, 'hls');
}

async function emptyFolderOf(context: StepContext): Promise<string> {
  const folder = folderOf(context);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  return folder;
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

/** Reads back what a tool wrote: the length that really is there, bit rates, and codec names from the first segment's header. */
async function readRendition(folder: string, about: { name: string; size: Size | null }): Promise<Rendition> {
  const segments = readSegments(await readFile(join(folder, playlistName), 'utf8'));
  const bits = await Promise.all(segments.map(async ({ file }) => (await stat(join(folder, file))).size * 8));
  const durationInSeconds = segments.reduce((sum, { seconds }) => sum + seconds, 0);
  const peaks = segments.map(({ seconds }, n) => (bits[n] ?? 0) / Math.max(seconds, 0.5));
  const allBits = bits.reduce((sum, size) => sum + size, 0);
  return {
    ...about,
    segmentSeconds: segments.map(({ seconds }) => seconds),
    durationInSeconds,
    averageBitsPerSecond: Math.ceil(allBits / Math.max(durationInSeconds, 0.5)),
    peakBitsPerSecond: Math.ceil(peaks.reduce((peak, rate) => Math.max(peak, rate), 1)),
    codecs: codecsOf(await readFile(join(folder, 'init.mp4'))),
  };
}

function readSegments(playlist: string): { seconds: number; file: string }[] {
  const segments = playlist.matchAll(/#EXTINF:([\d.]+),.*\r?\n(\S+)/g);
  return [...segments].map(([, seconds, file = '']) => ({ seconds: Number(seconds), file }));
}

const [masterName, playlistName] = ['master.m3u8', 'index.m3u8'];

/** A rendition as it stands in a master playlist. */
interface MasterEntry {
  /** Its tag, `#EXT-X-STREAM-INF:…`. */
  readonly tag: string;
  readonly path: string;
  readonly peakBitsPerSecond: number;
}

function entryOf(rendition: Rendition): MasterEntry {
  const attributes = [
    `BANDWIDTH=${rendition.peakBitsPerSecond}`,
    `AVERAGE-BANDWIDTH=${rendition.averageBitsPerSecond}`,
    ...(rendition.codecs ? [`CODECS="${rendition.codecs}"`] : []),
    ...(rendition.size ? [`RESOLUTION=${rendition.size.width}x${rendition.size.height}`] : []),
  ];
  const tag = `#EXT-X-STREAM-INF:${attributes.join(',')}`;
  return { tag, path: `${rendition.name}/${playlistName}`, peakBitsPerSecond: rendition.peakBitsPerSecond };
}

/** The best stands last: players that pick the first one start small. */
function writeMasterPlaylist(entries: readonly MasterEntry[]): string {
  const lines = entries.toSorted((a, b) => a.peakBitsPerSecond - b.peakBitsPerSecond).flatMap(({ tag, path }) => [tag, path]);
  return ['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-INDEPENDENT-SEGMENTS', ...lines, ''].join('\n');
}

function readMasterPlaylist(text: string): MasterEntry[] {
  const entries = text.matchAll(/^(#EXT-X-STREAM-INF:BANDWIDTH=(\d+).*)\n(.+)$/gm);
  return [...entries].map(([, tag = '', peak, path = '']) => ({ tag, path, peakBitsPerSecond: Number(peak) }));
}

/** RFC 6381 names from an fMP4 header: the profile bytes stand right after the box name `avcC`. */
function codecsOf(header: Buffer): string {
  const avc = header.indexOf('avcC', 0, 'latin1');
  const video = avc === -1 ? [] : [`avc1.${header.subarray(avc + 5, avc + 8).toString('hex')}`];
  const audio = header.includes('mp4a', 0, 'latin1') ? ['mp4a.40.2'] : [];
  return [...video, ...audio].join(',');
}
