import { realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Problem } from '#contract/problem.ts';
import { retryWhileLate } from '#domain/db/retries.ts';
import { writeBehind } from '#domain/db/write-behind.ts';
import { archiveFolderIn } from '#domain/files/archive-folder.ts';
import { ignoreAbsent } from '#domain/system/null-when-absent.ts';
import { type Footage, findFootage } from '#domain/videos/footage.ts';
import { findSteps } from '#domain/videos/record-step.ts';
import { type IngestConfig, readIngestConfig } from '#ingest/config.ts';
import { type FoundFiles, findFootageFiles } from '#ingest/footage/find-footage-files.ts';
import { type ImportContext, type ImportedFile, importFile } from '#ingest/footage/import-file.ts';
import { importTranscripts, isTranscriptsName } from '#ingest/footage/import-transcripts.ts';
import { explainUnread } from '#ingest/footage/why-unread.ts';
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
/** How many films are copied that somebody has yet to make playable: more than machines work on them. */
const copiedAhead = 8;

await runCommand(run);

/** Returns the exit code: 1 when anything could not be brought in. */
async function run(): Promise<number> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { transcripts: { type: 'string', multiple: true } } });
  const told = values.transcripts ?? [];
  // An empty path, as of a variable that is not set, would stand for the folder of the program.
  const paths = [...positionals, ...told];
  if (paths.length === 0 || paths.includes('')) {
    log(usage);
    return 1;
  }
  const config = readIngestConfig();
  const own = await listOwnFolders(config);
  const footage = await findFootageFiles(positionals, { own });
  const records = await findFootageFiles(told, { own, isWanted: isTranscriptsName });
  const leftOut = tellLeftOut(footage) + tellLeftOut(records);
  const [{ files }, { files: transcripts }] = [footage, records];
  if (files.length === 0 && transcripts.length === 0) {
    log(positionals.length > 0 ? `No footage found in ${positionals.join(', ')}.` : `No supported files found in ${told.join(', ')}.`);
    return 1;
  }
  giveWay();
  const ingest = await openIngest(config, log);
  try {
    return await whileSomebodyWorks(ingest, log, async () => {
      let failures = leftOut;
      for (const file of transcripts) failures += await importTranscripts(ingest.context, file, (line) => print(toPrintable(line)));
      if (files.length > 0) failures += await importFootage({ ...ingest.context, queue: ingest.queue }, files, print);
      await untilFound({ ...ingest.context, address: ingest.address, log });
      return failures > 0 ? 1 : 0;
    });
  } finally {
    await ingest.close();
  }
}

/** The folders in which the archive keeps its own files, by their true paths. */
async function listOwnFolders({ dataFolder }: IngestConfig): Promise<string[]> {
  const { root, media } = archiveFolderIn(dataFolder);
  const there = await Promise.all([root, media].map((folder) => realpath(folder).catch(ignoreAbsent)));
  return there.filter((folder) => folder !== null);
}

/** Says what of the paths given is not looked at. Returns how much of it there is. */
function tellLeftOut({ links, unread }: FoundFiles): number {
  for (const { path, why } of unread) log(`${toPrintable(path)}: refused: ${why}`);
  const [first] = links;
  if (first !== undefined)
    log(
      `${links.length} symbolic ${links.length === 1 ? 'link was' : 'links were'} left alone, ${toPrintable(first)} the first: name a link, or what it leads to, as a path of its own to import it.`,
    );
  return unread.length + links.length;
}

/**
 * Copies files one after the other, while those before are worked on, with a line about each on its way and one about what became of it, in their order.
 * Returns how many failed.
 */
async function importFootage(context: ImportContext, paths: readonly string[], print: (line: string) => void): Promise<number> {
  const counts = { imported: 0, known: 0, refused: 0 };
  const told = printInOrder(paths.length, print);
  const settling = writeBehind({ atOnce: copiedAhead });
  for (const [n, path] of paths.entries()) {
    const say = (text: string) => told.say(n, `[${n + 1}/${paths.length}] ${toPrintable(basename(path))}: ${text}`);
    const copied = await copyOne(context, path, say);
    await settling.begin(async () => {
      counts[copied ? await settle(context, copied, say) : 'refused'] += 1;
      told.end(n);
    });
  }
  await settling.end();
  print(
    `${paths.length} ${paths.length === 1 ? 'file' : 'files'}: ${counts.imported} imported, ${counts.known} already in the archive, ${counts.refused} refused`,
  );
  return counts.refused;
}

/** What was said of one and is not printed yet. */
interface Told {
  readonly lines: string[];
  hasEnded: boolean;
}

/** Prints what is said of several as if one came after the other: the lines of each wait until those before it have ended. */
function printInOrder(count: number, print: (line: string) => void) {
  const waiting = Array.from({ length: count }, (): Told => ({ lines: [], hasEnded: false }));
  let next = 0;
  const printDue = () => {
    for (let due = waiting[next]; due; due = waiting[next]) {
      for (const line of due.lines.splice(0)) print(line);
      if (!due.hasEnded) return;
      next += 1;
    }
  };
  return {
    say: (n: number, line: string) => {
      waiting[n]?.lines.push(line);
      printDue();
    },
    end: (n: number) => {
      const one = waiting[n];
      if (one) one.hasEnded = true;
      printDue();
    },
  };
}

/** Undefined for what is refused. */
async function copyOne(context: ImportContext, path: string, say: (text: string) => void): Promise<ImportedFile | undefined> {
  try {
    say('copying');
    return await retryWhileLate(() => importFile(context, path));
  } catch (error) {
    if (error instanceof StepFailure && error.kind.is === 'bad-media') say(`refused (${error.kind.code}): ${error.message}`);
    else if (error instanceof Problem) say(`refused (${error.code}): ${error.message}`);
    else {
      const why = explainUnread(error, path);
      if (why === undefined) throw error;
      say(`refused (unreadable_media): ${why}`);
    }
    return undefined;
  }
}

async function settle(
  context: ImportContext,
  { videoId, wasKnown, remarks }: ImportedFile,
  say: (text: string) => void,
): Promise<'imported' | 'known' | 'refused'> {
  for (const remark of remarks) say(remark);
  const video = await untilSettled(context, videoId, say);
  if (!video || video.state === 'Quarantined') {
    say(
      `deleted by an editor meanwhile (${videoId}). ${video ? 'Restore it from the desk, under Deleted.' : 'Import it again to have it back.'}`,
    );
    return 'refused';
  }
  if (video.state === 'Failed') {
    say(`refused (${video.failureCode}): ${video.failureMessage}`);
    return 'refused';
  }
  for (const { message } of await findSteps(context.pool, videoId)) if (message && !wasKnown) say(message);
  say(`${wasKnown ? 'already in the archive' : 'imported'} as “${video.name}” (${videoId})`);
  return wasKnown ? 'known' : 'imported';
}

/** Waits until a video is published and found by search, given up, or deleted. */
async function untilSettled(context: ImportContext, videoId: string, say: (text: string) => void): Promise<Footage | undefined> {
  let saidPercent = 0;
  for (;;) {
    const video = await retryWhileLate(() => findFootage(context.pool, videoId));
    if (!video || ['Processed', 'Failed', 'Quarantined'].includes(video.state)) return video;
    if (video.processingPercent >= saidPercent + progressEveryPercent) {
      saidPercent = video.processingPercent;
      say(`${saidPercent}%`);
    }
    await wait(lookEveryMs);
  }
}

// A file's name, or what stands in it, may hold what a terminal obeys.
function toPrintable(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '�');
}
