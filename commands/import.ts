import { basename } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Problem } from '#contract/problem.ts';
import { retryWhileLate } from '#domain/db/retries.ts';
import { errorCode } from '#domain/system/error-code.ts';
import { type Footage, findFootage } from '#domain/videos/footage.ts';
import { findSteps } from '#domain/videos/record-step.ts';
import { readIngestConfig } from '#ingest/config.ts';
import { findFootageFiles } from '#ingest/footage/find-footage-files.ts';
import { type ImportContext, importFile } from '#ingest/footage/import-file.ts';
import { importTranscripts, isTranscriptsName } from '#ingest/footage/import-transcripts.ts';
import { openIngest } from '#ingest/open-ingest.ts';
import { StepFailure } from '#ingest/step-failure.ts';
import { giveWay } from '#ingest/tools/give-way.ts';
import { untilFound, whileSomebodyWorks } from '#ingest/work-meanwhile.ts';
import { log, print, runCommand } from './run-command.ts';

const usage = `Usage: npm run import -- PATH…                        files, or folders with everything below them
       npm run import -- --transcripts PATH              records of videos without media: catalogue records
                                                         (.jsonl, .jsonl.gz), Indexes of Azure AI Video Indexer (.json), OHMS
                                                         exports (.xml), transcripts and subtitles (.json, .srt, .vtt, .ttml)`;

const lookEveryMs = 200;
const progressEveryPercent = 10;

await runCommand(run);

/** Returns the exit code: 1 when anything could not be brought in. */
async function run(): Promise<number> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { transcripts: { type: 'string', multiple: true } } });
  const told = values.transcripts ?? [];
  if (positionals.length === 0 && told.length === 0) {
    log(usage);
    return 1;
  }
  const files = await findFootageFiles(positionals);
  const transcripts = await findFootageFiles(told, isTranscriptsName);
  if (files.length === 0 && transcripts.length === 0) {
    log(positionals.length > 0 ? `No footage found in ${positionals.join(', ')}.` : `No supported files found in ${told.join(', ')}.`);
    return 1;
  }
  giveWay();
  const ingest = await openIngest(readIngestConfig(), log);
  try {
    return await whileSomebodyWorks(ingest, log, async () => {
      let failures = 0;
      for (const file of transcripts) failures += await importTranscripts(ingest.context, file, print);
      if (files.length > 0) failures += await importFootage({ ...ingest.context, queue: ingest.queue }, files, print);
      await untilFound({ ...ingest.context, address: ingest.address, log });
      return failures > 0 ? 1 : 0;
    });
  } finally {
    await ingest.close();
  }
}

/** Imports files one after the other, with a line about each on its way and one about what became of it. Returns how many failed. */
async function importFootage(context: ImportContext, paths: readonly string[], print: (line: string) => void): Promise<number> {
  const counts = { imported: 0, known: 0, refused: 0 };
  for (const [n, path] of paths.entries()) {
    const say = (text: string) => print(`[${n + 1}/${paths.length}] ${printable(basename(path))}: ${text}`);
    counts[await importOne(context, path, say)] += 1;
  }
  print(
    `${paths.length} ${paths.length === 1 ? 'file' : 'files'}: ${counts.imported} imported, ${counts.known} already in the archive, ${counts.refused} refused`,
  );
  return counts.refused;
}

async function importOne(context: ImportContext, path: string, say: (text: string) => void): Promise<'imported' | 'known' | 'refused'> {
  try {
    say('copying');
    const { videoId, wasKnown, remarks } = await retryWhileLate(() => importFile(context, path));
    for (const remark of remarks) say(remark);
    const video = await untilSettled(context, videoId, say);
    if (video?.state === 'Failed') {
      say(`refused (${video.failureCode}): ${video.failureMessage}`);
      return 'refused';
    }
    for (const { message } of await findSteps(context.pool, videoId)) if (message && !wasKnown) say(message);
    say(`${wasKnown ? 'already in the archive' : 'imported'} as “${video?.name}” (${videoId})`);
    return wasKnown ? 'known' : 'imported';
  } catch (error) {
    if (error instanceof StepFailure && error.kind.is === 'bad-media') say(`refused (${error.kind.code}): ${error.message}`);
    else if (error instanceof Problem) say(`refused (${error.code}): ${error.message}`);
    else if (errorCode(error) === 'EACCES') say('refused (unreadable_media): The file may not be read.');
    else throw error;
    return 'refused';
  }
}

/** Waits until a video is published and found by search, or given up. */
async function untilSettled(context: ImportContext, videoId: string, say: (text: string) => void): Promise<Footage | undefined> {
  let saidPercent = 0;
  for (;;) {
    const video = await retryWhileLate(() => findFootage(context.pool, videoId));
    if (!video || video.state === 'Processed' || video.state === 'Failed') return video;
    if (video.processingPercent >= saidPercent + progressEveryPercent) {
      saidPercent = video.processingPercent;
      say(`${saidPercent}%`);
    }
    await wait(lookEveryMs);
  }
}

// A file's name may hold what a terminal obeys.
function printable(name: string): string {
  return name.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '�');
}
