import { join, resolve } from 'node:path';

/** Where one archive keeps what is not media below its data folder; its media lie in a `FileStore`. */
export interface ArchiveFolder {
  readonly root: string;
  /** Files on their way in, `{uuid}`. */
  readonly staging: string;
  /** Files that browsers are sending, `{upload}`. */
  readonly uploads: string;
  /** Scratch of running jobs, `{video}-{step}`. */
  readonly work: string;
  /** The media, where the store is in this folder: a folder, a mount, or a link to another disk. */
  readonly media: string;
  /** Files and folders that a store is about to put in their place, `{uuid}`; on the disk of the media, which may be another one. */
  readonly drafts: string;
  /** The search index. */
  readonly index: string;
  /** Copies of stored files, for tools of this machine. They go by themselves. */
  readonly copies: string;
  /** Models that an administrator had fetched; no backup holds them. */
  readonly models: string;
}

/** The folders of the archive in this data folder. */
export function archiveFolderIn(dataFolder: string): ArchiveFolder {
  const root = resolve(dataFolder);
  const media = join(root, 'media');
  const inRoot = (name: string) => join(root, name);
  return {
    root,
    staging: inRoot('stage'),
    uploads: inRoot('uploads'),
    work: inRoot('work'),
    media,
    drafts: join(media, '.drafts'),
    index: inRoot('index'),
    copies: inRoot('copies'),
    models: inRoot('models'),
  };
}
