import { openArchive } from '#domain/archive/open-archive.ts';
import { refuseWithoutDatabase } from '#domain/db/open-database.ts';
import { toIndexCopy } from '#domain/files/index-copy.ts';
import { openArchiveFiles } from '#domain/files/open-archive-files.ts';
import { withWriterLock } from '#domain/search-index/keep-index.ts';
import { rebuildIndex } from '#domain/search-index/rebuild-index.ts';
import { readIngestConfig } from '#ingest/config.ts';
import { print, runCommand } from './run-command.ts';

await runCommand(reindex);

/** Builds the search index anew from the database. The site answers from the old one until the new one is whole. */
async function reindex(): Promise<number> {
  const config = readIngestConfig();
  refuseWithoutDatabase(config);
  const database = await openArchive(config);
  try {
    print('Waiting to write the index.');
    await withWriterLock(database.pool, async () => {
      const startedAt = performance.now();
      const { state } = await rebuildIndex(database.pool, toIndexCopy(openArchiveFiles(config.dataFolder, config.s3)), {
        progress: (done, total) => print(`${done} of ${total} videos read`),
      });
      print(`The index is built: ${state.mainRows} passages in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s.`);
    });
    return 0;
  } finally {
    await database.close();
  }
}
