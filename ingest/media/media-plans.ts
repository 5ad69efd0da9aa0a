import { z } from 'zod';
import { VideoStream } from './media-description.ts';

/** Pictures drawn from the film at even distances; `{n}` counts from 0. */
const StillsOutput = z.object({ everySeconds: z.number().positive(), width: z.number().int(), height: z.number().int() });

/** The track that pictures are made of, and what has to be done to any of them. */
const PictureTrack = z.object({
  stream: z.number().int(),
  rotation: z.number().int(),
  deinterlace: z.boolean(),
  dynamicRange: VideoStream.shape.dynamicRange,
});
export type PictureTrack = z.infer<typeof PictureTrack>;

export function toPictureTrack({ index, rotation, interlaced, dynamicRange }: VideoStream): PictureTrack {
  return { stream: index, rotation, deinterlace: interlaced, dynamicRange };
}

/** Everything small that one pass over the film draws. */
export const StillsPlan = PictureTrack.extend({
  /** Where the film's own time line begins. */
  startSeconds: z.number(),
  /** Whether only key frames are decoded, which costs a small part of the time: a picture stands until the next key frame then. */
  keyFramesOnly: z.boolean(),
  /** `frame-%06d.jpg`. */
  frames: StillsOutput,
  /** `candidate-%06d.jpg`: what the poster is chosen from. */
  candidates: StillsOutput,
  /** `storyboard.jpg`, one picture. */
  storyboard: StillsOutput.extend({ columns: z.number().int(), rows: z.number().int() }),
  /** `poster.jpg`, the film as it stands where the best candidate was drawn; null where none is wanted. */
  poster: z.object({ width: z.number().int(), height: z.number().int() }).nullable(),
  folder: z.string(),
});
export type StillsPlan = z.infer<typeof StillsPlan>;

/** One upright picture as it stands at a second. */
export const PosterPlan = PictureTrack.extend({
  startSeconds: z.number(),
  atSeconds: z.number(),
  width: z.number().int(),
  height: z.number().int(),
  path: z.string(),
});
export type PosterPlan = z.infer<typeof PosterPlan>;

/** A stretch of the film as raw grey pictures, one byte a pixel, one picture behind the other in the file `path`; and stills in colour beside them. */
export const GreyPlan = PictureTrack.extend({
  startSeconds: z.number(),
  fromSeconds: z.number().nonnegative(),
  lengthSeconds: z.number().positive(),
  everySeconds: z.number().positive(),
  width: z.number().int(),
  height: z.number().int(),
  path: z.string(),
  /** `still-%06d.jpg` in a folder. */
  stills: StillsOutput.extend({ folder: z.string() }),
});
export type GreyPlan = z.infer<typeof GreyPlan>;

/** A stretch of the film in colour: raw pictures of three bytes a pixel (red, green, blue), one behind the other in the file `path`. */
export const PicturesPlan = PictureTrack.extend({
  startSeconds: z.number(),
  fromSeconds: z.number().nonnegative(),
  lengthSeconds: z.number().positive(),
  everySeconds: z.number().positive(),
  width: z.number().int(),
  height: z.number().int(),
  path: z.string(),
});
export type PicturesPlan = z.infer<typeof PicturesPlan>;

/** A stretch of a track of picture subtitles on black, as raw colour pictures like those of the film. */
export type SubtitlePicturesPlan = Omit<PicturesPlan, 'rotation' | 'deinterlace' | 'dynamicRange' | 'startSeconds'>;

/** How many numbers a second tell the sound that recognisers hear. */
export const samplesPerSecond = 16_000;

/** A stretch of the sound as recognisers want it, in the file `path`: one channel, signed 16-bit numbers in little-endian order. */
export const SoundPlan = z.object({
  stream: z.number().int(),
  startSeconds: z.number(),
  fromSeconds: z.number().nonnegative(),
  lengthSeconds: z.number().positive(),
  path: z.string(),
});
export type SoundPlan = z.infer<typeof SoundPlan>;

export const SubtitlePlan = z.object({ stream: z.number().int(), startSeconds: z.number(), path: z.string() });
export type SubtitlePlan = z.infer<typeof SubtitlePlan>;

export const segmentSeconds = 4;

