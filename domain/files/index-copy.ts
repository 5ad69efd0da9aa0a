import type { ArchiveFolder } from './archive-folder.ts';
import type { FileStore } from './store.ts';

/** The search index as one machine has it. */
export interface IndexCopy {
  /** Where its tables lie on this machine. */
  readonly folder: string;
  /** The store through which it comes and goes; null where this folder is the store's own, so that nothing has to travel. */
  readonly store: FileStore | null;
  /** How long the blocks are in which longer files of what is written here travel. */
  readonly blockBytes?: number;
  /** How long files stay that no state needs any more; a minute where nothing is said: a search may be just opening the state of before. */
  readonly outdatedLeftAfterMs?: number;
}

/** The index of an archive whose files lie in `store`, as the machine with this data folder has it. */
export function toIndexCopy({ folder, store }: { readonly folder: ArchiveFolder; readonly store: FileStore }): IndexCopy {
  return { folder: folder.index, store: store.indexFolder === folder.index ? null : store };
}
