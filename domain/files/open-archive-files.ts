import { type ArchiveFolder, archiveFolder } from './archive-folder.ts';
import { openLocalStore } from './local-store.ts';
import type { FileStore } from './store.ts';

/** Where the files of an archive lie: media in their store, everything else in the data folder. */
export interface ArchiveFiles {
  readonly folder: ArchiveFolder;
  readonly store: FileStore;
}

/** The files of the archive with this data folder. Whoever works with an archive gets its store here, and knows no more of it. */
export function openArchiveFiles(dataFolder: string): ArchiveFiles {
  const folder = archiveFolder(dataFolder);
  return { folder, store: openLocalStore(folder.root) };
}
