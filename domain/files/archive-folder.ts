import { join, resolve } from 'node:path';

/** Where one archive keeps what is not media below its data folder; its media lie in a `FileStore`. */
export interface ArchiveFolder {
  readonly root: string;
  /** Files on their way in, `{uuid}`. */
  readonly stage: string;
  /** Scratch of running jobs, `{video}-{step}`. */
  readonly work: string;
  /** The search index. */
  readonly index: string;
}

/** The folders of the archive in this data folder. */
export function archiveFolder(dataFolder: string): ArchiveFolder {
  const root = resolve(dataFolder);
  return { root, stage: join(root, 'stage'), work: join(root, 'work'), index: join(root, 'index') };
}
