/*
 * What becomes of a film: what probing says of it (here), whether it is taken (refuse-tracks), and the plans by which pictures and renditions are made.
 */
import { z } from 'zod';

export const VideoStream = z.object({
  index: z.number().int(),
  codec: z.string(),
  pixelFormat: z.string(),
  /** As stored, before rotation and pixel aspect. */
  width: z.number().int(),
  height: z.number().int(),
  /** Width of a pixel divided by its height. */
  pixelAspect: z.number(),
  /** Degrees clockwise that the stored picture has to be turned by to stand upright: 0, 90, 180 or 270. */
  rotation: z.number().int(),
  interlaced: z.boolean(),
  /** By which curve its numbers stand for light: that of ordinary screens, or one of those that reach further (SMPTE ST 2084, ARIB STD-B67). */
  dynamicRange: z.enum(['standard', 'pq', 'hlg']).default('standard'),
});
export type VideoStream = z.infer<typeof VideoStream>;

const AudioStream = z.object({ index: z.number().int(), codec: z.string(), channels: z.number().int() });

export const SubtitleStream = z.object({
  index: z.number().int(),
  codec: z.string(),
  language: z.string().nullable(),
  /** Players show it by themselves. */
  preferred: z.boolean().default(false),
  /** Holds only what viewers who understand the film need: signs, and a foreign word now and then. */
  forced: z.boolean().default(false),
  /** Tells sounds beside what is said. */
  hearingImpaired: z.boolean().default(false),
});
export type SubtitleStream = z.infer<typeof SubtitleStream>;

/** What the container says of itself; its times are not to be believed. */
export const MediaDescription = z.object({
  format: z.string(),
  startSeconds: z.number(),
  claimedSeconds: z.number(),
  /** The first real picture track; a cover picture is none. */
  video: VideoStream.nullable(),
  audio: AudioStream.nullable(),
  subtitles: z.array(SubtitleStream),
});
export type MediaDescription = z.infer<typeof MediaDescription>;

/** What a walk over all packets found in one track. Seconds from the start of the film. */
export const TrackScan = z.object({
  packets: z.number().int(),
  /** Where the last packet ends, with holes in the time line closed. */
  endSeconds: z.number(),
  keyFrames: z.number().int(),
  longestKeyFrameGapSeconds: z.number(),
  firstIsKeyFrame: z.boolean(),
  /** Times that jump by more than ten seconds, or backwards. */
  timeJumps: z.number().int(),
});
export type TrackScan = z.infer<typeof TrackScan>;

export const PacketScan = z.object({ video: TrackScan.nullable(), audio: TrackScan.nullable() });
export type PacketScan = z.infer<typeof PacketScan>;
