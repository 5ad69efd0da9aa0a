import { planUpgrade } from '#domain/db/migrate.ts';
import { openDatabase, refuseWithoutDatabase } from '#domain/db/open-database.ts';
import { findIndexState } from '#domain/search-index/index-commit.ts';
import { indexFormat } from '#domain/search-index/index-row.ts';
import { programVersion } from '#domain/status/processes.ts';
import { readIngestConfig } from '#ingest/config.ts';
import { readConfig } from '#server/config.ts';
import { print, runCommand } from './run-command.ts';

/*
 * npm run upgrade-check, of the new version, while the one before runs or not: says what the next start would change in the database, and
 * whether the one before goes on reading meanwhile. Changes nothing.
 */
await runCommand(run);

/** Returns the exit code: 1 when this version would not start on this archive as it is. */
async function run(): Promise<number> {
  // The settings are read as a start reads them: those of the server on every machine, those of a worker where one is started.
  const config = readConfig();
  if (config.roles !== 'web') readIngestConfig();
  refuseWithoutDatabase(config);
  const database = await openDatabase({ ...config, migrates: false });
  try {
    const { unknown, due, isBackedUp } = await planUpgrade(database.pool);
    print(`This is Rushes ${programVersion}.`);
    if (unknown.length > 0) {
      print(
        `It cannot start here: a newer version has already run ${unknown.join(', ')}. Migrations cannot be reversed; start the newer version, or restore a backup.`,
      );
      return 1;
    }
    // A database of an early version knows of no index.
    const built = await findIndexState(database.pool).catch(() => null);
    const isIndexAnew = built !== null && built.format !== indexFormat;
    if (isIndexAnew)
      print(
        'The search index is built anew: stop the previous version on all machines first, as each version would build it against the other. Searches answer once it is built.',
      );
    if (due.length === 0) {
      print('The database needs no changes: stop the previous version and start this one.');
      return 0;
    }
    for (const { name, breaks } of due) print(`${name}: ${breaks.length === 0 ? 'adds only' : breaks.join(', ')}`);
    const isGentle = due.every(({ breaks }) => breaks.length === 0);
    if (!isGentle || !isIndexAnew)
      print(
        isGentle
          ? 'The previous version keeps working meanwhile: update several machines one after the other. On a single machine, stop the previous version first.'
          : 'Stop the previous version first: it cannot work with the changed database. The archive is offline while the changes run.',
      );
    if (isBackedUp) return 0;
    print(
      config.migratesWithoutBackup
        ? 'The database has no backup from the last 24 hours. RUSHES_MIGRATE_WITHOUT_BACKUP=1 lets this version start without one: nothing takes its changes back then.'
        : 'The database has no backup from the last 24 hours: run npm run backup -- FOLDER first, or this version refuses to start.',
    );
    return config.migratesWithoutBackup ? 0 : 1;
  } finally {
    await database.close();
  }
}
