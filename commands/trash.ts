import { openDatabase } from '#domain/db/open-database.ts';
import { openArchiveFiles } from '#domain/files/open-archive-files.ts';
import type { FileStore, TrashEntry } from '#domain/files/store.ts';
import { openJobQueue } from '#domain/jobs/job-queue.ts';
import { cleanText } from '#domain/videos/clean-text.ts';
import { type IngestConfig, readIngestConfig } from '#ingest/config.ts';
import { restoreFromTrash } from '#ingest/footage/restore-from-trash.ts';
import { log, print, runCommand } from './run-command.ts';

const usage = `Usage: npm run trash -- list               what lies in the trash, oldest first
       npm run trash -- restore NAME…    put it back, and its video to work
       npm run trash -- purge            delete for good what has lain there for 30 days
       npm run trash -- purge NAME…      delete these for good, however long they have lain there`;
const keptDays = 30;
const dayMs = 24 * 60 * 60 * 1_000;

const [command, ...names] = process.argv.slice(2);
await runCommand(() => run(readIngestConfig()));

/** Works beside a running server as well as alone. Returns the exit code. */
async function run(config: IngestConfig): Promise<number> {
  const { store } = openArchiveFiles(config.dataFolder);
  if (command === 'list' && names.length === 0) return await list(store);
  if (command === 'purge') return await purge(store);
  if (command === 'restore' && names.length > 0) return await restore(config, store);
  log(usage);
  return 1;
}

async function list({ trash }: FileStore): Promise<number> {
  const entries = await trash.list();
  for (const entry of entries) print(describe(entry));
  const sizeBytes = entries.reduce((sum, entry) => sum + entry.sizeBytes, 0);
  print(entries.length === 0 ? 'The trash is empty.' : `${entries.length} in the trash, ${megabytes(sizeBytes)}.`);
  return 0;
}

async function purge({ trash }: FileStore): Promise<number> {
  const oldEnough = (entry: TrashEntry) => entry.at.getTime() < Date.now() - keptDays * dayMs;
  const wanted = (await trash.list()).filter((entry) => (names.length > 0 ? names.includes(entry.name) : oldEnough(entry)));
  for (const entry of wanted) {
    await trash.purge(entry.name);
    print(`purged ${describe(entry)}`);
  }
  const missing = names.filter((name) => !wanted.some((entry) => entry.name === name));
  for (const name of missing) log(`The trash holds no ${name}.`);
  print(`${wanted.length} purged, ${(await trash.list()).length} left.`);
  return missing.length > 0 ? 1 : 0;
}

async function restore({ dataFolder, databaseUrl }: IngestConfig, store: FileStore): Promise<number> {
  const { pool, close } = await openDatabase({ dataFolder, databaseUrl });
  const queue = await openJobQueue(pool, { onError: (error) => log(`jobs: ${error.message}`) });
  let failures = 0;
  for (const name of names) {
    try {
      print(await restoreFromTrash({ pool, store, queue }, name));
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      log(`${name}: ${error.message}`);
      failures += 1;
    }
  }
  await queue.stop();
  await close();
  return failures > 0 ? 1 : 0;
}

function describe({ name, at, sizeBytes, reason }: TrashEntry): string {
  return `${name}  ${at.toISOString().slice(0, 10)}  ${megabytes(sizeBytes)}  ${cleanText(reason, 300)}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
