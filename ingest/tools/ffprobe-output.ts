import { z } from 'zod';
import type { MediaDescription } from '../media/media-description.ts';
import type { ToldTrack } from '../media/refuse-tracks.ts';

const NumberText = z.string().transform(Number);
const Stream = z.object({
  index: z.number(),
  codec_type: z.string().default(''),
  codec_name: z.string().default('unknown'),
  pix_fmt: z.string().default(''),
  width: z.number().default(0),
  height: z.number().default(0),
  sample_aspect_ratio: z.string().default(''),
  field_order: z.string().default(''),
  channels: z.number().default(0),
  disposition: z.object({ attached_pic: z.number().default(0), default: z.number().default(0) }).default({ attached_pic: 0, default: 0 }),
  tags: z.object({ language: z.string().optional() }).optional(),
  side_data_list: z.array(z.object({ rotation: z.number().optional() })).default([]),
});
type Stream = z.infer<typeof Stream>;

/** What `ffprobe -of json` prints of a file. */
export const FfprobeOutput = z.object({
  format: z.object({ format_name: z.string(), start_time: NumberText.optional(), duration: NumberText.optional() }),
  streams: z.array(Stream).default([]),
});
export type FfprobeOutput = z.infer<typeof FfprobeOutput>;

/** ffprobe's answer in our words. */
export function describeOutput(output: FfprobeOutput): MediaDescription {
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
    })),
  };
}

/** The tracks of a file that nothing has been decoded of. */
export function toldTracks({ streams }: FfprobeOutput): ToldTrack[] {
  return streams.map(({ codec_type, width, height, channels, disposition }) => ({
    isVideo: codec_type === 'video',
    isCover: disposition.attached_pic === 1,
    ...{ width, height, channels },
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
    pixelAspect: ratio(stream.sample_aspect_ratio),
    rotation: (((Math.round(-turned / 90) * 90) % 360) + 360) % 360,
    interlaced: ['tt', 'bb', 'tb', 'bt'].includes(stream.field_order),
  };
}

/** "4:3" as a number; what is absent or absurd counts as square. */
function ratio(text: string): number {
  const [above = 0, below = 0] = text.split(':').map(Number);
  const value = above / below;
  return value > 0.05 && value < 20 ? value : 1;
}
