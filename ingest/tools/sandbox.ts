import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { chmod, lchown, lstat, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessageOf } from '#domain/system/error-message.ts';
import { StepFailure } from '../step-failure.ts';
import { type BoundMemory, findBoundMemory, notHeldCode } from './bound-memory.ts';
import type { DecoderCall, DecoderLimits, DecoderRun, RunDecoder } from './decoder-call.ts';
import { runTool, type ToolResult } from './run-tool.ts';
import { findStandingWalls, type Wall } from './standing-walls.ts';

/** How tools that read strangers' files are held on this machine. */
export interface Sandbox {
  readonly run: RunDecoder;
  /** What a decoder here is kept from; tried out, not assumed. */
  readonly walls: readonly Wall[];
}

/** Only what the loader of programs wants: nothing of this process's own settings, some of which are secrets. */
const environment = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/tmp', LANG: 'C.UTF-8' };
const quickMs = 20_000;

/**
 * Tries what this machine allows, the best first, for the archive in `dataFolder`, and what then holds. Tools get this share of the
 * processors, 0 to 1; throws a StepFailure where they cannot be kept to it.
 */
export async function findSandbox(dataFolder: string, share = 1): Promise<Sandbox> {
  // A folder that is not there yet could not be hidden.
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const sharing = await limitProcessors(share, environment);
  const memory = await findBoundMemory();
  const best = await chooseBestWay(listDecoderWays(dataFolder));
  const way: DecoderWay = { ...best, words: (call) => [...sharing, ...best.words(call)] };
  const run: RunDecoder = (call, options) => runHeldBy(way, memory, { call, options });
  return { run, walls: await findStandingWalls(run, dataFolder) };
}

/**
 * Words before a command line that keep a program, and all that it starts, to a share of this machine's processors, 0 to 1, at least to one of
 * them; none where it may have all. Throws a StepFailure where programs cannot be kept to any.
 */
export async function limitProcessors(share: number, env: Record<string, string>): Promise<readonly string[]> {
  if (share >= 1) return [];
  const processors = await readOwnProcessors().catch(() => []);
  const words = ['taskset', '-c', processors.slice(-Math.max(1, Math.ceil(processors.length * share))).join(',')];
  const tried = await runTool({ command: 'taskset', args: [...words.slice(1), 'true'], env, timeoutMs: quickMs }).catch(() => undefined);
  if (tried?.exitCode === 0) return words;
  throw new StepFailure(
    { is: 'tool-missing' },
    'RUSHES_INGEST_CPU_PERCENT needs Linux and the program taskset (of the package util-linux); install it, or take the setting away.',
  );
}

/** The numbers of the processors that this process may run on. */
async function readOwnProcessors(): Promise<number[]> {
  const [, list = ''] = /^Cpus_allowed_list:\s*(\S+)$/m.exec(await readFile('/proc/self/status', 'utf8')) ?? [];
  return list.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, n) => first + n);
  });
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

