import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isWorkedWith } from '#domain/archive/hold-machine.ts';
import { openArchive } from '#domain/archive/open-archive.ts';
import type { Pool } from '#domain/db/database.ts';
import { refuseWithoutDatabase } from '#domain/db/open-database.ts';
import { archiveFolderIn } from '#domain/files/archive-folder.ts';
import { openLocalStore } from '#domain/files/local-store.ts';
import { moveMedia } from '#domain/files/s3/move-media.ts';
import { fingerprintStore, type S3Settings } from '#domain/files/s3/s3-settings.ts';
import { openS3Store } from '#domain/files/s3/s3-store.ts';
import { OperatorFault } from '#domain/system/operator-fault.ts';
import { findVideosWithoutFootage } from '#domain/videos/footage.ts';
import { type IngestConfig, readIngestConfig } from '#ingest/config.ts';
import { log, print, runCommand } from './run-command.ts';

const usage = 'npm run move-media -- to-store | to-folder';
const tellEveryMs = 5_000;

await runCommand(() => run(readIngestConfig(), parseArgs({ allowPositionals: true }).positionals));

type Target = 'to-store' | 'to-folder';

async function run(config: IngestConfig, [where, ...more]: string[]): Promise<number> {
  if (more.length > 0 || (where !== 'to-store' && where !== 'to-folder')) {
    log(`Say where to: ${usage}`);
    return 1;
  }
  if (!config.s3) {
    log('Set RUSHES_S3_ENDPOINT, RUSHES_S3_BUCKET and the keys, for this command only while the archive still uses the folder.');
    return 1;
  }
  refuseWithoutDatabase(config);
  // The database has to belong to the films that are moved, not to what there is of them where they go.
  const database = await openArchive({ ...config, s3: where === 'to-store' ? undefined : config.s3 }, { maxConnections: 2 });
  try {
    if (await isWorkedWith(database.pool, where === 'to-store' ? config.s3 : undefined))
      throw new OperatorFault(
        'The archive already uses this store; the other one is older. There is nothing to move, and nothing was copied or removed.',
      );
    await move(database.pool, { where, dataFolder: config.dataFolder, s3: config.s3 });
    return 0;
  } finally {
    await database.close();
  }
}

/** Copies all media between the data folder and the store of RUSHES_S3_*, while the archive runs with the one that it has. */
async function move(pool: Pool, { where, dataFolder, s3 }: { where: Target; dataFolder: string; s3: S3Settings }): Promise<void> {
  const folder = archiveFolderIn(dataFolder);
  const [inFolder, inStore] = [openLocalStore(folder.root), openS3Store(s3, { folder: folder.copies })];
  const [from, to] = where === 'to-store' ? [inFolder, inStore] : [inStore, inFolder];
  const notes = join(folder.root, `moved-${where}-${fingerprintStore(s3)}`);
  const unnamed = async (ids: readonly string[]) => (await findVideosWithoutFootage(pool, ids)).map(({ id }) => id);
  let toldAt = Date.now();
  const tell = ({ files, bytes }: { files: number; bytes: number }) => {
    if (Date.now() - toldAt < tellEveryMs) return;
    toldAt = Date.now();
    print(`${files} files, ${toMegabytes(bytes)} so far`);
  };
  // What came while the others went over is few.
  for (;;) {
    const { copied, copiedBytes, kept, removed } = await moveMedia({ from, to, notes, unnamed, tell });
    print(`${copied} files copied and compared (${toMegabytes(copiedBytes)}), ${kept} already there, ${removed} removed.`);
    if (copied + removed === 0) break;
  }
  print(
    `Everything has been copied. Now stop the archive, run this once more for what has been added since, ${where === 'to-store' ? 'set' : 'remove'} RUSHES_S3_*, and start it again. Nothing was deleted at the source.`,
  );
}

function toMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
