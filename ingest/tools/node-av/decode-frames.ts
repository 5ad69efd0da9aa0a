import type { Frame, Packet, Stream } from 'node-av';
import { Decoder, type Demuxer } from 'node-av/api';
import { serverLimits } from '#contract/limits.ts';
import { inputOptions } from '../hardened-input.ts';

export interface DecodeCount {
  brokenPackets: number;
  /** Passes over all packets but those of key frames. */
  readonly keyFramesOnly?: boolean;
}

/** Every picture of a track in order, or every piece of its sound; a packet that cannot be decoded is counted and passed over. */
export async function* decodeFrames(input: Demuxer, stream: number, count: DecodeCount): AsyncGenerator<Frame> {
  const track = input.streams[stream];
  if (!track) throw new Error(`no track ${stream}`);
  using decoder = await openDecoder(track);
  for (using packet of input.packetsSync(stream)) {
    if (count.keyFramesOnly && packet && !packet.isKeyframe) continue;
    yield* framesOf(decoder, packet, count);
    if (!packet) return;
  }
}

/** What comes of a packet, or with null of what is left; nothing comes of one that cannot be decoded, which is counted. */
export function framesOf(decoder: Decoder, packet: Packet | null, count?: DecodeCount): Frame[] {
  try {
    return decoder.decodeAllSync(packet);
  } catch {
    if (count) count.brokenPackets += 1;
    return [];
  }
}

/** A decoder that keeps to the limits on codecs and on a picture's size; those of the input do not reach it. */
export async function openDecoder(track: Stream): Promise<Decoder> {
  return await Decoder.create(track, {
    threadCount: 2,
    options: { max_pixels: serverLimits.pictureMaxPixels, codec_whitelist: inputOptions.codec_whitelist },
  });
}

/** Where a decoded picture or piece of sound stands on the clock of its file. */
export function secondOf(frame: Frame): number {
  return (Number(frame.pts) * frame.timeBase.num) / frame.timeBase.den;
}
