import type { Pool } from '#domain/db/database.ts';
import type { ArchiveFolder } from '#domain/files/archive-folder.ts';
import type { S3Settings } from '#domain/files/s3/s3-settings.ts';
import type { FileStore } from '#domain/files/store.ts';
import type { OriginalsQuota } from '#domain/footage/originals-quota.ts';
import type { TextEncoder } from '#domain/meaning/encode-film.ts';
import type { SpeechSettings } from './speech/speech-settings.ts';
import type { MediaInput, MediaTools } from './tools/media-tools.ts';
import type { ChildCall } from './tools/run-child.ts';
import type { HeldCall } from './tools/run-held.ts';
import type { ToolResult } from './tools/run-tool.ts';

/** What the worker works with. */
export interface IngestContext {
  readonly pool: Pool;
  readonly folder: ArchiveFolder;
  /** The media. */
  readonly store: FileStore;
  /** Where that is, for a process of its own; undefined for the data folder. */
  readonly s3?: S3Settings | undefined;
  readonly tools: MediaTools;
  /** Runs a recogniser, as a process of its own that reads no more than it is given. */
  readonly runEngine: <T>(input: MediaInput, call: ChildCall<T>) => Promise<T>;
  /** Runs a recogniser of the system, held in the same way. */
  readonly runProgram: (input: MediaInput, call: HeldCall) => Promise<ToolResult>;
  /** Which recognisers of speech may be used. */
  readonly speech: SpeechSettings;
  /** Makes vectors of what texts mean. */
  readonly encoder: TextEncoder;
  readonly reserveBytes: number;
  /** What all originals may come to; nothing bounds them where it is not said. */
  readonly quota?: OriginalsQuota | undefined;
  /** How long a pass over a film may get no further; ten minutes where it is not said. */
  readonly passSilenceMs?: number | undefined;
}
