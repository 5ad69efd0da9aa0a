import { serverLimits } from '#contract/limits.ts';
import type { FileStore } from '#domain/files/store.ts';
import type { StepContext } from './step.ts';
import type { MediaInput } from './tools/media-tools.ts';

// 4K with four renditions on two busy cores.
const passFactor = 120;

/** The original as the input of a pass over the whole film, which may take long where it gets further: a busy machine is no fault of the film. */
export async function preparePassInput(context: StepContext, durationInSeconds: number): Promise<MediaInput> {
  return await prepareOriginalInput(context, {
    durationInSeconds,
    factor: passFactor,
    silenceMs: context.passSilenceMs ?? serverLimits.toolSilenceMaxMs,
  });
}

/**
 * The original as a tool's input; the time allowed is `factor` times its length, and a minute at least. With `silenceMs` the tool is
 * also ended when it gets no further for so long.
 */
export async function prepareOriginalInput(
  context: StepContext,
  allowed: { durationInSeconds: number; factor: number; silenceMs?: number },
): Promise<MediaInput> {
  return {
    path: await context.original(),
    outputFolder: context.workFolder,
    timeoutMs: serverLimits.toolMinMs + allowed.durationInSeconds * allowed.factor * 1_000,
    silenceMs: allowed.silenceMs,
    signal: context.signal,
    onSecond: (second) => context.progress(Math.min(1, second / Math.max(1, allowed.durationInSeconds))),
  };
}

/** Fetches an original when it is first asked for, and keeps it until the work ends: much of what is done with a film reads nothing of it. */
export async function withOriginal<T>(store: FileStore, key: string, work: (original: () => Promise<string>) => Promise<T>): Promise<T> {
  const over = Promise.withResolvers<void>();
  let asked: { path: Promise<string>; given: Promise<void>; isThere: boolean } | undefined;
  const original = () => {
    if (asked) return asked.path;
    const { promise: path, resolve, reject } = Promise.withResolvers<string>();
    const given = store.withLocalCopy(key, (local) => {
      mine.isThere = true;
      resolve(local);
      return over.promise;
    });
    const failed = (error: unknown) => {
      asked = undefined;
      reject(error);
    };
    const mine = { path, given: given.catch(failed), isThere: false };
    asked = mine;
    return path;
  };
  try {
    return await work(original);
  } finally {
    over.resolve();
    // A fetch that nobody waits for any more ends by itself.
    if (asked?.isThere) await asked.given;
  }
}
