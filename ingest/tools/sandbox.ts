import { mkdir } from 'node:fs/promises';
import { type BoundMemory, boundMemory, notHeldCode } from './bound-memory.ts';
import type { DecoderCall, DecoderRun, RunDecoder } from './decoder-call.ts';
import { type DecoderWay, decoderUser, decoderWays } from './decoder-ways.ts';
import { lendFiles, takeBack } from './lend-files.ts';
import { runTool, type ToolResult } from './run-tool.ts';
import { standingWalls, type Wall } from './standing-walls.ts';

/** How tools that read strangers' files are held on this machine. */
export interface Sandbox {
  readonly run: RunDecoder;
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
  const run: RunDecoder = (call, options) => runHeldBy(way, memory, { call, options });
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
