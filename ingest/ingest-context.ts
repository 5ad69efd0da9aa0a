import type { Pool } from '#domain/db/database.ts';
import type { ArchiveFolder } from '#domain/files/archive-folder.ts';
import type { FileStore } from '#domain/files/store.ts';
import type { MediaTools } from './tools/media-tools.ts';

/** What the worker works with. */
export interface IngestContext {
  readonly pool: Pool;
  readonly folder: ArchiveFolder;
  /** The media. */
  readonly store: FileStore;
  readonly tools: MediaTools;
  readonly reserveBytes: number;
  /** How long an encode may get no further; ten minutes where it is not said. */
  readonly encodeSilenceMs?: number | undefined;
}