async function chooseBestWay(ways: readonly DecoderWay[]): Promise<DecoderWay> {
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
      `A file could not be given to the user that decoders run as (${errorMessageOf(error)}): its file system has to keep owners, or the worker has to run as an ordinary user.`,
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

/** A user that nobody is: no file and no process of this machine belongs to it, the database's neither. */
const decoderUser = 65_533;

/** One way to hold a decoder on this machine: the command line that runs a call. */
interface DecoderWay {
  readonly words: (call: DecoderCall) => string[];
  /** Whether it runs as `decoderUser`, who has to be given its files first. */
  readonly isOtherUser: boolean;
}

// The libraries of the system, and the programs that hold a decoder down.
const systemFolders = ['/bin', '/lib', '/lib64', '/usr/bin', '/usr/lib', '/usr/lib64', '/usr/local/lib', '/etc/alternatives', '/nix/store'];
const devices = ['/dev/null', '/dev/zero', '/dev/urandom'];
const script = join(import.meta.dirname, 'decoder-world.sh');
const ownNamespaces = ['--mount', '--net', '--ipc', '--uts', '--pid', '--fork', '--kill-child'];
const withoutRights = ['--inh-caps=-all', '--ambient-caps=-all', '--bounding-set=-all', '--no-new-privs', '--pdeathsig', 'KILL'];
const otherUser = ['--reuid', `${decoderUser}`, '--regid', `${decoderUser}`, '--clear-groups'];

/**
 * The ways to hold a decoder, the best first. Those that build a small world of its own hide the archive in `dataFolder`; the last ones
 * only cut the network, or nothing.
 */
function listDecoderWays(dataFolder: string): DecoderWay[] {
  const system = systemFolders.filter((folder) => existsSync(folder));
  const links = system.filter((folder) => lstatSync(folder).isSymbolicLink());
  const folders = system.filter((folder) => !links.includes(folder));
  const world = (namespaces: string[], setpriv: string[]) => (call: DecoderCall) => [
    ...['setpriv', '--pdeathsig', 'KILL', 'unshare', ...namespaces, ...ownNamespaces],
    ...['sh', script, ...folders.flatMap((folder) => ['system', folder])],
    ...[...links.flatMap((link) => ['link', readlinkSync(link), link]), ...listStandings(call, dataFolder).flat(), '--'],
    ...['setpriv', ...setpriv, ...withoutRights, ...withLimits(call, true)],
  ];
  const networkOnly = (namespaces: string[]) => (call: DecoderCall) => [
    ...['setpriv', '--pdeathsig', 'KILL', ...namespaces, ...withLimits(call, namespaces.includes('--user'))],
  ];
  const ways = [
    { words: world(['--user', '--map-root-user'], []), isOtherUser: false },
    { words: bubblewrapFor(dataFolder, { folders, links }), isOtherUser: false },
    { words: networkOnly(['unshare', '--net']), isOtherUser: false },
    { words: networkOnly(['unshare', '--user', '--map-root-user', '--net']), isOtherUser: false },
    { words: networkOnly([]), isOtherUser: false },
    { words: ({ command, args }: DecoderCall) => [command, ...args], isOtherUser: false },
  ];
  return process.getuid?.() === 0 ? [{ words: world([], otherUser), isOtherUser: true }, ...ways] : ways;
}

function bubblewrapFor(
  dataFolder: string,
  { folders, links }: { folders: readonly string[]; links: readonly string[] },
): DecoderWay['words'] {
  const libraries = [
    ...folders.flatMap((folder) => ['--ro-bind', folder, folder]),
    ...links.flatMap((link) => ['--symlink', readlinkSync(link), link]),
  ];
  return (call) => [
    ...['bwrap', '--unshare-all', '--die-with-parent', '--as-pid-1', '--chdir', '/', ...libraries],
    ...['--ro-bind-try', '/etc/ld.so.cache', '/etc/ld.so.cache', ...devices.flatMap((device) => ['--dev-bind', device, device])],
    ...['--tmpfs', '/tmp'],
    ...listStandings(call, dataFolder).flatMap(([kind, source, place]) =>
      kind === 'hide' ? ['--tmpfs', place] : [kind === 'output' ? '--bind' : '--ro-bind', source, place],
    ),
    ...['--', ...withLimits(call, true)],
  ];
}

/** What stands where, in this order: the true file or folder, at the place that the call knows it by. */
function listStandings(
  { command, programs, inputs, outputs }: DecoderCall,
  dataFolder: string,
): [kind: string, source: string, place: string][] {
  const of = (kind: string) => (place: string) => [kind, realpathSync(place), place] as [string, string, string];
  const isWithin = (path: string, folders: readonly string[]) => folders.some((folder) => path.startsWith(`${folder}/`));
  const own = [...new Set([command, ...programs])].filter((path) => !isWithin(path, systemFolders)).sort();
  const archive = realpathSync(dataFolder);
  // An archive may lie within a folder of programs; anywhere else it is not there to begin with.
  const hidden = isWithin(archive, [...systemFolders, ...own]) ? [archive] : [];
  return [...own.map(of('program')), ...hidden.map(of('hide')), ...inputs.map(of('input')), ...outputs.map(of('output'))];
}

function withLimits({ command, args, limits }: DecoderCall, countsOwnProcesses: boolean): string[] {
  return ['prlimit', ...limitArgs(limits, countsOwnProcesses), command, ...args];
}

function limitArgs(limits: DecoderLimits, countsOwnProcesses: boolean): string[] {
  return [
    ...(limits.addressBytes ? [`--as=${limits.addressBytes}`] : []),
    `--cpu=${Math.ceil(limits.cpuSeconds)}`,
    `--fsize=${limits.fileBytes}`,
    '--core=0',
    // With the worker's own user the number would count everything that this user runs.
    ...(countsOwnProcesses ? ['--nproc=4096'] : []),
  ];
}
