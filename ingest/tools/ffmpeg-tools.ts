import { rm, stat } from 'node:fs/promises';
import { z } from 'zod';
import { serverLimits } from '#contract/limits.ts';
import { ignoreAbsent } from '#domain/system/null-when-absent.ts';
import { parseJson } from '#domain/system/parse-json.ts';
import { planPoster } from '../media/choose-poster.ts';
import type { MediaDescription, PacketScan, VideoStream } from '../media/media-description.ts';
import type { PosterPlan } from '../media/media-plans.ts';
import { refuseLargePictures, refuseTracks, type ToldTrack } from '../media/refuse-tracks.ts';
import { createTrackScanner } from '../media/track-scanner.ts';
import { makeRefusal, StepFailure } from '../step-failure.ts';
import {
  copyArgs,
  encodeArgs,
  makeEnteringArgs,
  makeGreyArgs,
  makePicturesArgs,
  makePosterArgs,
  makeSoundArgs,
  makeStillsArgs,
  makeStretchArgs,
  makeSubtitleArgs,
  makeSubtitlePicturesArgs,
} from './ffmpeg-args.ts';
import { makeHardenedInputArgs } from './hardened-input.ts';
import type { MediaInput, MediaTools } from './media-tools.ts';
import { makeMemoryRefusal, runHeld } from './run-held.ts';
import { describeToolEnd, type ToolResult } from './run-tool.ts';
import type { Sandbox } from './sandbox.ts';

interface Programs {
  readonly ffmpeg: string;
  readonly ffprobe: string;
  /** Files and folders that they need beside the libraries of the system. */
  readonly files: readonly string[];
  readonly version: string;
  /** Without it films of a wide range of light are shown as they are: pale. */
  readonly mapsTones: boolean;
  readonly sandbox: Sandbox;
}

const lacksMemory = /cannot allocate memory/i;
const toldFacts = 'format=format_name:stream=index,codec_type,width,height,channels:stream_disposition=attached_pic';
const shownFacts =
  'format=format_name,start_time,duration' +
  ':stream=index,codec_type,codec_name,pix_fmt,width,height,sample_aspect_ratio,field_order,color_transfer,channels' +
  ':stream_disposition=attached_pic,default,forced,hearing_impaired:stream_tags=language:stream_side_data=rotation';

/** The media tools by the command lines `ffmpeg` and `ffprobe`. */
export function makeFfmpegTools(programs: Programs): MediaTools {
  return {
    name: `ffmpeg ${programs.version} at ${programs.ffmpeg}`,
    // Told to skip the others, the programs mistake the end of a film whose clock begins late: up to 5.1 they draw thousands of pictures.
    drawsFromKeyFrames: false,
    lookAt: async (input) => {
      const description = await describe(programs, input);
      return { description, scan: await scanPackets(programs, input, description) };
    },
    drawStills: async (input, plan) => {
      const { stderr } = await convert(programs, input, { after: makeStillsArgs(plan) });
      const poster = await planPoster(plan);
      if (poster) await drawPoster(programs, input, poster);
      return { brokenPackets: stderr.match(/error while decoding|error submitting packet/gi)?.length ?? 0, clean: stderr.trim() === '' };
    },
    drawPoster: (input, plan) => drawPoster(programs, input, plan),
    drawGrey: async (input, plan) => {
      const done = await convert(programs, input, { before: makeEnteringArgs(plan), after: makeGreyArgs(plan) });
      succeed(done, 'The shots could not be detected.');
    },
    drawPictures: async (input, plan) => {
      const done = await convert(programs, input, { before: makeEnteringArgs(plan), after: makePicturesArgs(plan) });
      succeed(done, 'The frames could not be extracted.');
    },
    drawSubtitles: async (input, plan) =>
      succeed(await convert(programs, input, makeSubtitlePicturesArgs(plan)), 'The subtitles could not be rendered.'),
    drawSound: async (input, plan) => {
      const done = await convert(programs, input, { before: makeStretchArgs(plan), after: makeSoundArgs(plan) });
      succeed(done, 'The waveform could not be made.');
    },
    copyRendition: async (input, plan) =>
      succeed(await convert(programs, input, { after: copyArgs(plan) }), 'The video could not be cut into segments.'),
    encodeRenditions: async (input, plan) =>
      succeed(await convert(programs, input, { after: encodeArgs(plan) }), 'The video could not be encoded.'),
    extractSubtitles: async (input, plan) =>
      succeed(await convert(programs, input, { after: makeSubtitleArgs(plan) }), 'The subtitle track could not be read.'),
  };
}

