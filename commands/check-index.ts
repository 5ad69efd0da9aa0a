import { setTimeout as wait } from 'node:timers/promises';
import { serverLimits } from '#contract/limits.ts';
import { openArchive } from '#domain/archive/open-archive.ts';
import type { Pool } from '#domain/db/database.ts';
import { refuseWithoutDatabase } from '#domain/db/open-database.ts';
import { archiveFolderIn } from '#domain/files/archive-folder.ts';
import { type IndexState, isIndexDamageNoted, readIndexState } from '#domain/files/index-state.ts';
import { isWorkerAlive } from '#domain/jobs/worker-lease.ts';
import { checkIndex } from '#domain/search-index/check/check-index.ts';
import { readIngestConfig } from '#ingest/config.ts';
import { log, print, runCommand } from './run-command.ts';

const lookEveryMs = 200;

await runCommand(async () => ((await printCheck()) ? 0 : 1));

/** Compares index and database, of a running archive or of one that is stopped, and prints one line; whether they agree. */
async function printCheck(): Promise<boolean> {
  const config = readIngestConfig();
  refuseWithoutDatabase(config);
  const database = await openArchive(config);
  try {
    const folder = archiveFolderIn(config.dataFolder).index;
    const { check, state } = await checkIndex(database.pool, folder, log);
    print(JSON.stringify({ check: 'index', ...check }));
    const { missing, twice, foreign, wrong, mislaid, wordCountsWrong } = check;
    const rowsAgree = missing + twice + foreign + wrong + mislaid + wordCountsWrong === 0;
    if (!rowsAgree) log('Index and database differ. Run `npm run reindex` to rebuild the index; search keeps working meanwhile.');
    const isRead = state === null || (await waitForReaders(database.pool, folder, state));
    if (check.waiting > 0) log(`${check.waiting} videos are not indexed yet; a running archive indexes them automatically.`);
    return rowsAgree && isRead;
  } finally {
    await database.close();
  }
}

/** Whether searches read the state that was compared, or a later one; says what to do when they do not. */
async function waitForReaders(pool: Pool, folder: string, state: IndexState): Promise<boolean> {
  if (await isIndexDamageNoted(folder)) log('A search found damage in the index; a running archive rebuilds it.');
  const giveUpAt = Date.now() + serverLimits.readersFollowWithinMs;
  for (;;) {
    const batch = (await readIndexState(folder))?.batch ?? 0;
    if (batch >= state.batch) return true;
    if (!(await isWorkerAlive(pool))) {
      log('Search is one step behind because the worker was stopped during a change; the next start corrects this.');
      return true;
    }
    if (Date.now() > giveUpAt) {
      log(`Searches read step ${batch} of the index, the database has ${state.batch}. Start the archive again, or \`npm run reindex\`.`);
      return false;
    }
    await wait(lookEveryMs);
  }
}
