import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { serverLimits } from '#contract/limits.ts';
import type { Pool } from '#domain/db/database.ts';
import { writeBehind } from '#domain/db/write-behind.ts';
import { drawPosters, isExistingWorkName, readExistingWork, readRecord } from '#domain/existing-work/existing-work.ts';
import type { FileStore } from '#domain/files/store.ts';
import { errorCodeOf } from '#domain/system/error-code.ts';
import { errorMessageOf } from '#domain/system/error-message.ts';
import { parseJson } from '#domain/system/parse-json.ts';
import {
  type CatalogueRecord,
  remarkAddressesNotKept,
  remarkIdNotKept,
  tellUnread,
  unreadFieldsIn,
} from '#domain/videos/catalogue-record.ts';
import { createCatalogueVideos } from '#domain/videos/create-video.ts';
import { tellLanguageOf } from '../analysis/language-of-text.ts';
import { explainUnread } from './why-unread.ts';

const batchLines = 20_000;
const batchRecords = 200;
/** One is packed while the database stores the other. */
const batchesAtOnce = 2;

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
  let batch: CatalogueRecord[] = [];
  let lines = 0;
  const [writing, drawing] = [writeBehind({ atOnce: batchesAtOnce }), writeBehind({ atOnce: batchesAtOnce })];
  const flush = () => {
    const records = batch;
    [batch, lines] = [[], 0];
    return writing.begin(async () => {
      const added = await createCatalogueVideos(context.pool, records);
      counts.added += added.length;
      counts.known += records.length - added.length;
      await drawing.begin(() => drawPosters(context, { records, added }));
      print(`${basename(path)}: ${counts.added} records added`);
    });
  };
  const unread = new Map<string, number>();
  for await (const { where, given, remarks, leftOut } of recordsOf(path)) {
    for (const field of leftOut) unread.set(field, (unread.get(field) ?? 0) + 1);
    for (const remark of remarks) print(`${basename(path)}: ${where}${remark}`);
    const record = readRecord(given);
    if (typeof record === 'string') {
      counts.refused += 1;
      if (given !== refused) print(`${basename(path)}: ${where}${record}`);
      continue;
    }
    batch.push(record.language === undefined ? await withLanguage(record) : record);
    lines += record.lines.length + record.ocr.length;
    if (lines >= batchLines || batch.length >= batchRecords) await flush();
  }
  if (batch.length > 0) await flush();
  await writing.end();
  await drawing.end();
  for (const told of tellUnread(unread)) print(`${basename(path)}: ${told}`);
  print(`${basename(path)}: ${counts.added} added, ${counts.known} already in the archive, ${counts.refused} refused`);
  return counts.refused;
}

/** The record with the language of what is said and written in it, as far as that can be told. */
async function withLanguage(record: CatalogueRecord): Promise<CatalogueRecord> {
  return { ...record, language: await tellLanguageOf([...record.lines, ...record.ocr].map(({ text }) => text)) };
}

interface GivenRecord {
  /** `line 12 `, where the file has more than one. */
  readonly where: string;
  readonly given: unknown;
  readonly remarks: readonly string[];
  /** Names of fields that nothing here reads. */
  readonly leftOut: readonly string[];
}

/** Stands for what could not be read at all. */
const refused = Symbol('refused');

async function* recordsOf(path: string): AsyncGenerator<GivenRecord> {
  if (isExistingWorkName(path)) return yield await readSingleRecord(path);
  let number = 0;
  try {
    for await (const line of linesOf(path)) {
      number += 1;
      if (line.trim() === '') continue;
      const given = parseJson(number === 1 ? line.replace(/^\ufeff/, '') : line);
      const remarks = [...remarkIdNotKept(given), ...remarkAddressesNotKept(given)];
      yield { where: `line ${number} `, given, remarks, leftOut: unreadFieldsIn(given) };
    }
  } catch (error) {
    const after = number === 0 ? '' : `what follows line ${number} `;
    yield { where: after, given: refused, remarks: [`refused: ${whyUnreadOrBroken(error, path)}`], leftOut: [] };
  }
}

/** Throws what is no fault of the file. */
function whyUnreadOrBroken(error: unknown, path: string): string {
  if (errorCodeOf(error).startsWith('Z_')) return `It is not a whole gzip file (${errorMessageOf(error)}). Pack or copy it again.`;
  const why = explainUnread(error, path);
  if (why === undefined) throw error;
  return why;
}

async function readSingleRecord(path: string): Promise<GivenRecord> {
  try {
    if ((await stat(path)).size > serverLimits.importedRecordsMaxBytes) throw new Error('it is larger than 100 MB');
    const { record, ...told } = readExistingWork(basename(path), await readFile(path));
    return { where: '', given: record, ...told };
  } catch (error) {
    const why = errorCodeOf(error) ? whyUnreadOrBroken(error, path) : errorMessageOf(error);
    return { where: '', given: refused, remarks: [`refused: ${why}`], leftOut: [] };
  }
}

function linesOf(path: string): AsyncIterable<string> {
  const file = createReadStream(path);
  return createInterface({ input: /\.gz$/i.test(path) ? unpack(file) : file, crlfDelay: Number.POSITIVE_INFINITY });
}

/** A pipe alone keeps to itself what happens to the file. */
function unpack(file: Readable): Readable {
  const gunzip = createGunzip();
  file.on('error', (error) => gunzip.destroy(error));
  return file.pipe(gunzip);
}
