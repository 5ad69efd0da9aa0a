import { openArchive } from '#domain/archive/open-archive.ts';
import { refuseWithoutDatabase } from '#domain/db/open-database.ts';
import { openArchiveFiles } from '#domain/files/open-archive-files.ts';
import { isVideoId } from '#domain/files/video-keys.ts';
import { openJobQueue } from '#domain/jobs/job-queue.ts';
import { cleanText } from '#domain/videos/clean-text.ts';
import { listFailedFootage, retryFootage } from '#domain/videos/footage.ts';
import { type IngestConfig, readIngestConfig } from '#ingest/config.ts';
import { log, print, runCommand } from './run-command.ts';

const usage = `Usage: npm run retry                   lists the videos that failed, and why
       npm run retry -- VIDEO_ID…      tries these again
       npm run retry -- --all          tries all of them again`;

await runCommand(() => run(readIngestConfig(), process.argv.slice(2)));

/** Works beside a running server as well as alone: what is tried again is done by a worker. Returns the exit code. */
async function run(config: IngestConfig, args: readonly string[]): Promise<number> {
  const isAll = args.length === 1 && args[0] === '--all';
  if (!isAll && args.some((arg) => !isVideoId(arg))) {
    log(usage);
    return 1;
  }
  refuseWithoutDatabase(config);
  const { pool, close } = await openArchive(config);
  const failed = await listFailedFootage(pool);
  if (args.length === 0) {
    for (const { id, name, failureCode, failureMessage } of failed)
      print(`${id}  ${cleanText(name, 80)}  ${failureCode}: ${failureMessage}`);
    print(`${failed.length} failed.`);
  }
  const queue = await openJobQueue(pool, { onError: (error) => log(`jobs: ${error.message}`) });
  const { store } = openArchiveFiles(config.dataFolder, config.s3);
  let failures = 0;
  for (const id of isAll ? failed.map((video) => video.id) : args) {
    await retryFootage({ pool, store, queue }, id).then(
      () => print(`${id}: being tried again.`),
      (error: Error) => {
        log(`${id}: ${error.message}`);
        failures += 1;
      },
    );
  }
  await queue.stop();
  await close();
  return failures > 0 ? 1 : 0;
}