async function drawPoster(programs: Programs, input: MediaInput, plan: PosterPlan): Promise<void> {
  await rm(plan.path, { force: true });
  for (const which of ['shown', 'after'] as const) {
    const done = await convert(programs, input, makePosterArgs(plan, which));
    succeed(done, 'The poster could not be made.');
    if (await stat(plan.path).catch(ignoreAbsent)) return;
  }
}

async function describe(programs: Programs, input: MediaInput): Promise<MediaDescription> {
  const told = await show(programs, input, ['-nofind_stream_info', '-show_entries', toldFacts]);
  refuseTracks(toToldTracks(told));
  const described = describeOutput(await show(programs, input, ['-show_entries', shownFacts]));
  if (!described.video || programs.mapsTones) return described;
  return { ...described, video: { ...described.video, dynamicRange: 'standard' } };
}

async function show(programs: Programs, input: MediaInput, args: string[]): Promise<FfprobeOutput> {
  const { exitCode, stdout, stderr } = await probe(programs, input, { args: [...args, '-of', 'json'] });
  refuseLargePictures(stderr);
  const parsed = exitCode === 0 ? FfprobeOutput.safeParse(parseJson(stdout)) : undefined;
  if (parsed?.success) return parsed.data;
  if (/max_streams/.test(stderr)) throw makeRefusal('too_many_streams', 'The file has more than 64 tracks.');
  if (lacksMemory.test(stderr)) throw makeMemoryRefusal();
  throw makeRefusal('unreadable_media', 'The file cannot be read as video or audio.');
}

async function scanPackets(programs: Programs, input: MediaInput, description: MediaDescription): Promise<PacketScan> {
  const video = createTrackScanner(description.format);
  const audio = createTrackScanner(description.format);
  const onLine = (line: string): undefined => {
    const [stream, pts, dts, duration, flags = ''] = line.split(',');
    // An empty line stands for side data; a discarded packet is outside the stretch that the film's own edit list shows.
    if (!stream || flags.includes('D')) return;
    const scanner = Number(stream) === description.video?.index ? video : Number(stream) === description.audio?.index ? audio : undefined;
    scanner?.add({
      ptsSeconds: parseSeconds(pts),
      dtsSeconds: parseSeconds(dts),
      durationSeconds: parseSeconds(duration) ?? 0,
      isKeyFrame: flags.includes('K'),
    });
  };
  const args = ['-show_entries', 'packet=stream_index,pts_time,dts_time,duration_time,flags', '-of', 'csv=p=0'];
  await probe(programs, input, { args, onLine });
  return { video: video.result(description.startSeconds), audio: audio.result(description.startSeconds) };
}

async function probe(
  programs: Programs,
  input: MediaInput,
  call: { args: string[]; onLine?: (line: string) => undefined },
): Promise<ToolResult> {
  const args = ['-v', 'error', ...call.args, ...makeHardenedInputArgs(input.path)];
  return await runHeld(programs.sandbox, input, {
    ...call,
    command: programs.ffprobe,
    args,
    programs: programs.files,
    addressBytes: serverLimits.decoderMaxBytes.addresses,
  });
}

async function convert(programs: Programs, input: MediaInput, args: { before?: string[]; after: string[] }): Promise<ToolResult> {
  // Errors are counted, so none may be folded into "last message repeated".
  const head = ['-nostdin', '-y', '-v', 'repeat+error', '-progress', 'pipe:1', '-stats_period', '1', '-threads', '2'];
  return await runHeld(programs.sandbox, input, {
    command: programs.ffmpeg,
    args: [...head, ...(args.before ?? []), ...makeHardenedInputArgs(input.path), ...args.after],
    programs: programs.files,
    addressBytes: serverLimits.decoderMaxBytes.addresses,
    onLine: (line) => {
      const reached = /^out_time_us=(\d+)/.exec(line);
      return reached ? Number(reached[1]) / 1_000_000 : undefined;
    },
  });
}

