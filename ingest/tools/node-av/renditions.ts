import { join } from 'node:path';
import type { Frame, Packet, Stream } from 'node-av';
import { type Decoder, type Demuxer, Encoder, FilterAPI, Muxer } from 'node-av/api';
import { FF_ENCODER_AAC, FF_ENCODER_LIBX264 } from 'node-av/constants';
import { type EncodePlan, makePictureFilter, type RenditionPlan, segmentSeconds } from '../../media/media-plans.ts';
import { framesPerSecondMax } from '../../media/plays-as-it-is.ts';
import { framesOf, openDecoder } from './decode-frames.ts';
import { openInput } from './open-input.ts';
import { makePictureChain } from './picture-chain.ts';

type Rendition = EncodePlan['renditions'][number];

/** A track of a rendition on its way from decoded frames to its playlists. */
interface Track {
  readonly chain: FilterAPI;
  readonly encoder: Encoder;
  /** Playlists that take its packets, with the number of its track in each. */
  readonly into: readonly { readonly muxer: Muxer; readonly target: number }[];
}

const keyFrameSeconds = 2;

/**
 * Encodes every rendition in one pass over the film, with key frames at the same pictures in all of them; the sound is the same in all, and
 * encoded once. Nothing here waits for another thread: decoder and encoders have threads of their own, and to hand each picture to
 * one more costs a quarter of the whole time.
 */
export async function encodeRenditions(path: string, plan: EncodePlan, onSecond: (second: number) => void): Promise<void> {
  await using input = await openInput(path);
  const video = await decoderOf(input, plan.video?.stream ?? null);
  const audio = await decoderOf(input, plan.audioStream);
  const muxers = await Promise.all(plan.renditions.map(({ folder }) => openPlaylist(folder, { startSeconds: 0 })));
  const { video: picture } = plan;
  const videoTracks =
    video && picture
      ? await Promise.all(
          plan.renditions.map((rendition, n) =>
            createVideoTrack(muxers.slice(n, n + 1), video, { plan, track: input.streams[picture.stream], picture, rendition }),
          ),
        )
      : [];
  const audioTracks = audio ? [await createAudioTrack(muxers, audio, plan)] : [];
  for (using packet of input.packetsSync()) {
    if (!packet) break;
    if (packet.streamIndex === plan.video?.stream) await advance(video, videoTracks, packet);
    if (packet.streamIndex === plan.audioStream) await advance(audio, audioTracks, packet);
    onSecond(secondOf(packet) - plan.startSeconds);
  }
  await advance(video, videoTracks, null);
  await advance(audio, audioTracks, null);
  for (const muxer of muxers) await muxer.close();
}

function secondOf({ dts, timeBase }: Packet): number {
  return (Number(dts) * timeBase.num) / timeBase.den;
}

async function decoderOf(input: Demuxer, stream: number | null): Promise<Decoder | undefined> {
  const track = stream === null ? undefined : input.streams[stream];
  return track ? await openDecoder(track) : undefined;
}

async function createVideoTrack(
  muxers: readonly Muxer[],
  decoder: Decoder,
  of: { plan: EncodePlan; track: Stream | undefined; picture: NonNullable<EncodePlan['video']>; rendition: Rendition },
): Promise<Track> {
  // This encoder takes its packets' lengths from the frame rate, so the rate has to be even.
  const framesPerSecond = Math.min(evenRateFor(of.picture, of.track), of.picture.frameRateMax ?? framesPerSecondMax + 1);
  const filters = [`fps=${framesPerSecond.toFixed(3)}`, makePictureFilter({ ...of.picture, ...of.rendition }), 'format=yuv420p'];
  const chain = makePictureChain({ startSeconds: of.plan.startSeconds, rotation: of.picture.rotation }, filters);
  const encoder = await Encoder.create(FF_ENCODER_LIBX264, {
    decoder,
    filter: chain,
    gopSize: Math.max(1, Math.round(framesPerSecond * keyFrameSeconds)),
    maxRate: `${of.rendition.maxKilobitsPerSecond}k`,
    bufSize: `${of.rendition.maxKilobitsPerSecond * 2}k`,
    threadCount: of.plan.threads,
    options: { preset: 'veryfast', profile: 'high', crf: 22, sc_threshold: 0 },
  });
  return { chain, encoder, into: targetsIn(muxers, encoder) };
}

