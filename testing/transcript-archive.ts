import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { DatabaseAddress, Pool } from '#domain/db/database.ts';
import { openDatabase } from '#domain/db/open-database.ts';
import { type ArchiveFolder, archiveFolderIn } from '#domain/files/archive-folder.ts';
import { readIndexState } from '#domain/files/index-state.ts';
import { openLocalStore } from '#domain/files/local-store.ts';
import type { FileStore } from '#domain/files/store.ts';
import { indexIsBehind } from '#domain/search-index/find-videos-to-index.ts';
import { indexFormat } from '#domain/search-index/index-row.ts';
import { importTranscripts } from '#ingest/footage/import-transcripts.ts';
import { startIndexChild } from '#ingest/tools/index-child-process.ts';
import { until } from './until.ts';

export interface TranscriptArchive {
  readonly dataFolder: string;
  readonly folder: ArchiveFolder;
  readonly pool: Pool;
  readonly address: DatabaseAddress;
  /** Whether it was kept from an earlier run, filled and indexed. */
  readonly isKept: boolean;
  /** How long the indexer took; what it took when the archive was built, if it was kept. */
  readonly indexSeconds: number;
  /** How long `fill` took, likewise. */
  readonly fillSeconds: number;
  close(): Promise<void>;
}

export interface TranscriptArchiveOptions {
  /** Folder to keep the archive in and find it again; without it the archive is thrown away. */
  readonly keep?: string | undefined;
  /** What the archive holds: an archive kept with other content is thrown away. */
  readonly content: string;
  readonly fill: (archive: { pool: Pool; store: FileStore }) => Promise<void>;
}

const contentFile = 'content.txt';
const indexSecondsFile = 'index-seconds.txt';
const fillSecondsFile = 'fill-seconds.txt';

/** An archive with a database and an index of its own, filled by `fill` unless it was kept, and fully indexed by the real indexer. */
export async function openTranscriptArchive({ fill, ...options }: TranscriptArchiveOptions): Promise<TranscriptArchive> {
  const archive = await openEmptyOrKept(options);
  const { dataFolder, folder, pool, address, isKept } = archive;
  const fillSeconds = await timed(
    join(dataFolder, fillSecondsFile),
    isKept ? undefined : () => fill({ pool, store: openLocalStore(folder.root) }),
  );
  const index = () => indexEverything({ pool, address, folder });
  // An index of another format is built anew also in an archive that was kept.
  const indexSeconds = await timed(join(dataFolder, indexSecondsFile), (await isIndexed(pool, folder)) ? undefined : index);
  writeFileSync(join(dataFolder, contentFile), options.content);
  return { ...archive, indexSeconds, fillSeconds };
}

/** Knows nothing of what fills it: whatever that holds is let go when it is full. */
async function openEmptyOrKept({
  keep,
  content,
}: Omit<TranscriptArchiveOptions, 'fill'>): Promise<Omit<TranscriptArchive, 'indexSeconds' | 'fillSeconds'>> {
  const dataFolder = keep ? resolve(keep) : mkdtempSync(join(tmpdir(), 'rushes-archive-'));
  const isKept = existsSync(join(dataFolder, contentFile)) && readFileSync(join(dataFolder, contentFile), 'utf8') === content;
  if (!isKept) rmSync(dataFolder, { recursive: true, force: true });
  mkdirSync(dataFolder, { recursive: true });
  const database = await openDatabase({ dataFolder, tied: true, migratesWithoutBackup: true });
  return {
    dataFolder,
    folder: archiveFolderIn(dataFolder),
    pool: database.pool,
    address: database.address,
    isKept,
    close: async () => {
      await database.close();
      if (!keep) rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}

/** How many seconds `work` takes, noted in `file`; what is noted there when there is nothing to do. */
async function timed(file: string, work: (() => Promise<void>) | undefined): Promise<number> {
  if (!work) return existsSync(file) ? Number(readFileSync(file, 'utf8')) : Number.NaN;
  const startedAt = performance.now();
  await work();
  const seconds = (performance.now() - startedAt) / 1_000;
  writeFileSync(file, String(seconds));
  return seconds;
}

/** Fills an archive from JSONL files, gzipped or not, as `npm run import -- --transcripts` does. */
export async function importCorpora(
  archive: { pool: Pool; store: FileStore },
  files: readonly string[],
  print: (line: string) => void,
): Promise<void> {
  for (const file of files) await importTranscripts(archive, file, print);
}

async function indexEverything({ pool, address, folder }: { pool: Pool; address: DatabaseAddress; folder: ArchiveFolder }): Promise<void> {
  const child = startIndexChild({ address, dataFolder: folder.root }, (line) => process.stderr.write(`${line}\n`));
  let failed = false;
  void child.ended.then((well) => {
    failed = !well;
  });
  const isDone = async () => {
    if (failed) throw new Error('The index could not be built.');
    return await isIndexed(pool, folder);
  };
  await until(isDone, { withinMs: Number.POSITIVE_INFINITY, everyMs: 100 });
  child.stop();
  await child.ended;
}

async function isIndexed(pool: Pool, folder: ArchiveFolder): Promise<boolean> {
  const state = await readIndexState(folder.index);
  return state?.format === indexFormat && !(await indexIsBehind(pool));
}
