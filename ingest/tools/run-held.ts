import { serverLimits } from '#contract/limits.ts';
import { makeRefusal, StepFailure } from '../step-failure.ts';
import type { MediaInput } from './media-tools.ts';
import type { ToolResult } from './run-tool.ts';
import type { Sandbox } from './sandbox.ts';

export interface HeldCall {
  readonly command: string;
  readonly args: readonly string[];
  /** What else the program consists of. */
  readonly programs?: readonly string[];
  /** What it reads beside the input. */
  readonly models?: readonly string[];
  readonly addressBytes?: number;
  /** Gets standard output line by line; answers the second of the film that the line says was reached, if it says one. */
  readonly onLine?: (line: string) => number | undefined;
}

const startSeconds = 10;

/**
 * Runs a tool that reads `input` inside the sandbox. Throws a StepFailure: one that takes more memory than any film needs is the
 * footage's fault; one that stands still, or works for longer than the film's length allows, may do better: a machine may be busy.
 */
export async function runHeld(sandbox: Sandbox, input: MediaInput, call: HeldCall): Promise<ToolResult> {
  // Several threads may work at once.
  const cpuSeconds = (input.timeoutMs / 1_000) * 4 + startSeconds;
  const limits = {
    cpuSeconds,
    fileBytes: serverLimits.decoderMaxBytes.file,
    memoryBytes: serverLimits.decoderMaxBytes.memory,
    ...(call.addressBytes ? { addressBytes: call.addressBytes } : {}),
  };
  const { command, args, programs = [], models = [] } = call;
  const result = await sandbox.run(
    { command, args, programs, inputs: [input.path, ...models], outputs: input.outputFolder ? [input.outputFolder] : [], limits },
    { timeoutMs: input.timeoutMs, silenceMs: input.silenceMs, signal: input.signal, onLine: call.onLine && progressOf(call.onLine, input) },
  );
  if (result.overrun === 'memory') throw makeMemoryRefusal();
  if (result.overrun === undefined) return result;
  throw new StepFailure(
    { is: 'try-again', code: 'processing_timeout' },
    result.overrun === 'silence'
      ? `Work on the video made no progress for ${Math.round((input.silenceMs ?? 0) / 60_000)} minutes and was stopped.`
      : 'Work on the video took far longer than its length allows and was stopped.',
  );
}

/** What is thrown for a file that takes more memory to read than any film needs. */
export function makeMemoryRefusal(): StepFailure {
  return makeRefusal('too_much_memory', 'Reading the file takes more than 2 GB of memory, more than any video needs.');
}

/** Tells whether a line is a sign of progress: a later second than all before. */
function progressOf(secondOf: (line: string) => number | undefined, { onSecond }: MediaInput): (line: string) => boolean {
  let latest = Number.NEGATIVE_INFINITY;
  return (line) => {
    const second = secondOf(line);
    if (second === undefined) return false;
    onSecond?.(second);
    const isLater = second > latest;
    latest = Math.max(latest, second);
    return isLater;
  };
}
