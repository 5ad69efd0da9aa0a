import { mkdir } from 'node:fs/promises';
import { type BoundMemory, boundMemory, notHeldCode } from './bound-memory.ts';
import type { DecoderCall } from './decoder-call.ts';
import { type DecoderWay, decoderUser, decoderWays } from './decoder-ways.ts';
import { lendFiles, takeBack } from './lend-files.ts';
import { runTool, type ToolResult } from './run-tool.ts';
import { standingWalls, type Wall } from './standing-walls.ts';

/** How a call goes on and ends, beside what it may see and use. */
export interface DecoderRun {
  readonly timeoutMs: number;
  /** Ends a program that says nothing new for so long; undefined for one that need not speak. */
  readonly silenceMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Gets standard output line by line; what it answers says whether the line is a sign of progress. */
  readonly onLine?: ((line: string) => boolean) | undefined;
}

/** How tools that read strangers' files are held on this machine. */
export interface Sandbox {
  /**
   * Runs a decoder to its end. What it leaves in its outputs belongs to this process; anything there but plain files and folders is an
   * error. Throws what `runTool` and `lendFiles` throw, and when what holds decoders cannot be put up:
   * that is no verdict on what it was to read.
   */
  run(call: DecoderCall, run: DecoderRun): Promise<ToolResult>;
  /** What a decoder here is kept from; tried out, not assumed. */
  readonly walls: readonly Wall[];
}

/** Only what the loader of programs wants: nothing of this process's own settings, some of which are secrets. */
const environment = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/tmp', LANG: 'C.UTF-8' };
const quickMs = 20_000;

/** Tries what this machine allows, the best first, for the archive in `dataFolder`, and what then holds. */
export async function findSandbox(dataFolder: string): Promise<Sandbox> {
  // A folder that is not there yet could not be hidden.
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const memory = await boundMemory();
  const way = await bestWay(decoderWays(dataFolder));
  const run: Sandbox['run'] = (call, options) => runHeldBy(way, memory, { call, options });
  return { run, walls: await standingWalls(run, dataFolder) };
}

async function runHeldBy(
  way: DecoderWay,
  memory: BoundMemory,
  { call, options }: { call: DecoderCall; options: DecoderRun },
): Promise<ToolResult> {
  if (way.isOtherUser) await lendFiles(call, decoderUser);
  await using bound = await memory.open(call.limits.memoryBytes);
  const [command = '', ...args] = [...bound.words, ...way.words(call)];
  const result = await runTool({ ...options, command, args, env: environment, isOverMemory: bound.isOver });
  await takeBack(call);
  if (result.exitCode === notHeldCode) throw new Error(`What holds a decoder could not be put up: ${result.stderr.trim()}`);
  return result;
}

async function bestWay(ways: readonly DecoderWay[]): Promise<DecoderWay> {
  const limits = { memoryBytes: 2 ** 30, cpuSeconds: 5, fileBytes: 1_000 };
  const nothing: DecoderCall = { command: '/bin/true', args: [], programs: [], inputs: [], outputs: [], limits };
  for (const way of ways) {
    const [command = '', ...args] = way.words(nothing);
    const done = await runTool({ command, args, env: environment, timeoutMs: quickMs }).catch(() => undefined);
    if (done?.exitCode === 0) return way;
  }
  return { words: ({ command, args }) => [command, ...args], isOtherUser: false };
}
