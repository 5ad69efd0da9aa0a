import type { VideoState } from '#contract/video-service/answers.ts';
import { sql } from '../db/sql.ts';

/** A video as the archive knows it. Durations in seconds; width and height of the upright picture in pixels. */
export interface Video {
  readonly id: string;
  readonly state: VideoState;
  /** As it was given, with an item code in brackets if it had one; `displayName` strips that. */
  readonly name: string;
  readonly externalId: string | null;
  readonly description: string | null;
  readonly owner: string | null;
  readonly recordedAt: string | null;
  readonly place: string | null;
  readonly language: string;
  readonly rights: string | null;
  readonly people: readonly string[];
  readonly labels: readonly string[];
  readonly brands: readonly string[];
  readonly origin: 'file' | 'catalogue';
  readonly durationInSeconds: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly hasVideo: boolean;
  readonly hasAudio: boolean;
  readonly streamingPreset: string | null;
  readonly failureCode: string | null;
  readonly failureMessage: string | null;
  readonly processingPercent: number;
  readonly views: number;
  /** The second that an editor chose to stand for it, in milliseconds; null where the archive chose. */
  readonly posterMs: number | null;
  /** Another one whenever its poster is another picture. */
  readonly posterVersion: number;
  readonly createdAt: Date;
  readonly modifiedAt: Date;
  readonly publishedAt: Date | null;
}

/** Whether there is something to play of a video in this archive, as a condition on `videos v`. */
export const isPlayable = sql`coalesce(v.streaming_preset, 'NoStreaming') <> 'NoStreaming'`;
