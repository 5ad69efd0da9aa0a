import { writeFile } from 'node:fs/promises';
import { Codec, Log, type Stream } from 'node-av';
import type { Demuxer } from 'node-av/api';
import {
  AV_DISPOSITION_ATTACHED_PIC,
  AV_DISPOSITION_DEFAULT,
  AV_DISPOSITION_FORCED,
  AV_DISPOSITION_HEARING_IMPAIRED,
  AV_FRAME_FLAG_INTERLACED,
  AV_LOG_ERROR,
  AV_PIX_FMT_YUV420P,
  AV_PIX_FMT_YUVJ420P,
  AV_PKT_DATA_DISPLAYMATRIX,
  AV_PKT_FLAG_DISCARD,
  AVCOL_TRC_ARIB_STD_B67,
  AVCOL_TRC_SMPTE2084,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_SUBTITLE,
  AVMEDIA_TYPE_VIDEO,
} from 'node-av/constants';
import type { Cue } from '#domain/subtitles/cue.ts';
import { parseAss } from '#domain/subtitles/parse-ass.ts';
import { writeCaptions } from '#domain/subtitles/write-captions.ts';
import { errorMessageOf } from '#domain/system/error-message.ts';
import type { MediaDescription, PacketScan, VideoStream } from '../media/media-description.ts';
import type { SubtitlePlan } from '../media/media-plans.ts';
import { createTrackScanner } from '../media/track-scanner.ts';
import { makeRefusal, StepFailure } from '../step-failure.ts';
import { doChildJob, type JobRefusal } from './child-job.ts';
import { inputOptions } from './hardened-input.ts';
import { framesOf, openDecoder } from './node-av/decode-frames.ts';
import { drawGrey, drawPictures, drawPoster, drawSound, drawStills } from './node-av/draw-pictures.ts';
import { openInput } from './node-av/open-input.ts';
import { copyRendition, encodeRenditions } from './node-av/renditions.ts';
import { NodeAvJob } from './node-av-job.ts';

// The flag itself is only known once frames are decoded, and may come later in such a film; the filter leaves frames without it alone.
const mayBeInterlaced = new Set(['mpeg2video', 'dvvideo']);
// Others are in fields from the beginning, or not at all.
const beginsInterlaced = new Set(['h264', 'mpeg4', 'vc1', 'wmv3', 'prores', 'dnxhd', 'mjpeg']);
const firstPackets = 12;

const wideRanges = new Map<number, VideoStream['dynamicRange']>([
  [AVCOL_TRC_SMPTE2084, 'pq'],
  [AVCOL_TRC_ARIB_STD_B67, 'hlg'],
]);

// The only ones that anybody asks for: what browsers play.
const copyableFormats = new Map<number, string>([
  [AV_PIX_FMT_YUV420P, 'yuv420p'],
  [AV_PIX_FMT_YUVJ420P, 'yuvj420p'],
]);

/** What the container says of itself, and its packets. */
async function lookAt(path: string): Promise<{ description: MediaDescription; scan: PacketScan }> {
  await using input = await openInput(path).catch(refuseUnreadable);
  const said = describeMedia(input);
  const video = said.video && { ...said.video, interlaced: said.video.interlaced || (await beginsInFields(path, said.video)) };
  const description = { ...said, video };
  return { description, scan: scanPackets(input, description) };
}

/** Whether one of the first pictures consists of two fields. */
async function beginsInFields(path: string, { codec, index }: { codec: string; index: number }): Promise<boolean> {
  if (!beginsInterlaced.has(codec)) return false;
  await using input = await openInput(path);
  const track = input.streams[index];
  using decoder = track && (await openDecoder(track).catch(() => undefined));
  let packets = 0;
  for (using packet of input.packetsSync(index)) {
    if (!packet || !decoder || packets++ === firstPackets) return false;
    const frames = framesOf(decoder, packet);
    const hasFields = frames.some((frame) => frame.hasFlags(AV_FRAME_FLAG_INTERLACED));
    for (const frame of frames) frame.free();
    if (hasFields) return true;
  }
  return false;
}

