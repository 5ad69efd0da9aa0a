/*
 * The only files that start a process. run-tool runs one to its end, sandbox puts walls around those that read strangers' files,
 * media-tools says what FFmpeg is asked for, by its programs or by node-av.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { serverLimits } from '#contract/limits.ts';
import { giveWay } from './give-way.ts';

export interface ToolCall {
  readonly command: string;
  readonly args: readonly string[];
  readonly timeoutMs: number;
  /** The longest time without a sign of progress. */
  readonly silenceMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** All of its environment. */
  readonly env: Record<string, string>;
  /** Gets standard output line by line instead of having it collected; what it answers says whether the line is a sign of progress. */
  readonly onLine?: ((line: string) => boolean) | undefined;
  /** Whether the tool with this process id has taken more memory than it may; asked many times a second, and once when it is done. */
  readonly isOverMemory?: ((pid: number) => Promise<boolean>) | undefined;
}

/** What a tool was ended for before it was done. */
type Overrun = 'time' | 'silence' | 'memory';

export interface ToolResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly overrun: Overrun | undefined;
}

const lookEveryMs = 100;
/** The longest that a timer waits: Node.js fires one that is asked for more at once. */
const timerMaxMs = 2 ** 31 - 1;

/**
 * Runs a tool to its end, in a process group of its own that dies as a whole: when it takes too long, stands still or holds too much
 * memory, on abort, and when it is done.
 * Rejects only when it cannot be started or was aborted; an exit code is an answer.
 */
export async function runTool(call: ToolCall): Promise<ToolResult> {
  call.signal?.throwIfAborted();
  const child = spawn(call.command, call.args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'], env: call.env });
  if (child.pid !== undefined) giveWay(child.pid);
  const endGroup = () => killGroup(child.pid);
  const watch = watchOverruns(call, child.pid, endGroup);
  call.signal?.addEventListener('abort', endGroup);
  const stdout = collect();
  const stderr = collect();
  if (call.onLine) {
    createInterface({ input: child.stdout }).on('line', (line) => void (call.onLine?.(line) && watch.noteProgress()));
    child.stdout.on('data', watch.boundLine());
  } else child.stdout.on('data', stdout.add);
  child.stderr.on('data', stderr.add);
  try {
    const exitCode = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
    call.signal?.throwIfAborted();
    return { exitCode, stdout: stdout.text(), stderr: stderr.text(), overrun: await watch.verdict() };
  } finally {
    watch.stop();
    call.signal?.removeEventListener('abort', endGroup);
    endGroup();
  }
}

/** Ends a tool that goes over one of its bounds, and remembers which. */
function watchOverruns(call: ToolCall, pid: number | undefined, endGroup: () => void) {
  let overrun: Overrun | undefined;
  const end = (reason: Overrun) => {
    overrun ??= reason;
    endGroup();
  };
  const clock = setTimeout(() => end('time'), Math.min(call.timeoutMs, timerMaxMs));
  const silence = call.silenceMs === undefined ? undefined : setTimeout(() => end('silence'), call.silenceMs);
  const lookAtMemory = async () => {
    if (pid !== undefined && (await call.isOverMemory?.(pid))) end('memory');
  };
  const looks = call.isOverMemory && setInterval(() => void lookAtMemory(), lookEveryMs);
  return {
    noteProgress: () => void silence?.refresh(),
    /** Ends it for a line that does not end: the one that is begun is kept in this process's memory. */
    boundLine: () => {
      let bytes = 0;
      return (chunk: Buffer) => {
        const last = chunk.lastIndexOf('\n');
        bytes = last < 0 ? bytes + chunk.length : chunk.length - last - 1;
        if (bytes > serverLimits.toolOutputMaxBytes) end('memory');
      };
    },
    verdict: async () => {
      await lookAtMemory();
      return overrun;
    },
    stop: () => {
      clearTimeout(clock);
      clearTimeout(silence);
      clearInterval(looks);
    },
  };
}

/** How a tool ended, and the last that it said. */
export function describeToolEnd({ exitCode, stderr }: Pick<ToolResult, 'exitCode' | 'stderr'>): string {
  const ended = exitCode === null ? 'The system stopped it.' : `It ended with exit code ${exitCode}.`;
  return [...stderr.trim().split('\n').slice(-serverLimits.toolLastLinesMax), ended].join('\n').trim();
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
      if (bytes < serverLimits.toolOutputMaxBytes) chunks.push(chunk);
      bytes += chunk.length;
    },
    text: () => Buffer.concat(chunks).toString('utf8'),
  };
}
