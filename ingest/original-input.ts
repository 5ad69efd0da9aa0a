import type { StepContext } from './step.ts';
import type { MediaInput } from './tools/media-tools.ts';

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