const evenRateMin = 25;

/** The rate at which an even one loses no picture: a film's mean where it keeps to it, else the highest that is told, and what moves smoothly at least. */
function evenRateFor({ framesPerSecond: mean, deinterlace }: NonNullable<EncodePlan['video']>, track: Stream | undefined): number {
  const told = track ? track.rFrameRate.num / track.rFrameRate.den : mean;
  // That of fields is told as twice that of pictures.
  const isSteady = deinterlace || Math.abs(told - mean) <= 0.02 * mean;
  return isSteady ? Math.max(1, mean) : Math.min(Math.max(told || 0, mean, evenRateMin), framesPerSecondMax);
}

async function createAudioTrack(muxers: readonly Muxer[], decoder: Decoder, plan: EncodePlan): Promise<Track> {
  const start = plan.startSeconds === 0 ? '' : `asetpts=PTS-${plan.startSeconds}/TB,`;
  const chain = FilterAPI.create(`${start}aresample=48000,aformat=sample_fmts=fltp:channel_layouts=stereo`);
  const encoder = await Encoder.create(FF_ENCODER_AAC, { decoder, filter: chain, bitrate: '128k' });
  return { chain, encoder, into: targetsIn(muxers, encoder) };
}

function targetsIn(muxers: readonly Muxer[], encoder: Encoder): Track['into'] {
  return muxers.map((muxer) => ({ muxer, target: muxer.addStream(encoder) }));
}

/** Decodes one packet, or with null what is left, and hands its frames to every track. Damaged packets are passed over. */
async function advance(decoder: Decoder | undefined, tracks: readonly Track[], packet: Packet | null): Promise<void> {
  for (using frame of decoder ? framesOf(decoder, packet) : [])
    for (const track of tracks) await encode(track, track.chain.processAllSync(frame));
  if (packet !== null) return;
  for (const track of tracks) {
    await encode(track, track.chain.flushFramesSync());
    await write(track, null);
  }
}

async function encode(track: Track, frames: Iterable<Frame>): Promise<void> {
  for (using frame of frames) await write(track, frame);
}

async function write({ encoder, into }: Track, frame: Frame | null): Promise<void> {
  // Its first picture opens an encoder, which the package does well in this way only.
  const packets = encoder.isEncoderInitialized ? encoder.encodeAllSync(frame) : await encoder.encodeAll(frame);
  for (using packet of packets) {
    for (const { muxer, target } of into) {
      // A muxer takes the packet and its times for its own.
      using own = packet.clone();
      if (!own) throw new Error('no memory for a packet');
      muxer.writePacketSync(own, target);
    }
  }
}

/** Cuts the film into segments as it is. */
export async function copyRendition(path: string, plan: RenditionPlan, onSecond: (second: number) => void): Promise<void> {
  await using input = await openInput(path);
  await using output = await openPlaylist(plan.folder, plan);
  const targets = new Map<number, number>();
  for (const index of [plan.videoStream, plan.audioStream]) {
    const stream = index === null ? undefined : input.streams[index];
    if (stream) targets.set(stream.index, output.addStream(stream));
  }
  for (using packet of input.packetsSync()) {
    if (!packet) break;
    const target = targets.get(packet.streamIndex);
    if (target === undefined) continue;
    // A muxer takes the packet and its times for its own.
    onSecond(secondOf(packet) - plan.startSeconds);
    output.writePacketSync(packet, target);
  }
}

/** HLS with fMP4 segments: `index.m3u8`, `init.mp4` and numbered segments in `folder`. */
async function openPlaylist(folder: string, options: { startSeconds: number }): Promise<Muxer> {
  return await Muxer.open(join(folder, 'index.m3u8'), {
    format: 'hls',
    ...(options.startSeconds > 0 ? { startTime: options.startSeconds } : {}),
    options: {
      hls_time: segmentSeconds,
      hls_playlist_type: 'vod',
      hls_segment_type: 'fmp4',
      hls_flags: 'independent_segments',
      hls_fmp4_init_filename: 'init.mp4',
      // Frames that depend on later ones would else begin the film a frame or two late, and every seek would land before its second.
      hls_segment_options: 'movflags=+negative_cts_offsets',
      hls_segment_filename: join(folder, '%05d.m4s'),
    },
  });
}
