import { refusal } from '../step-failure.ts';
import type { MediaInput } from './media-tools.ts';
import { runTool, type ToolResult } from './run-tool.ts';
import type { Sandbox } from './sandbox.ts';

interface HeldCall {
  readonly command: string;
  readonly args: readonly string[];
  readonly memoryBytes?: number;
  readonly onLine?: (line: string) => void;
}

const fileBytes = 64 * 1024 ** 3;
const startSeconds = 10;

/** Runs a tool that reads `input` inside the sandbox; one that takes longer than the input allows is the footage's fault. */
export async function runHeld(sandbox: Sandbox, input: MediaInput, call: HeldCall): Promise<ToolResult> {
  // Several threads may work at once.
  const cpuSeconds = (input.timeoutMs / 1_000) * 4 + startSeconds;
  const held = sandbox.wrap(call.command, call.args, {
    cpuSeconds,
    fileBytes,
    ...(call.memoryBytes ? { memoryBytes: call.memoryBytes } : {}),
  });
  const result = await runTool({
    ...held,
    timeoutMs: input.timeoutMs,
    signal: input.signal,
    ...(call.onLine ? { onLine: call.onLine } : {}),
  });
  if (result.timedOut) throw refusal('processing_timeout', 'Reading the file took far longer than its length allows.');
  return result;
}
