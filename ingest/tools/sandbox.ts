import { chmod, lchown, lstat, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage } from '#domain/db/error-message.ts';
import { StepFailure } from '../step-failure.ts';
import { type BoundMemory, boundMemory, notHeldCode } from './bound-memory.ts';
import type { DecoderCall, DecoderRun, RunDecoder } from './decoder-call.ts';
import { type DecoderWay, decoderUser, decoderWays } from './decoder-ways.ts';
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

/**
 * Lets another user read the inputs, as the group that they belong to, and write into the outputs, as their owner. That nobody else may
 * look into the folder of the archive stays as it is. Throws a StepFailure when the file system does not allow it.
 */
async function lendFiles({ inputs, outputs }: DecoderCall, user: number): Promise<void> {
  try {
    for (const input of inputs) await lendToRead(input, user);
    for (const output of outputs) await walk(output, (path) => lchown(path, user, user));
  } catch (error) {
    throw new StepFailure(
      { is: 'tool-missing' },
      `A file could not be given to the user that decoders run as (${errorMessage(error)}): its file system has to keep owners, or the worker has to run as an ordinary user.`,
    );
  }
}

/** Makes all that a decoder left this process's own. Throws when there is anything but plain files and folders. */
async function takeBack({ outputs }: DecoderCall): Promise<void> {
  const [user, group] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  for (const output of outputs) await walk(output, (path, owner) => (owner === user ? undefined : lchown(path, user, group)));
}

async function lendToRead(path: string, user: number): Promise<void> {
  const { uid, gid, mode } = await stat(path);
  const isReadable = (mode & 0o004) !== 0 || uid === user || (gid === user && (mode & 0o040) !== 0);
  if (isReadable) return;
  await lchown(path, uid, user);
  await chmod(path, (mode & 0o7777) | 0o040);
}

/** Nothing of it is followed: a link that a decoder left would lead the archive, and its viewers, to another file. */
async function walk(path: string, visit: (path: string, owner: number) => Promise<void> | undefined): Promise<void> {
  const found = await lstat(path);
  if (!found.isFile() && !found.isDirectory()) throw new Error(`A decoder left ${path}, which is no plain file.`);
  await visit(path, found.uid);
  if (found.isFile()) return;
  for (const name of await readdir(path)) await walk(join(path, name), visit);
}
