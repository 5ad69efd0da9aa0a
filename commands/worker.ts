import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { limits, serverLimits } from '#contract/limits.ts';
import { listLocalMedia } from '#domain/files/stage-file.ts';
import { checkOriginals } from '#domain/footage/check-originals.ts';
import { holdWorkerLease } from '#domain/jobs/worker-lease.ts';
import { untilStopped } from '#domain/scheduling/in-time.ts';
import { keepTelling } from '#domain/status/processes.ts';
import { errorMessageOf } from '#domain/system/error-message.ts';
import { settingsFaultCode, toolsMissingCode } from '#domain/system/exit-codes.ts';
import { createLog, logCrashes, type Say, sayTo } from '#domain/system/log.ts';
import { pause } from '#domain/system/pause.ts';
import { cleanText } from '#domain/videos/clean-text.ts';
import { awaitsSamples, settleSamples } from '#domain/videos/create-video.ts';
import { deletedKeptDaysFor } from '#domain/videos/deletions.ts';
import { giveLayersToArchive } from '#domain/videos/give-layers.ts';
import { followRoughSpeech, hidingQueue } from '#domain/videos/rough-speech.ts';
import { type IngestConfig, IngestConfigFault, NotThereYet, readIngestConfig, readLogLevel } from '#ingest/config.ts';
import { tellEngines } from '#ingest/engines.ts';
import { startIndexLoop, startMeaningLoop } from '#ingest/follow-films.ts';
import { findFootageFiles } from '#ingest/footage/find-footage-files.ts';
import { importFile } from '#ingest/footage/import-file.ts';
import { checkWatchedFolder, startWatching } from '#ingest/footage/watch-folder.ts';
import { type Ingest, openIngest } from '#ingest/open-ingest.ts';
import { followModels, workOnModels } from '#ingest/speech/follow-models.ts';
import { StepFailure } from '#ingest/step-failure.ts';
import { sweepArchive } from '#ingest/sweep-archive.ts';
import { enqueueLeftFilms, workOnVideos } from '#ingest/work-on-videos.ts';

const samplesFolder = resolve(import.meta.dirname, '..', 'samples');
const anHourMs = 60 * 60 * 1_000;
/** How old files are that the database does not know before they are taken for what an import left when it was cut off. */
const settledMs = serverLimits.unknownFilesKeptHours * anHourMs;
/** A database of one's own may be restored to any moment of the last weeks, and knows nothing of what came after. */
const restorableMs = limits.restorableDays * 24 * anHourMs;
const lookAtParentEveryMs = 500;

const lines = createLog('ingest', readLogLevel());
logCrashes(lines);
const say = sayTo(lines);
// What a tool says of a stranger's file may hold what a terminal obeys.
const log: Say = (sentence, about) => say(cleanText(sentence, 2_000), about);

try {
  await run(readIngestConfig());
} catch (error) {
  const lacksTools = error instanceof StepFailure && error.kind.is === 'tool-missing';
  log(errorMessageOf(error), { level: 'error', ...(lacksTools || error instanceof IngestConfigFault ? {} : { error }) });
  process.exit(lacksTools ? toolsMissingCode : exitCodeFor(error));
}

/** The server that started this goes on for all but settings, and starts it again. */
function exitCodeFor(error: unknown): number {
  return error instanceof IngestConfigFault && !(error instanceof NotThereYet) ? settingsFaultCode : 1;
}

