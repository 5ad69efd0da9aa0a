import { planUpgrade } from '#domain/db/migrate.ts';
import { openDatabase } from '#domain/db/open-database.ts';
import { programVersion } from '#domain/status/processes.ts';
import { readIngestConfig } from '#ingest/config.ts';
import { print, runCommand } from './run-command.ts';

/*
 * npm run upgrade-check, of the new version, while the one before runs or not: says what the next start would change in the database, and
 * whether the one before goes on reading meanwhile. Changes nothing.
 */
await runCommand(run);

/** Returns the exit code: 1 when this version would not start on this archive as it is. */
async function run(): Promise<number> {
  const database = await openDatabase({ ...readIngestConfig(), migrates: false });
  try {
    const { unknown, due, isBackedUp } = await planUpgrade(database.pool);
    print(`This is Rushes ${programVersion}.`);
    if (unknown.length > 0) {
      print(
        `It cannot be started here: a newer version has made ${unknown.join(', ')}. Changes go forward only; start the newer version, or restore a backup.`,
      );
      return 1;
    }
    if (due.length === 0) {
      print('Nothing is to be changed in the database: start it in the place of the version before.');
      return 0;
    }
    for (const { name, breaks } of due) print(`${name}: ${breaks.length === 0 ? 'adds only' : breaks.join(', ')}`);
    const isGentle = due.every(({ breaks }) => breaks.length === 0);
    print(
      isGentle
        ? 'The version before goes on reading while these are made: several machines get this one in turn. On one machine end the other first.'
        : 'End the version before first: it would stumble over what is changed. Visitors see nothing for as long as that takes.',
    );
    if (!isBackedUp)
      print(
        'There is no backup of the last 24 hours of the database as it is: run npm run backup -- FOLDER first, or it refuses to start.',
      );
    return isBackedUp ? 0 : 1;
  } finally {
    await database.close();
  }
}
