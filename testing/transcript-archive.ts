import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { DatabaseAddress, Pool } from '#domain/db/database.ts';
import { openDatabase } from '#domain/db/open-database.ts';
import { type ArchiveFolder, archiveFolder } from '#domain/files/archive-folder.ts';
import { readIndexState } from '#domain/files/index-state.ts';
import { indexIsBehind } from '#domain/search/find-videos-to-index.ts';
import { importTranscripts } from '#ingest/import-transcripts.ts';
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
  close(): Promise<void>;
}

export interface TranscriptArchiveOptions {
  /** Folder to keep the archive in and find it again; without it the archive is thrown away. */
  readonly keep?: string | undefined;
  /** What the archive holds: an archive kept with other content is thrown away. */
  readonly content: string;
  readonly fill: (archive: { pool: Pool; folder: ArchiveFolder }) => Promise<void>;
}

const contentFile = 'content.txt';
const indexSecondsFile = 'index-seconds.txt';

/** An archive with a database and an index of its own, filled by `fill` unless it was kept, and fully indexed by the real indexer. */
export async function openTranscriptArchive({ keep, content, fill }: TranscriptArchiveOptions): Promise<TranscriptArchive> {
  const dataFolder = keep ? resolve(keep) : mkdtempSync(join(tmpdir(), 'rushes-archive-'));
  const isKept = existsSync(join(dataFolder, contentFile)) && readFileSync(join(dataFolder, contentFile), 'utf8') === content;
  if (!isKept) rmSync(dataFolder, { recursive: true, force: true });
  mkdirSync(dataFolder, { recursive: true });
  const database = await openDatabase({ dataFolder, tied: true });
  const folder = archiveFolder(dataFolder);
  if (!isKept) await fill({ pool: database.pool, folder });
  const startedAt = performance.now();
  await indexEverything({ pool: database.pool, address: database.address, folder });
  const secondsFile = join(dataFolder, indexSecondsFile);
  if (!isKept) writeFileSync(secondsFile, String((performance.now() - startedAt) / 1_000));
  writeFileSync(join(dataFolder, contentFile), content);
  return {
    dataFolder,
    folder,
    pool: database.pool,
    address: database.address,
    isKept,
    indexSeconds: existsSync(secondsFile) ? Number(readFileSync(secondsFile, 'utf8')) : Number.NaN,
    close: async () => {
      await database.close();
      if (!keep) rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}

/** Fills an archive from JSONL files, gzipped or not, as `npm run import -- --transcripts` does. */
export async function importCorpora(
  archive: { pool: Pool; folder: ArchiveFolder },
  files: readonly string[],
  print: (line: string) => void,
): Promise<void> {
  for (const file of files) await importTranscripts(archive, file, print);
}

async function indexEverything({ pool, address, folder }: { pool: Pool; address: DatabaseAddress; folder: ArchiveFolder }): Promise<void> {
  const child = startIndexChild({ address, indexFolder: folder.index }, (line) => process.stderr.write(`${line}\n`));
  let failed = false;
  void child.ended.then((well) => {
    failed = !well;
  });
  const isDone = async () => {
    if (failed) throw new Error('The index could not be built.');
    return (await readIndexState(folder.index)) !== null && !(await indexIsBehind(pool));
  };
  await until(isDone, { withinMs: Number.POSITIVE_INFINITY, everyMs: 100 });
  child.stop();
  await child.ended;
}
