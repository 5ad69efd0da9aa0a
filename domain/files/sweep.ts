import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { serverLimits } from '#contract/limits.ts';
import type { ArchiveFolder } from './archive-folder.ts';
import { namesIn } from './names-in.ts';

interface Sweep {
  /** Scratch of steps that are being run, for days where a film is long: by its names in the folder of work. */
  readonly inUse: ReadonlySet<string>;
  readonly now?: number;
}

/** Removes what crashes left in stage, work and drafts more than a day ago: copies and scratch, nothing that was acknowledged. Returns how many. */
export async function sweepLeftovers(folder: ArchiveFolder, { inUse, now = Date.now() }: Sweep): Promise<number> {
  const before = now - serverLimits.unknownFilesKeptHours * 60 * 60 * 1_000;
  const swept = await Promise.all([
    sweepFolder(folder.staging, before),
    sweepFolder(folder.work, before, inUse),
    sweepFolder(folder.drafts, before),
  ]);
  return swept.reduce((sum, count) => sum + count, 0);
}

/** Removes what has lain in a folder since before this moment, but for these names. Returns how many. */
export async function sweepFolder(path: string, beforeMs: number, stays: ReadonlySet<string> = new Set()): Promise<number> {
  let count = 0;
  for (const name of await namesIn(path)) {
    if (stays.has(name) || !(await isOlder(join(path, name), beforeMs))) continue;
    await rm(join(path, name), { recursive: true, force: true });
    count += 1;
  }
  return count;
}

async function isOlder(path: string, beforeMs: number): Promise<boolean> {
  // Gone meanwhile is not ours to sweep.
  const found = await stat(path).catch(() => undefined);
  // Not when it was modified: what is copied or moved here keeps the date that it had.
  return found !== undefined && found.ctimeMs < beforeMs;
}
