import { join } from 'node:path';
import type { Frame } from 'node-av';
import { type Decoder, type Demuxer, Encoder, FilterAPI, Muxer } from 'node-av/api';
import { FF_ENCODER_AAC, FF_ENCODER_LIBX264 } from 'node-av/constants';
import { type EncodePlan, pictureFilter, type RenditionPlan, segmentSeconds } from '../../media/media-plans.ts';
import { openDecoder } from './decode-frames.ts';
import { openInput } from './open-input.ts';
import { pictureChain } from './picture-chain.ts';

type Rendition = EncodePlan['renditions'][number];

/** One track on its way from decoded frames to a playlist. */
interface Lane {
  readonly chain: FilterAPI;
  readonly encoder: Encoder;
  readonly output: Playlist;
  readonly target: number;
  /** Frames that wait to be drawn in its size and encoded, while the next ones are decoded. */
  readonly frames: WorkQueue;
}

/** A playlist that is written; what several tracks bring is written one by one. */
interface Playlist {
  readonly muxer: Muxer;
  readonly packets: WorkQueue;
}

/** How many frames of a lane, or packets of a playlist, may wait: enough for all processors, and little memory. */
const waitingMax = 8;

const keyFrameSeconds = 2;

/** Encodes every rendition in one pass over the film, with key frames at the same pictures in all of them. */
export async function encodeRenditions(path: string, plan: EncodePlan, onSecond: (second: number) => void): Promise<void> {
  await using input = await openInput(path);
  const video = await decoderOf(input, plan.video?.stream ?? null);
  const audio = await decoderOf(input, plan.audioStream);
  const outputs = await Promise.all(
    plan.renditions.map(async ({ folder }) => ({
      muxer: await openPlaylist(folder, { startSeconds: 0 }),
      packets: openWorkQueue(waitingMax),
    })),
  );
  const videoLanes: Lane[] = [];
  const audioLanes: Lane[] = [];
  for (const [n, output] of outputs.entries()) {
    const rendition = plan.renditions[n];
    if (video && plan.video && rendition) videoLanes.push(await videoLane(output, video, { plan, picture: plan.video, rendition }));
    if (audio) audioLanes.push(await audioLane(output, audio, plan));
  }
  for await (using packet of input.packets()) {
    if (!packet) break;
    if (packet.streamIndex === plan.video?.stream) await advance(video, videoLanes, packet);
    if (packet.streamIndex === plan.audioStream) await advance(audio, audioLanes, packet);
    onSecond((Number(packet.dts) * packet.timeBase.num) / packet.timeBase.den - plan.startSeconds);
  }
  await advance(video, videoLanes, null);
  await advance(audio, audioLanes, null);
  for (const { muxer, packets } of outputs) {
    await packets.end();
    await muxer.close();
  }
}

async function decoderOf(input: Demuxer, stream: number | null): Promise<Decoder | undefined> {
  const track = stream === null ? undefined : input.streams[stream];
  return track ? await openDecoder(track) : undefined;
}

async function videoLane(
  output: Playlist,
  decoder: Decoder,
  of: { plan: EncodePlan; picture: NonNullable<EncodePlan['video']>; rendition: Rendition },
): Promise<Lane> {
  // This encoder takes its packets' lengths from the frame rate, so the rate has to be even.
  const framesPerSecond = Math.min(of.picture.framesPerSecond, of.picture.frameRateMax ?? of.picture.framesPerSecond);
  const filters = [
    `fps=${framesPerSecond.toFixed(3)}`,
    pictureFilter({ ...of.rendition, deinterlace: of.picture.deinterlace }),
    'format=yuv420p',
  ];
  const chain = pictureChain({ startSeconds: of.plan.startSeconds, rotation: of.picture.rotation }, filters);
  const encoder = await Encoder.create(FF_ENCODER_LIBX264, {
    decoder,
    filter: chain,
    gopSize: Math.max(1, Math.round(framesPerSecond * keyFrameSeconds)),
    maxRate: `${of.rendition.maxKilobitsPerSecond}k`,
    bufSize: `${of.rendition.maxKilobitsPerSecond * 2}k`,
    options: { preset: 'veryfast', profile: 'high', crf: 22, sc_threshold: 0 },
  });
  return { chain, encoder, output, target: output.muxer.addStream(encoder), frames: openWorkQueue(waitingMax) };
}