async function run(config: IngestConfig): Promise<void> {
  const stopping = stopSignal();
  await checkWatchedFolder(config);
  const ingest = await openIngest(config, log);
  log(`footage is read by ${ingest.context.tools.name}; what reads it is kept from: ${ingest.walls.join(', ') || 'nothing'}`, {
    level: 'info',
  });
  const lease = await holdWorkerLease(ingest.context.pool);
  const telling = keepTelling(ingest.context.pool, {
    does: 'ingest',
    classes: config.classes,
    dataFolder: config.dataFolder,
    media: listLocalMedia(ingest.context),
    notes: [`reads footage with ${ingest.context.tools.name}`, `which is kept from ${ingest.walls.join(', ') || 'nothing'}`],
  });
  const indexing = startIndexLoop({ ...ingest.context, address: ingest.address, log });
  await workOnVideos(ingest.context, ingest.queue, { log, classes: config.classes });
  // What only makes films playable recognises nothing in them: what others have is theirs to tell.
  const hears = config.classes.includes('understood');
  if (hears) await tellEngines(ingest);
  if (hears) await workOnModels(ingest, log);
  const fetching = hears && followModels(ingest, { signal: stopping, log });
  await ingest.queue.work(hidingQueue, async (_, signal) => {
    await followRoughSpeech(ingest.context.pool, signal);
    return signal.aborted ? { is: 'retry-later', inSeconds: 0 } : { is: 'finished' };
  });
  const understanding = startMeaningLoop({ ...ingest.context, queue: ingest.queue, classes: config.classes, log });
  // An archive without samples is still an archive.
  if (config.wantsSamples) await importSamples(ingest).catch((error: Error) => log(`sample films: ${error.message}`, { error }));
  const watching =
    config.watchedFolder &&
    startWatching({ ...ingest.context, queue: ingest.queue }, { folder: config.watchedFolder, log, signal: stopping });
  const finding = everyHour(stopping, 'films without a job', async () => {
    const films = await enqueueLeftFilms({ ...ingest.context, queue: ingest.queue });
    if (films > 0) log(`the queue had lost ${films} films that wait; it has them again`);
  });
  const layingOut = layOutOlder(ingest, stopping);
  // Beside the sweep: of a large archive some originals are due at any time.
  const checking = everyHour(stopping, 'originals', () => checkOriginals(ingest.context, stopping));
  const settledAfterMs = config.databaseUrl ? restorableMs : settledMs;
  const keptDays = deletedKeptDaysFor(config);
  // However long a sweep takes, a stop finds jobs that are to be given back.
  await everyHour(stopping, 'sweep', () =>
    untilStopped(sweepArchive(ingest.context, { log, settledAfterMs, keptDays, signal: stopping }), stopping),
  );
  // Whatever hangs, the process is gone when the one that started it expects that.
  setTimeout(() => process.exit(0), serverLimits.endsWithinMs.worker).unref();
  lease.release();
  await Promise.all([
    watching,
    indexing.stop(),
    ingest.queue.stop(),
    layingOut,
    finding,
    fetching,
    checking,
    understanding.stop(),
    telling.stop(),
  ]);
  await ingest.close();
  // What a sweep still lists is nobody's any more.
  process.exit(0);
}

/** Brings the sample films into an archive that has never held a video. */
async function importSamples({ context, queue }: Ingest): Promise<void> {
  if (!(await awaitsSamples(context.pool))) return;
  const films = await findFootageFiles(existsSync(samplesFolder) ? [samplesFolder] : []);
  for (const film of films.files) await importFile({ ...context, queue }, film);
  await settleSamples(context.pool);
}

/** Videos that say nothing of their layers yet are of an archive that is older than these. The next start goes on where this one ends. */
async function layOutOlder({ context }: Ingest, signal: AbortSignal): Promise<void> {
  try {
    const videos = await giveLayersToArchive(context.pool, { signal, log });
    if (videos > 0) log(`layers of ${videos} older videos were made`, { level: 'info' });
  } catch (error) {
    log(`layers of older videos: ${errorMessageOf(error)}; the next start goes on`, { error });
  }
}

/** Does this now and every hour; what fails is said, and done again an hour later. */
async function everyHour(stopping: AbortSignal, name: string, work: () => Promise<unknown>): Promise<void> {
  while (!stopping.aborted) {
    await work().catch((error: unknown) => {
      if (!stopping.aborted) log(`${name}: ${errorMessageOf(error)}`, { error });
    });
    await pause(anHourMs, stopping);
  }
}

/** Raised by SIGTERM, by Ctrl-C, and when the process that started this one is gone. */
function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  // The channel closes with the server, also when that died before this process could look at its parent.
  process.on('SIGTERM', stop).on('SIGINT', stop).on('disconnect', stop);
  process.channel?.unref();
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) stop();
  }, lookAtParentEveryMs).unref();
  return stopping.signal;
}
