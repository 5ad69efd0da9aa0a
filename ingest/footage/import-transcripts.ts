import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import type { Pool } from '#domain/db/database.ts';
import { errorCode } from '#domain/db/error-code.ts';
import { errorMessage } from '#domain/db/error-message.ts';
import { writeBehind } from '#domain/db/write-behind.ts';
import { parseJson } from '#domain/files/parse-json.ts';
import type { FileStore } from '#domain/files/store.ts';
import { drawTitlePoster } from '#domain/files/title-poster.ts';
import { videoKeys } from '#domain/files/video-keys.ts';
import type { ParsedSubtitles } from '#domain/subtitles/cue.ts';
import { decodeUnicode } from '#domain/subtitles/decode-text.ts';
import { parseSubtitles } from '#domain/subtitles/read-subtitles.ts';
import { CatalogueRecord } from '#domain/videos/catalogue-record.ts';
import { createCatalogueVideos } from '#domain/videos/create-video.ts';
import { ohmsRecord } from '../existing-work/ohms.ts';
import { videoIndexRecord } from '../existing-work/video-index.ts';
import { parseTranscript, recognisedSpeech } from '../transcripts/read-transcript.ts';

const batchLines = 20_000;
const batchRecords = 200;
/** One is packed while the database stores the other. */
const batchesAtOnce = 2;
const postersAtOnce = 16;

/** Whether a file of this name is read by `importTranscripts`. */
export function isTranscriptsName(name: string): boolean {
  return /\.jsonl(?:\.gz)?$/i.test(name) || isExistingWorkName(name);
}

interface Counts {
  added: number;
  known: number;
  refused: number;
}

/**
 * Publishes the catalogue records of a JSONL file, gzipped or not, in batches; or the film that a file of another archive tells of. What of
 * it could not be read is printed, a line each. Returns how many records could not be used.
 */
export async function importTranscripts(
  context: { pool: Pool; store: FileStore },
  path: string,
  print: (line: string) => void,
): Promise<number> {
  const counts: Counts = { added: 0, known: 0, refused: 0 };
  const posters: Promise<void>[] = [];
  let batch: CatalogueRecord[] = [];
  let lines = 0;
  const writing = writeBehind({ atOnce: batchesAtOnce });
  const flush = () => {
    const records = batch;
    [batch, lines] = [[], 0];
    return writing.begin(async () => {
      const added = await createCatalogueVideos(context.pool, records);
      counts.added += added.length;
      counts.known += records.length - added.length;
      posters.push(drawPosters(context.store, added));
      print(`${basename(path)}: ${counts.added} records added`);
    });
  };
  for await (const { where, given, remarks } of recordsOf(path)) {
    for (const remark of remarks) print(`${basename(path)}: ${where}${remark}`);
    const record = CatalogueRecord.safeParse(given);
    if (!record.success) {
      counts.refused += 1;
      const [issue] = record.error.issues;
      if (given !== refused) print(`${basename(path)}: ${where}refused: ${issue?.path.join('.') || 'it'}: ${issue?.message}`);
      continue;
    }
    batch.push(record.data);
    lines += record.data.lines.length + record.data.ocr.length;
    if (lines >= batchLines || batch.length >= batchRecords) await flush();
  }
  if (batch.length > 0) await flush();
  await writing.end();
  await Promise.all(posters);
  print(`${basename(path)}: ${counts.added} added, ${counts.known} already in the archive, ${counts.refused} refused`);
  return counts.refused;
}

interface GivenRecord {
  /** `line 12 `, where the file has more than one. */
  readonly where: string;
  readonly given: unknown;
  readonly remarks: readonly string[];
}

/** Stands for what could not be read at all. */
const refused = Symbol('refused');

async function* recordsOf(path: string): AsyncGenerator<GivenRecord> {
  if (isExistingWorkName(path)) return yield await theOnlyRecord(path);
  let number = 0;
  for await (const line of linesOf(path)) {
    number += 1;
    if (line.trim() !== '') yield { where: `line ${number} `, given: parseJson(line), remarks: [] };
  }
}

async function theOnlyRecord(path: string): Promise<GivenRecord> {
  try {
    const { record, remarks } = await readExistingWork(path);
    return { where: '', given: record, remarks };
  } catch (error) {
    if (errorCode(error)) throw error;
    return { where: '', given: refused, remarks: [`refused: ${errorMessage(error)}`] };
  }
}

function linesOf(path: string): AsyncIterable<string> {
  const file = createReadStream(path);
  return createInterface({ input: path.endsWith('.gz') ? unpacked(file) : file, crlfDelay: Number.POSITIVE_INFINITY });
}

/** A pipe alone keeps to itself what happens to the file. */
function unpacked(file: Readable): Readable {
  const gunzip = createGunzip();
  file.on('error', (error) => gunzip.destroy(error));
  return file.pipe(gunzip);
}

/** Draws between other work, so that records go on flowing into the database; many files reach the disk together in little more time than one. */
async function drawPosters(store: FileStore, videos: readonly { id: string; name: string }[]): Promise<void> {
  const putting = writeBehind({ atOnce: postersAtOnce });
  for (const { id, name } of videos) {
    await turn();
    const poster = drawTitlePoster(name);
    await putting.begin(() => store.put(videoKeys(id).poster, poster));
  }
  await putting.end();
}

const fileMaxBytes = 100 * 1024 * 1024;
const endings = new Set(['.json', '.xml', '.srt', '.vtt', '.ttml', '.dfxp', '.ass', '.ssa']);

/** Whether a file of this name may hold what somebody knows of a film elsewhere. */
function isExistingWorkName(name: string): boolean {
  return endings.has(extname(name).toLowerCase());
}

/** A film as a file of another archive tells it: the fields of a catalogue record, not yet looked into, and what could not be read, a line each. */
interface ExistingWork {
  readonly record: unknown;
  readonly remarks: readonly string[];
}

/**
 * Reads the film of a file from elsewhere: an Index of Azure AI Video Indexer, an OHMS export, a transcript of a recogniser, or subtitles.
 * Throws with the reason where it is none of them.
 */
export async function readExistingWork(path: string): Promise<ExistingWork> {
  if ((await stat(path)).size > fileMaxBytes) throw new Error('it is larger than 100 MB');
  const bytes = await readFile(path);
  const text = decodeUnicode(bytes);
  if (extname(path).toLowerCase() === '.json') {
    const indexed = videoIndexRecord(parseJson(text));
    if (indexed) return indexed;
    if (!recognisedSpeech(text)) throw new Error('it is neither an Index of Video Indexer nor a transcript of a recogniser');
    return ofLines(path, bytes, parseTranscript(text));
  }
  return ohmsRecord(text) ?? ofLines(path, bytes, parseSubtitles(bytes));
}

/** A film of which no more is known than its lines: called as its file is, and told from others by every byte of it. */
function ofLines(path: string, bytes: Uint8Array, { cues, warnings }: ParsedSubtitles): ExistingWork {
  if (cues.length === 0) throw new Error(warnings[0] ?? 'no line found');
  const name = basename(path, extname(path));
  const [, title = name, language] = /^(.+)\.([A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)$/.exec(name) ?? [];
  const lines = cues.map(({ startMs, endMs, text, speaker }) => ({ text, speaker, start: startMs / 1_000, end: endMs / 1_000 }));
  const durationSeconds = Math.max(...cues.map(({ endMs }) => endMs)) / 1_000;
  const id = `lines:${createHash('sha256').update(bytes).digest('hex')}`;
  return { record: { id, externalId: basename(path), title, language, durationSeconds, lines }, remarks: warnings };
}
