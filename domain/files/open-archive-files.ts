import { type ArchiveFolder, archiveFolderIn } from './archive-folder.ts';
import { openLocalStore } from './local-store.ts';
import type { S3Settings } from './s3/s3-settings.ts';
import { openS3Store } from './s3/s3-store.ts';
import type { FileStore } from './store.ts';

/** Where the files of an archive lie: media in their store, everything else in the data folder. */
export interface ArchiveFiles {
  readonly folder: ArchiveFolder;
  readonly store: FileStore;
}

/** What names where an archive keeps its files. */
export interface ArchivePlaces {
  readonly dataFolder: string;
  readonly s3: S3Settings | undefined;
}

/** Where the media of an archive lie, in words. */
export function placeOfStore({ dataFolder, s3 }: ArchivePlaces): string {
  return s3 ? `the bucket ${s3.bucket} at ${s3.endpoint}` : dataFolder;
}

/**
 * The files of the archive with this data folder: its media in the store of `s3`, where one is named, else in that folder. Whoever works
 * with an archive gets its store here, and knows no more of it.
 */
export function openArchiveFiles(dataFolder: string, s3?: S3Settings): ArchiveFiles {
  const folder = archiveFolderIn(dataFolder);
  return { folder, store: s3 ? openS3Store(s3, { folder: folder.copies }) : openLocalStore(folder.root) };
}
