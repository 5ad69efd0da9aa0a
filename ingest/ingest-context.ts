import type { Pool } from '#domain/db/database.ts';
import type { ArchiveFolder } from '#domain/files/archive-folder.ts';
import type { FileStore } from '#domain/files/store.ts';
import type { VideoKeys } from '#domain/files/video-keys.ts';
import type { MediaInput, MediaTools } from './tools/media-tools.ts';

/** What the worker works with. */
export interface IngestContext {
  readonly pool: Pool;
  readonly folder: ArchiveFolder;
  /** The media. */
  readonly store: FileStore;
  readonly tools: MediaTools;
  readonly reserveBytes: number;
  /** How long an encode may get no further; ten minutes where it is not said. */
  readonly encodeSilenceMs?: number | undefined;
}

/** What a step works with: one video, and a scratch folder that is empty when the step begins and gone when it has ended. */
export interface StepContext extends IngestContext {
  readonly video: {
    readonly id: string;
    readonly name: string;
    readonly fileName: string;
    readonly language: string;
    readonly keys: VideoKeys;
  };
  /** The original on this machine, to be read only. */
  readonly originalPath: string;
  readonly workFolder: string;
  readonly signal: AbortSignal;
  /** Tells how much of the step is done, 0 to 1. */
  readonly progress: (share: number) => void;
}

const shortestTimeoutMs = 60_000;

/**
 * The original as a tool's input; the time allowed is `factor` times its length, and a minute at least. With `silenceMs` the tool is
 * also ended when it gets no further for so long.
 */
export function originalInput(
  context: StepContext,
  allowed: { durationInSeconds: number; factor: number; silenceMs?: number },
): MediaInput {
  return {
    path: context.originalPath,
    outputFolder: context.workFolder,
    timeoutMs: shortestTimeoutMs + allowed.durationInSeconds * allowed.factor * 1_000,
    silenceMs: allowed.silenceMs,
    signal: context.signal,
    onSecond: (second) => context.progress(Math.min(1, second / Math.max(1, allowed.durationInSeconds))),
  };
}
