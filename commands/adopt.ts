import { join } from 'node:path';
import { type ArchiveSides, compareSides } from '#domain/archive/compare-sides.ts';
import { nameSides, openUnpaired } from '#domain/archive/open-archive.ts';
import { adoptSides } from '#domain/archive/pair-sides.ts';
import { refuseWithoutDatabase } from '#domain/db/open-database.ts';
import { openArchiveFiles } from '#domain/files/open-archive-files.ts';
import { namesOfVideos } from '#domain/videos/find-videos.ts';
import { type Config, readConfig } from '#server/config.ts';
import { checkDataFolder, toDatabaseFault } from '#server/start-checks.ts';
import { log, print, runCommand } from './run-command.ts';

const usage = `Usage: npm run adopt            lists what the data folder and the database do not know of each other
       npm run adopt -- --yes   makes them one archive as they are; deletes nothing`;

await runCommand(() => run(process.argv.slice(2)));

/** Works beside a running server as well as alone. Returns the exit code. */
async function run(args: readonly string[]): Promise<number> {
  if (args.some((arg) => arg !== '--yes') || args.length > 1) {
    log(usage);
    return 1;
  }
  await adopt(readConfig(), args.length === 1);
  return 0;
}

async function adopt(config: Config, isMeant: boolean): Promise<void> {
  refuseWithoutDatabase(config);
  checkDataFolder(config.dataFolder);
  const database = await openUnpaired(config, { maxConnections: 1 }).catch((error: unknown) => {
    throw toDatabaseFault(config.databaseUrl, error);
  });
  try {
    const files = openArchiveFiles(config.dataFolder, config.s3);
    const sides = await compareSides(database.pool, files);
    const names = nameSides(config);
    print(`Data folder ${names.folder}: ${describeArchive(sides.folderId)}.`);
    print(
      `Database ${names.database}: ${describeArchive(sides.databaseId)}; ${sides.videoCount} videos, ${sides.originalCount} with an original.`,
    );
    printUnknown(sides);
    for (const line of await listMissingOriginals(sides, (ids) => namesOfVideos(database.pool, ids))) print(line);
    if (!isMeant) {
      print('Nothing was changed. npm run adopt -- --yes makes them one archive as they are; it deletes nothing.');
      return;
    }
    const id = await adoptSides(database.pool, files, sides);
    print('They are now one archive. Nothing was deleted.');
    if (sides.databaseId !== null && id !== sides.databaseId)
      print(
        `Its id is new: where other machines work with this database, copy ${join(names.folder, 'archive-id')} into the data folder of each, or they are refused from now on.`,
      );
  } finally {
    await database.close();
  }
}

function describeArchive(id: string | null): string {
  return id === null ? 'of no archive yet' : `of the archive ${id}`;
}

function printUnknown({ unknown }: ArchiveSides): void {
  print(`Videos in the folder that the database does not know: ${unknown.length}`);
  for (const id of unknown) print(`  ${id}`);
}

async function listMissingOriginals({ missing }: ArchiveSides, findNames: (ids: readonly string[]) => Promise<Map<string, string>>) {
  const names = await findNames(missing);
  return [`Videos of the database whose original is missing: ${missing.length}`, ...missing.map((id) => `  ${id}  ${names.get(id) ?? ''}`)];
}