async function audioLane(output: Playlist, decoder: Decoder, plan: EncodePlan): Promise<Lane> {
  const start = plan.startSeconds === 0 ? '' : `asetpts=PTS-${plan.startSeconds}/TB,`;
  const chain = FilterAPI.create(`${start}aresample=48000,aformat=sample_fmts=fltp:channel_layouts=stereo`);
  const encoder = await Encoder.create(FF_ENCODER_AAC, { decoder, filter: chain, bitrate: '128k' });
  return { chain, encoder, output, target: output.muxer.addStream(encoder), frames: openWorkQueue(waitingMax) };
}

/** Decodes one packet, or with null what is left, and hands its frames to every lane; with null it waits for all of them. Damaged packets are passed over. */
async function advance(decoder: Decoder | undefined, lanes: readonly Lane[], packet: Parameters<Decoder['decodeAll']>[0]): Promise<void> {
  const frames = (await decoder?.decodeAll(packet).catch(() => [])) ?? [];
  for (const frame of frames) {
    let lanesLeft = lanes.length;
    const use = async (lane: Lane) => {
      await encode(lane, await lane.chain.processAll(frame));
      lanesLeft -= 1;
      if (lanesLeft === 0) frame.free();
    };
    for (const lane of lanes) await lane.frames.add(() => use(lane));
  }
  if (packet !== null) return;
  for (const lane of lanes) {
    await lane.frames.add(async () => {
      await encode(lane, await lane.chain.processAll(null));
      await write(lane, null);
    });
  }
  for (const lane of lanes) await lane.frames.end();
}

async function encode(lane: Lane, frames: readonly Frame[]): Promise<void> {
  for (const frame of frames) {
    await write(lane, frame);
    frame.free();
  }
}

async function write({ encoder, output: { muxer, packets }, target }: Lane, frame: Frame | null): Promise<void> {
  for (const packet of await encoder.encodeAll(frame)) {
    await packets.add(async () => {
      await muxer.writePacket(packet, target);
      packet.free();
    });
  }
}

/** Cuts the film into segments as it is. */
export async function copyRendition(path: string, plan: RenditionPlan): Promise<void> {
  await using input = await openInput(path);
  await using output = await openPlaylist(plan.folder, plan);
  const targets = new Map<number, number>();
  for (const index of [plan.videoStream, plan.audioStream]) {
    const stream = index === null ? undefined : input.streams[index];
    if (stream) targets.set(stream.index, output.addStream(stream));
  }
  for await (using packet of input.packets()) {
    if (!packet) break;
    const target = targets.get(packet.streamIndex);
    if (target !== undefined) await output.writePacket(packet, target);
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

/** Work that is done in the order in which it came, behind whoever brings it. */
interface WorkQueue {
  /** Returns once few enough pieces wait. Throws what an earlier piece threw; nothing behind that one is done. */
  add(work: () => Promise<void>): Promise<void>;
  /** Returns once all is done. Throws what a piece threw. */
  end(): Promise<void>;
}

/** A queue that lets so many pieces wait. */
function openWorkQueue(atMost: number): WorkQueue {
  const waiting: Promise<void>[] = [];
  let last = Promise.resolve();
  return {
    add: async (work) => {
      last = last.then(work);
      // Whoever asks next is told.
      last.catch(() => {});
      waiting.push(last);
      if (waiting.length > atMost) await waiting.shift();
    },
    end: () => last,
  };
}
