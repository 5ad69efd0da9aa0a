/*
 * Videos: the record, and everything that changes it. steps and record-step: what ingest did; correct-…: what people changed;
 * recompose-video: what both come to; publish-video: from when it is found.
 */
import { Problem } from '#contract/problem.ts';
import type { VideoState } from '#contract/video-service/answers.ts';
import { sql } from '../db/sql.ts';

/** What a film is in as long as nothing says so. */
export const fallbackLanguage = 'en';

/** A video as the archive knows it. Durations in seconds; width and height of the upright picture in pixels. */
export interface Video {
  readonly id: string;
  readonly state: VideoState;
  /** As it was given, with an item code in brackets if it had one; `toDisplayName` strips that. */
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
  /** Another one whenever its stills and frames are other pictures. */
  readonly picturesVersion: number;
  readonly createdAt: Date;
  readonly modifiedAt: Date;
  readonly publishedAt: Date | null;
}

/** Whether there is something to play of a video in this archive, as a condition on `videos v`. */
export const isPlayable = sql`coalesce(v.streaming_preset, 'NoStreaming') <> 'NoStreaming'`;

/** The names of a video as JSON, as columns of `videos v`: what PostgreSQL writes for a list is read sign by sign. */
export const nameColumns = sql`to_json(v.people) as people, to_json(v.labels) as labels, to_json(v.brands) as brands`;

/** What a `Video` is made of, as columns of `videos v`. */
export const videoColumns = sql`
  v.id, v.state, v.name, v.external_id as "externalId", v.description, v.owner, v.recorded_at as "recordedAt",
  v.place, v.language, v.rights, ${nameColumns}, v.origin,
  v.duration_seconds as "durationInSeconds", v.width, v.height, v.has_video as "hasVideo", v.has_audio as "hasAudio",
  v.streaming_preset as "streamingPreset", v.failure_code as "failureCode", v.failure_message as "failureMessage",
  v.processing_percent as "processingPercent", v.views, v.poster_ms as "posterMs", v.poster_version as "posterVersion", v.pictures_version as "picturesVersion",
  v.created_at as "createdAt", v.modified_at as "modifiedAt", v.published_at as "publishedAt"`;

/** What everybody is told of a video that is not there, and of one that is not for them: the same. */
export function makeNoVideoProblem(): Problem {
  return new Problem('not_found', 'There is no such video.');
}
