import type { StepContext } from './step.ts';
import type { MediaInput } from './tools/media-tools.ts';

const shortestTimeoutMs = 60_000;
// 4K with four renditions on two busy cores.
const passFactor = 120;
const passSilenceMs = 10 * 60_000;

/** The original as the input of a pass over the whole film, which may take long where it gets further: a busy machine is no fault of the film. */
export function passInput(context: StepContext, durationInSeconds: number): MediaInput {
  return originalInput(context, { durationInSeconds, factor: passFactor, silenceMs: context.passSilenceMs ?? passSilenceMs });
}

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
