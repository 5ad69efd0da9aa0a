import { Codec, type Stream } from 'node-av';
import {
  AV_DISPOSITION_ATTACHED_PIC,
  AV_DISPOSITION_DEFAULT,
  AV_PIX_FMT_YUV420P,
  AV_PIX_FMT_YUVJ420P,
  AV_PKT_DATA_DISPLAYMATRIX,
  AV_PKT_FLAG_DISCARD,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_SUBTITLE,
  AVMEDIA_TYPE_VIDEO,
} from 'node-av/constants';
import type { MediaDescription, PacketScan } from '../../media/media-description.ts';
import { createTrackScanner } from '../../media/track-scanner.ts';
import { inputOptions } from '../hardened-input.ts';
import { openInput } from './open-input.ts';

// The flag itself is only known once frames are decoded; the filter leaves frames without it alone.
const mayBeInterlaced = new Set(['mpeg2video', 'dvvideo']);

// The only ones that anybody asks for: what browsers play.
const copyableFormats = new Map<number, string>([
  [AV_PIX_FMT_YUV420P, 'yuv420p'],
  [AV_PIX_FMT_YUVJ420P, 'yuvj420p'],
]);

/** What the container says of itself. */
export async function describeMedia(path: string): Promise<MediaDescription> {
  await using input = await openInput(path);
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
    audio: audio ? { index: audio.index, codec: codecName(audio), channels: audio.codecpar.channels } : null,
    subtitles: ofType(AVMEDIA_TYPE_SUBTITLE).map((stream) => ({
      index: stream.index,
      codec: codecName(stream),
      language: stream.metadata?.get('language') ?? null,
    })),
  };
}

const codecs: ReadonlySet<string> = new Set([...inputOptions.codec_whitelist.split(','), 'unknown']);

/** As the command line does: one track in a codec that is not taken is reason enough. */
function refuseForeignCodecs(streams: readonly Stream[]): void {
  const foreign = streams.map(codecName).find((name) => !codecs.has(name));
  if (foreign) throw new Error(`${foreign} is not among the codecs of footage`);
}

function describeVideo(stream: Stream): NonNullable<MediaDescription['video']> {
  const { codecpar } = stream;
  const codec = codecName(stream);
  const aspect = codecpar.sampleAspectRatio.num / codecpar.sampleAspectRatio.den;
  return {
    index: stream.index,
    codec,
    pixelFormat: copyableFormats.get(codecpar.format) ?? 'other',
    width: codecpar.width,
    height: codecpar.height,
    pixelAspect: aspect > 0.05 && aspect < 20 ? aspect : 1,
    rotation: rotationOf(codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX)),
    interlaced: mayBeInterlaced.has(codec),
  };
}

function codecName(stream: Stream): string {
  return Codec.findDecoder(stream.codecpar.codecId)?.name ?? 'unknown';
}

/** The clockwise quarter turns of a display matrix: nine 16.16 numbers, of which the first two turn. */
function rotationOf(matrix: Buffer | null): number {
  if (!matrix || matrix.length < 8) return 0;
  const degrees = (Math.atan2(matrix.readInt32LE(4), matrix.readInt32LE(0)) * 180) / Math.PI;
  return (((Math.round(degrees / 90) * 90) % 360) + 360) % 360;
}

/** Walks over every packet without decoding any. */
export async function scanPackets(path: string, description: MediaDescription): Promise<PacketScan> {
  const video = createTrackScanner(description.format);
  const audio = createTrackScanner(description.format);
  await using input = await openInput(path);
  for await (using packet of input.packets()) {
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