/** What cannot be opened is no footage, or more than is taken. */
function refuseUnreadable(error: unknown): never {
  if (error instanceof StepFailure) throw error;
  // FFmpeg tells of too many tracks by the error of a lack of memory.
  throw /max_streams|allocate memory/i.test(errorMessageOf(error))
    ? makeRefusal('too_many_streams', 'The file has more than 64 tracks.')
    : makeRefusal('unreadable_media', 'The file cannot be read as video or audio.');
}

function describeMedia(input: Demuxer): MediaDescription {
  const ofType = (type: number) => input.streams.filter((stream) => stream.codecpar.codecType === type);
  const video = ofType(AVMEDIA_TYPE_VIDEO).find((stream) => !stream.hasDisposition(AV_DISPOSITION_ATTACHED_PIC));
  const audios = ofType(AVMEDIA_TYPE_AUDIO);
  refuseForeignCodecs(input.streams);
  const audio = audios.find((stream) => stream.hasDisposition(AV_DISPOSITION_DEFAULT)) ?? audios[0];
  return {
    format: input.formatName,
    startSeconds: input.startTime ?? 0,
    claimedSeconds: Math.max(0, input.duration),
    video: video ? describeVideo(video) : null,
    audio: audio ? { index: audio.index, codec: codecNameOf(audio), channels: audio.codecpar.channels } : null,
    subtitles: ofType(AVMEDIA_TYPE_SUBTITLE).map((stream) => ({
      index: stream.index,
      codec: codecNameOf(stream),
      language: stream.metadata?.get('language') ?? null,
      preferred: stream.hasDisposition(AV_DISPOSITION_DEFAULT),
      forced: stream.hasDisposition(AV_DISPOSITION_FORCED),
      hearingImpaired: stream.hasDisposition(AV_DISPOSITION_HEARING_IMPAIRED),
    })),
  };
}

const codecs: ReadonlySet<string> = new Set([...inputOptions.codec_whitelist.split(','), 'unknown']);

/** As the command line does: one track in a codec that is not taken is reason enough. */
function refuseForeignCodecs(streams: readonly Stream[]): void {
  const foreign = streams.map(codecNameOf).find((name) => !codecs.has(name));
  if (foreign) throw makeRefusal('unreadable_media', 'The file cannot be read as video or audio.');
}

function describeVideo(stream: Stream): NonNullable<MediaDescription['video']> {
  const { codecpar } = stream;
  const codec = codecNameOf(stream);
  // The container's word goes before the codec's, where it has one.
  const { num, den } = stream.sampleAspectRatio.num > 0 ? stream.sampleAspectRatio : codecpar.sampleAspectRatio;
  const aspect = num / den;
  return {
    index: stream.index,
    codec,
    pixelFormat: copyableFormats.get(codecpar.format) ?? 'other',
    width: codecpar.width,
    height: codecpar.height,
    pixelAspect: aspect > 0.05 && aspect < 20 ? aspect : 1,
    rotation: rotationOf(codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX)),
    interlaced: mayBeInterlaced.has(codec),
    dynamicRange: wideRanges.get(codecpar.colorTrc) ?? 'standard',
  };
}

function codecNameOf(stream: Stream): string {
  return Codec.findDecoder(stream.codecpar.codecId)?.name ?? 'unknown';
}

/** The clockwise quarter turns of a display matrix: nine 16.16 numbers, of which the first two turn. */
function rotationOf(matrix: Buffer | null): number {
  if (!matrix || matrix.length < 8) return 0;
  const degrees = (Math.atan2(matrix.readInt32LE(4), matrix.readInt32LE(0)) * 180) / Math.PI;
  return (((Math.round(degrees / 90) * 90) % 360) + 360) % 360;
}

