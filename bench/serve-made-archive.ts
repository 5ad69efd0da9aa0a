import { constants, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MeasuredArchive, openMeasuredArchive } from '#testing/measured-archive.ts';
import { type ServedArchive, serveArchive } from '#testing/served-archive.ts';
import { type ArchiveSize, openMadeArchive } from './made-archive.ts';
import type { SpokenLines } from './search-corpus.ts';

/** A made archive that the real server answers for. */
export interface ServedMadeArchive<T> {
  readonly archive: ServedArchive;
  /** What was learnt of the archive before it was served. */
  readonly known: T;
  /** For whatever else is needed meanwhile; gone afterwards. */
  readonly workFolder: string;
}

export interface ServingOptions<T> {
  readonly spoken: SpokenLines;
  /** Where made archives are kept, if they are. */
  readonly keep: string | undefined;
  readonly progress: (line: string) => void;
  readonly learn: (searched: MeasuredArchive) => Promise<T>;
}

/**
 * Makes an archive of this size, or takes the one that was kept, and serves a copy of it while `work` lasts: what is added
 * there is gone afterwards.
 */
export async function whileServed<T>(
  size: ArchiveSize,
  { spoken, keep, progress, learn }: ServingOptions<T>,
  work: (served: ServedMadeArchive<T>) => Promise<void>,
): Promise<void> {
  const workFolder = mkdtempSync(join(tmpdir(), 'rushes-served-'));
  try {
    const servedFolder = join(workFolder, 'served');
    const made = await openMadeArchive(size, { spoken, keep: keep ?? workFolder, progress });
    const searched = openMeasuredArchive(made);
    const known = await learn(searched);
    searched.close();
    await made.close();
    const isOfArchive = (path: string) => !path.includes('peer.sqlite');
    cpSync(made.dataFolder, servedFolder, { recursive: true, mode: constants.COPYFILE_FICLONE, filter: isOfArchive });
    const archive = await serveArchive(servedFolder);
    try {
      await work({ archive, known, workFolder });
    } finally {
      await archive.stop();
    }
  } finally {
    rmSync(workFolder, { recursive: true, force: true });
  }
}
