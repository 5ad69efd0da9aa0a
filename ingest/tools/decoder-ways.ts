import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { DecoderCall, DecoderLimits } from './decoder-call.ts';

/** A user that nobody is: no file and no process of this machine belongs to it, the database's neither. */
export const decoderUser = 65_533;

/** One way to hold a decoder on this machine: the command line that runs a call. */
export interface DecoderWay {
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
export function decoderWays(dataFolder: string): DecoderWay[] {
  const system = systemFolders.filter((folder) => existsSync(folder));
  const world = (namespaces: string[], setpriv: string[]) => (call: DecoderCall) => [
    ...['setpriv', '--pdeathsig', 'KILL', 'unshare', ...namespaces, ...ownNamespaces],
    ...['sh', script, ...system.flatMap((folder) => ['system', folder]), ...standings(call, dataFolder).flat(), '--'],
    ...['setpriv', ...setpriv, ...withoutRights, ...limited(call, true)],
  ];
  const networkOnly = (namespaces: string[]) => (call: DecoderCall) => [
    ...['setpriv', '--pdeathsig', 'KILL', ...namespaces, ...limited(call, namespaces.includes('--user'))],
  ];
  const ways = [
    { words: world(['--user', '--map-root-user'], []), isOtherUser: false },
    { words: bubblewrap(dataFolder, system), isOtherUser: false },
    { words: networkOnly(['unshare', '--net']), isOtherUser: false },
    { words: networkOnly(['unshare', '--user', '--map-root-user', '--net']), isOtherUser: false },
    { words: networkOnly([]), isOtherUser: false },
    { words: ({ command, args }: DecoderCall) => [command, ...args], isOtherUser: false },
  ];
  return process.getuid?.() === 0 ? [{ words: world([], otherUser), isOtherUser: true }, ...ways] : ways;
}

function bubblewrap(dataFolder: string, system: readonly string[]): DecoderWay['words'] {
  const libraries = system.flatMap((folder) =>
    lstatSync(folder).isSymbolicLink() ? ['--symlink', readlinkSync(folder), folder] : ['--ro-bind', folder, folder],
  );
  return (call) => [
    ...['bwrap', '--unshare-all', '--die-with-parent', '--as-pid-1', '--chdir', '/', ...libraries],
    ...['--ro-bind-try', '/etc/ld.so.cache', '/etc/ld.so.cache', ...devices.flatMap((device) => ['--dev-bind', device, device])],
    ...['--tmpfs', '/tmp'],
    ...standings(call, dataFolder).flatMap(([kind, source, place]) =>
      kind === 'hide' ? ['--tmpfs', place] : [kind === 'output' ? '--bind' : '--ro-bind', source, place],
    ),
    ...['--', ...limited(call, true)],
  ];
}

/** What stands where, in this order: the true file or folder, at the place that the call knows it by. */
function standings(
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

function limited({ command, args, limits }: DecoderCall, countsOwnProcesses: boolean): string[] {
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
