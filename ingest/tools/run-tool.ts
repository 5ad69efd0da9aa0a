import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { giveWay } from './give-way.ts';

export interface ToolCall {
  readonly command: string;
  readonly args: readonly string[];
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly env?: Record<string, string>;
  /** Gets standard output line by line instead of having it collected. */
  readonly onLine?: (line: string) => void;
}

export interface ToolResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
}

const outputMaxBytes = 8 * 1024 * 1024;

/**
 * Runs a tool to its end, in a process group of its own that dies as a whole: on time-out, on abort, and when it is done.
 * Rejects only when it cannot be started or was aborted; an exit code is an answer.
 */
export async function runTool(call: ToolCall): Promise<ToolResult> {
  call.signal?.throwIfAborted();
  const child = spawn(call.command, call.args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(call.env ? { env: call.env } : {}),
  });
  if (child.pid !== undefined) giveWay(child.pid);
  const endGroup = () => killGroup(child.pid);
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    endGroup();
  }, call.timeoutMs);
  call.signal?.addEventListener('abort', endGroup);
  const stdout = collect();
  const stderr = collect();
  if (call.onLine) createInterface({ input: child.stdout }).on('line', call.onLine);
  else child.stdout.on('data', stdout.add);
  child.stderr.on('data', stderr.add);
  try {
    const exitCode = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
    call.signal?.throwIfAborted();
    return { exitCode, stdout: stdout.text(), stderr: stderr.text(), timedOut };
  } finally {
    clearTimeout(timer);
    call.signal?.removeEventListener('abort', endGroup);
    endGroup();
  }
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The whole group is gone already.
  }
}

/** Keeps the first megabytes of a stream and drops the rest, so that a chatty tool cannot fill the memory. */
function collect() {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return {
    add: (chunk: Buffer) => {
      if (bytes < outputMaxBytes) chunks.push(chunk);
      bytes += chunk.length;
    },
    text: () => Buffer.concat(chunks).toString('utf8'),
  };
}