/** Walks over every packet without decoding any. */
function scanPackets(input: Demuxer, description: MediaDescription): PacketScan {
  const video = createTrackScanner(description.format);
  const audio = createTrackScanner(description.format);
  for (using packet of input.packetsSync()) {
    if (!packet) break;
    // Outside the stretch that the film's own edit list shows.
    if (packet.hasFlags(AV_PKT_FLAG_DISCARD)) continue;
    const scanner =
      packet.streamIndex === description.video?.index ? video : packet.streamIndex === description.audio?.index ? audio : undefined;
    const { num, den } = packet.timeBase;
    // The smallest 64-bit number stands for "no time".
    const seconds = (ticks: bigint) => (ticks < -(2n ** 62n) ? undefined : (Number(ticks) * num) / den);
    scanner?.add({
      ptsSeconds: seconds(packet.pts),
      dtsSeconds: seconds(packet.dts),
      durationSeconds: seconds(packet.duration) ?? 0,
      isKeyFrame: packet.isKeyframe,
    });
  }
  return { video: video.result(description.startSeconds), audio: audio.result(description.startSeconds) };
}

/** Writes a text track as WebVTT, read straight from its packets: they hold the text, their times are the cue's. */
async function extractSubtitles(path: string, plan: SubtitlePlan): Promise<void> {
  await using input = await openInput(path);
  const track = input.streams[plan.stream];
  if (!track) throw new Error(`no track ${plan.stream}`);
  const codec = Codec.findDecoder(track.codecpar.codecId)?.name ?? '';
  const cues: Cue[] = [];
  for (using packet of input.packetsSync(plan.stream)) {
    if (!packet) break;
    const { num, den } = packet.timeBase;
    const startMs = Math.round(((Number(packet.pts) * num) / den - plan.startSeconds) * 1_000);
    const endMs = startMs + Math.round(((Number(packet.duration) * num) / den) * 1_000);
    const text = textOf(codec, packet.data ?? Buffer.alloc(0));
    if (text !== '') cues.push({ startMs: Math.max(0, startMs), endMs: Math.max(0, startMs, endMs), text });
  }
  await writeFile(plan.path, writeCaptions(cues));
}

function textOf(codec: string, data: Buffer): string {
  if (codec === 'mov_text') return data.length < 2 ? '' : data.toString('utf8', 2, 2 + data.readUInt16BE(0));
  const text = data.toString('utf8');
  if (codec !== 'ass' && codec !== 'ssa') return text.replace(/<\/?(i|b|u|font)\b[^>]*>|\{\\[^}]*\}/gi, '').trim();
  // In a container the line has lost its times: its number and layer stand in their place.
  const fields = text.split(',').slice(2).join(',');
  return parseAss(`Dialogue: 0,0:00:00.00,0:00:01.00,${fields}`).cues[0]?.text ?? '';
}

/*
 * A process that does one job with the FFmpeg of node-av and ends. The job is its argument; it prints lines of JSON:
 * the seconds it has reached, then what came out.
 */
Log.setLevel(AV_LOG_ERROR);
await doChildJob(NodeAvJob, run, refusalOf);

function refusalOf(error: unknown): JobRefusal | undefined {
  return error instanceof StepFailure && error.kind.is === 'bad-media' ? { refused: error.kind.code, message: error.message } : undefined;
}

async function run(job: NodeAvJob, onSecond: (second: number) => void): Promise<unknown> {
  if (job.do === 'look-at') return await lookAt(job.path);
  if (job.do === 'draw-stills') return await drawStills(job.path, job.plan, onSecond);
  if (job.do === 'draw-poster') return await drawPoster(job.path, job.plan);
  if (job.do === 'draw-grey') return await drawGrey(job.path, job.plan, onSecond);
  if (job.do === 'draw-pictures') return await drawPictures(job.path, job.plan);
  if (job.do === 'draw-sound') return await drawSound(job.path, job.plan);
  if (job.do === 'copy-rendition') return await copyRendition(job.path, job.plan, onSecond);
  if (job.do === 'encode-renditions') return await encodeRenditions(job.path, job.plan, onSecond);
  return await extractSubtitles(job.path, job.plan);
}