/** A playlist `index.m3u8` with its segments in `folder`, cut from the tracks as they are. */
export const RenditionPlan = z.object({
  videoStream: z.number().int().nullable(),
  audioStream: z.number().int().nullable(),
  startSeconds: z.number(),
  folder: z.string(),
});
export type RenditionPlan = z.infer<typeof RenditionPlan>;

/** A playlist per size, all cut at the same seconds. */
export const EncodePlan = z.object({
  video: PictureTrack.extend({
    /** Measured, not claimed. */
    framesPerSecond: z.number().positive(),
    /** Set when the source has more pictures a second than players show. */
    frameRateMax: z.number().nullable(),
  }).nullable(),
  audioStream: z.number().int().nullable(),
  startSeconds: z.number(),
  /** Of each encoder. */
  threads: z.number().int().positive(),
  renditions: z.array(
    z.object({ folder: z.string(), width: z.number().int(), height: z.number().int(), maxKilobitsPerSecond: z.number().int() }),
  ),
});
export type EncodePlan = z.infer<typeof EncodePlan>;

/** Each thread of an encoder holds pictures of its own: four sizes of a 4K film take 1.4 GB with four threads each, 5.4 GB with 48. */
const encoderThreadsMax = 4;

/** How many threads an encoder gets on a machine with so many processors: as many as it would take itself, where its memory is bounded. */
export function countEncoderThreads(processors: number): number {
  return Math.min(encoderThreadsMax, Math.ceil(processors * 1.5));
}

type PictureNeeds = Pick<PictureTrack, 'deinterlace' | 'dynamicRange'>;

/** Filters that make a picture ready for any output: deinterlaced, square pixels, this size, and light as ordinary screens show it. */
export function makePictureFilter({ deinterlace, dynamicRange, ...size }: PictureNeeds & { width: number; height: number }): string {
  return [
    ...(deinterlace ? ['yadif=deint=interlaced'] : []),
    `scale=${size.width}:${size.height}:flags=bicubic`,
    'setsar=1',
    ...(dynamicRange === 'standard' ? [] : toneMappingFor(dynamicRange)),
  ].join(',');
}

type WideRange = Exclude<PictureTrack['dynamicRange'], 'standard'>;

const transferOf: Record<WideRange, string> = { pq: 'smpte2084', hlg: 'arib-std-b67' };

/**
 * Brings a wide range of light into that of ordinary screens, which else show it grey and pale: 100 cd/m² and a little more stay as they are,
 * what is brighter, up to 1,000, is pressed together. What the file leaves out of its colours is taken as BT.2100 has it.
 */
function toneMappingFor(range: WideRange): string[] {
  return [
    // Half the colour in each direction would ask for even sizes.
    'format=yuv444p10le',
    `zscale=transferin=${transferOf[range]}:primariesin=bt2020:matrixin=bt2020nc:transfer=linear:npl=100`,
    'format=gbrpf32le',
    'zscale=primaries=bt709',
    'tonemap=mobius:peak=10',
    'zscale=transfer=bt709:matrix=bt709:range=limited',
    'format=yuv444p',
  ];
}

/** Filters that make the grey pictures of a plan, once the stretch begins at 0; each pixel is the mean of what it covers. */
export function makeGreyFilter({ everySeconds, width, height }: GreyPlan): string {
  return `${makeEverySecondsFilter(everySeconds)},scale=${width}:${height}:flags=area,format=gray`;
}

/** Filters that make the colour pictures of a plan, once the stretch begins at 0. */
export function makePicturesFilter(plan: PicturesPlan): string {
  return `${makeEverySecondsFilter(plan.everySeconds)},trim=end=${plan.lengthSeconds},${makePictureFilter(plan)},format=rgb24`;
}

/** Filters that make the sound of a plan, once the stretch begins at 0; silence stands where the track has nothing. */
export function makeSoundFilter({ lengthSeconds }: SoundPlan): string {
  return [
    `atrim=end=${lengthSeconds}`,
    `aresample=${samplesPerSecond}:async=1:first_pts=0`,
    'aformat=sample_fmts=s16:channel_layouts=mono',
  ].join(',');
}

/** The picture that stands at each multiple of `seconds`, from 0 on: the last one that had begun by then. */
export function makeEverySecondsFilter(seconds: number): string {
  return `fps=fps=1/${seconds}:start_time=0:round=up`;
}
