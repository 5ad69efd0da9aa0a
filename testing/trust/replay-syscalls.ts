import { dirname } from 'node:path';

/** One system call that ended well, in the order in which they ended. */
type Call =
  | { readonly is: 'sync' | 'write'; readonly path: string }
  | { readonly is: 'rename'; readonly from: string; readonly to: string }
  | { readonly is: 'acknowledge' };

/**
 * Which of `files` a power cut could have taken away, or their names, at the moment when the archive told the database that they are
 * there: a file's bytes count once it was synced after its last write, its name once its folder was synced after the file came there.
 * `trace` is what `strace -f -y` printed; `acknowledges` finds the calls that tell the database; `root` is where names are watched from.
 */
export function unsyncedFiles(trace: string, options: { root: string; files: readonly string[]; acknowledges: RegExp }): string[] {
  const disk = createDisk();
  const unsynced = new Set<string>();
  const open = new Set(options.files);
  for (const call of callsOf(trace, options.acknowledges)) {
    if (call.is !== 'acknowledge') {
      disk.apply(call);
      continue;
    }
    for (const file of open) {
      if (!disk.isPlaced(file)) continue;
      open.delete(file);
      if (!disk.isSafe(file, options.root)) unsynced.add(file);
    }
  }
  // What came after the last word to the database was never acknowledged as a whole.
  return [...unsynced, ...open];
}

function createDisk() {
  let now = 0;
  const syncedAt = new Map<string, number>();
  const writtenAt = new Map<string, number>();
  const placedAt = new Map<string, number>();
  const upTo = (path: string, root: string) => {
    const paths = [path];
    for (let folder = dirname(path); folder !== root && folder !== dirname(folder); folder = dirname(folder)) paths.push(folder);
    return paths;
  };
  const isNameSafe = (path: string) => (syncedAt.get(dirname(path)) ?? -1) > (placedAt.get(path) ?? -1);
  return {
    apply: (call: Exclude<Call, { is: 'acknowledge' }>) => {
      now += 1;
      if (call.is === 'sync') syncedAt.set(call.path, now);
      if (call.is === 'write') writtenAt.set(call.path, now);
      if (call.is !== 'rename') return;
      for (const times of [syncedAt, writtenAt, placedAt]) moveBelow(times, call);
      placedAt.set(call.to, now);
    },
    /** Whether it, or a folder above it, has come under the name that it has in the end. */
    isPlaced: (file: string) => upTo(file, '/').some((path) => placedAt.has(path)),
    isSafe: (file: string, root: string) =>
      (syncedAt.get(file) ?? -1) > (writtenAt.get(file) ?? -1) && syncedAt.has(file) && upTo(file, root).every(isNameSafe),
  };
}

/** What is known of a file, or of all below a folder, goes with it. */
function moveBelow(times: Map<string, number>, { from, to }: { from: string; to: string }): void {
  for (const [path, time] of [...times]) {
    if (path === to || path.startsWith(`${to}/`)) times.delete(path);
    if (path !== from && !path.startsWith(`${from}/`)) continue;
    times.delete(path);
    times.set(to + path.slice(from.length), time);
  }
}

function* callsOf(trace: string, acknowledges: RegExp): Generator<Call> {
  const unfinished = new Map<string, string>();
  for (const line of trace.split('\n')) {
    const [, pid = '', text = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
    if (text.endsWith('<unfinished ...>')) {
      unfinished.set(pid, text.slice(0, -'<unfinished ...>'.length).trimEnd());
      continue;
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(text);
    const whole = resumed ? `${unfinished.get(pid) ?? ''}${resumed[1]}` : text;
    if (resumed) unfinished.delete(pid);
    const call = /= -1 /.test(whole) ? undefined : readCall(whole, acknowledges);
    if (call) yield call;
  }
}

function readCall(text: string, acknowledges: RegExp): Call | undefined {
  const [, name = '', path = ''] = /^(\w+)\(\d+<([^>]*)>/.exec(text) ?? [];
  if (path.startsWith('/') && /^(fsync|fdatasync)$/.test(name)) return { is: 'sync', path };
  if (path.startsWith('/') && /^(write|pwrite64|writev|pwritev)$/.test(name)) return { is: 'write', path };
  const renamed = /^rename\w*\((?:AT_FDCWD(?:<[^>]*>)?, )?"([^"]+)", (?:AT_FDCWD(?:<[^>]*>)?, )?"([^"]+)"/.exec(text);
  if (renamed) return { is: 'rename', from: renamed[1] ?? '', to: renamed[2] ?? '' };
  return acknowledges.test(text) ? { is: 'acknowledge' } : undefined;
}