function succeed(result: ToolResult, message: string): void {
  if (result.exitCode === 0) return;
  if (/No space left on device/.test(result.stderr)) throw Object.assign(new Error('the disk is full'), { code: 'ENOSPC' });
  if (lacksMemory.test(result.stderr)) throw makeMemoryRefusal();
  throw new StepFailure({ is: 'try-again' }, message, { details: describeToolEnd(result) });
}

function parseSeconds(text: string | undefined): number | undefined {
  const value = Number.parseFloat(text ?? '');
  return Number.isFinite(value) ? value : undefined;
}

const NumberText = z.string().transform(Number);
const Disposition = z.object({
  attached_pic: z.number().default(0),
  default: z.number().default(0),
  forced: z.number().default(0),
  hearing_impaired: z.number().default(0),
});
const Stream = z.object({
  index: z.number(),
  codec_type: z.string().default(''),
  codec_name: z.string().default('unknown'),
  pix_fmt: z.string().default(''),
  width: z.number().default(0),
  height: z.number().default(0),
  sample_aspect_ratio: z.string().default(''),
  field_order: z.string().default(''),
  color_transfer: z.string().default(''),
  channels: z.number().default(0),
  disposition: Disposition.default(Disposition.parse({})),
  tags: z.object({ language: z.string().optional() }).optional(),
  side_data_list: z.array(z.object({ rotation: z.number().optional() })).default([]),
});
type Stream = z.infer<typeof Stream>;

/** What `ffprobe -of json` prints of a file. */
const FfprobeOutput = z.object({
  format: z.object({ format_name: z.string(), start_time: NumberText.optional(), duration: NumberText.optional() }),
  streams: z.array(Stream).default([]),
});
type FfprobeOutput = z.infer<typeof FfprobeOutput>;

/** ffprobe's answer in our words. */
function describeOutput(output: FfprobeOutput): MediaDescription {
  const ofType = (type: string) => output.streams.filter((stream) => stream.codec_type === type);
  const video = ofType('video').find((stream) => stream.disposition.attached_pic === 0);
  const audio = ofType('audio').find((stream) => stream.disposition.default === 1) ?? ofType('audio')[0];
  return {
    format: output.format.format_name,
    startSeconds: output.format.start_time ?? 0,
    claimedSeconds: output.format.duration ?? 0,
    video: video ? describeVideo(video) : null,
    audio: audio ? { index: audio.index, codec: audio.codec_name, channels: audio.channels } : null,
    subtitles: ofType('subtitle').map((stream) => ({
      index: stream.index,
      codec: stream.codec_name,
      language: stream.tags?.language ?? null,
      preferred: stream.disposition.default === 1,
      forced: stream.disposition.forced === 1,
      hearingImpaired: stream.disposition.hearing_impaired === 1,
    })),
  };
}

/** The tracks of a file that nothing has been decoded of. */
function toToldTracks({ streams }: FfprobeOutput): ToldTrack[] {
  return streams.map(({ codec_type, width, height, channels, disposition }) => ({
    isVideo: codec_type === 'video',
    isCover: disposition.attached_pic === 1,
    width,
    height,
    channels,
  }));
}

function describeVideo(stream: Stream): NonNullable<MediaDescription['video']> {
  // ffprobe counts counter-clockwise.
  const turned = stream.side_data_list.find((data) => data.rotation !== undefined)?.rotation ?? 0;
  return {
    index: stream.index,
    codec: stream.codec_name,
    pixelFormat: stream.pix_fmt,
    width: stream.width,
    height: stream.height,
    pixelAspect: parseRatio(stream.sample_aspect_ratio),
    rotation: (((Math.round(-turned / 90) * 90) % 360) + 360) % 360,
    interlaced: ['tt', 'bb', 'tb', 'bt'].includes(stream.field_order),
    dynamicRange: wideRanges.get(stream.color_transfer) ?? 'standard',
  };
}

const wideRanges = new Map<string, VideoStream['dynamicRange']>([
  ['smpte2084', 'pq'],
  ['arib-std-b67', 'hlg'],
]);

/** "4:3" as a number; what is absent or absurd counts as square. */
function parseRatio(text: string): number {
  const [above = 0, below = 0] = text.split(':').map(Number);
  const value = above / below;
  return value > 0.05 && value < 20 ? value : 1;
}
