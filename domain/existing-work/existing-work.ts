/*
 * What other archives and recognisers know of a film, in files of their own: one reader for each format (ohms, video-index).
 * All come to a catalogue record and lines here.
 */

import { basename, extname } from 'node:path';
import { setImmediate as letOthersIn } from 'node:timers/promises';
import type { ExistingWorkPreview, ExistingWorkTaken } from '#contract/films.ts';
import { isSidecarName } from '#contract/footage-names.ts';
import { limits } from '#contract/limits.ts';
import { Problem } from '#contract/problem.ts';
import type { Db } from '../db/database.ts';
import { writeBehind } from '../db/write-behind.ts';
import { drawTitlePoster } from '../drawing/title-poster.ts';
import { sha256Of } from '../files/sha256.ts';
import { toVideoKeys } from '../files/video-keys.ts';
import { findFilmBeside } from '../footage/add-sidecar.ts';
import { FootageFacts } from '../footage/footage-facts.ts';
import { toKeptFileName } from '../footage/footage-name.ts';
import type { ParsedSubtitles } from '../subtitles/cue.ts';
import { decodeUnicode } from '../subtitles/decode-text.ts';
import { parseSubtitles } from '../subtitles/read-subtitles.ts';
import { errorMessageOf } from '../system/error-message.ts';
import { parseJson } from '../system/parse-json.ts';
import { recordFilmActivity } from '../users/audit.ts';
import {
  CatalogueRecord,
  momentsOfRecord,
  remarkAddressesNotKept,
  remarkIdNotKept,
  tellUnread,
  unreadFieldsIn,
} from '../videos/catalogue-record.ts';
import { createCatalogueVideos, findCatalogueVideos, findVideosOfRecords, withoutForgottenPeople } from '../videos/create-video.ts';
import type { FilmArchive } from '../videos/film-archive.ts';
import { namesOf } from '../videos/named-fact.ts';
import { fallbackLanguage } from '../videos/video.ts';
import { parseOhmsRecord } from './ohms.ts';
import { parseRecognisedSpeech, parseTranscript } from './read-transcript.ts';
import { parseVideoIndexRecord } from './video-index.ts';

const endings = new Set(['.json', '.xml', '.srt', '.vtt', '.ttml', '.dfxp', '.ass', '.ssa']);

/** Whether a file of this name may hold what somebody knows of a film elsewhere. */
export function isExistingWorkName(name: string): boolean {
  return endings.has(extname(name).toLowerCase());
}

/** A film as a file of another archive tells it: the fields of a catalogue record, not yet looked into, and what could not be read, a line each. */
interface ExistingWork {
  readonly record: unknown;
  readonly remarks: readonly string[];
  /** Names of fields of a catalogue record that nothing here reads. */
  readonly leftOut: readonly string[];
}

/**
 * Reads the film of a file from elsewhere: an Index of Azure AI Video Indexer, an OHMS export, a catalogue record, a transcript of a recogniser, or
 * subtitles. Throws with the reason where it is none of them.
 */
export function readExistingWork(fileName: string, bytes: Uint8Array): ExistingWork {
  const { record, remarks, leftOut = [] } = readFile(fileName, bytes);
  return { record, remarks: [...remarks, ...remarkAddressesNotKept(record)], leftOut };
}

type ReadFile = Pick<ExistingWork, 'record' | 'remarks'> & Partial<ExistingWork>;

function readFile(fileName: string, bytes: Uint8Array): ReadFile {
  const text = decodeUnicode(bytes);
  if (extname(fileName).toLowerCase() === '.json') {
    const json = parseJson(text);
    const indexed = parseVideoIndexRecord(json);
    if (indexed) return indexed;
    if (CatalogueRecord.safeParse(json).success) return { record: json, remarks: remarkIdNotKept(json), leftOut: unreadFieldsIn(json) };
    if (!parseRecognisedSpeech(text)) throw new Error(isFactsFile(json) ? factsBelongBeside : noneOfThese);
    return toRecordOfLines(fileName, bytes, parseTranscript(text));
  }
  return parseOhmsRecord(text) ?? toRecordOfLines(fileName, bytes, parseSubtitles(bytes));
}

const noneOfThese =
  'unknown format (supported: an index from Azure AI Video Indexer, catalogue records, a speech recogniser’s transcript, an OHMS interview in XML)';
const factsBelongBeside = 'it holds the details of one video: drop both together on Add videos, or import them from one folder';

/** Whether it reads as what lies beside a film and tells of it. */
function isFactsFile(json: unknown): boolean {
  const isOfFacts = json !== null && typeof json === 'object' && Object.keys(FootageFacts.shape).some((name) => Object.hasOwn(json, name));
  return isOfFacts && FootageFacts.safeParse(json).success;
}

/** A record that can be used, or why it cannot. */
export function readRecord(given: unknown): CatalogueRecord | string {
  if (given === undefined) return 'refused: invalid JSON';
  const { data, error } = CatalogueRecord.safeParse(given);
  const [issue] = error?.issues ?? [];
  return data ?? `refused: ${issue?.path.join('.') || 'it'}: ${issue?.message}`;
}

/** A film of which no more is known than its lines: called as its file is, and told from others by every byte of it. */
function toRecordOfLines(fileName: string, bytes: Uint8Array, { cues, warnings }: ParsedSubtitles): ReadFile {
  if (cues.length === 0) throw new Error(warnings[0] ?? 'no lines found');
  const name = basename(fileName, extname(fileName));
  const [, title = name, language] = /^(.+)\.([A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)$/.exec(name) ?? [];
  const lines = cues.map(({ startMs, endMs, text, speaker }) => ({ text, speaker, start: startMs / 1_000, end: endMs / 1_000 }));
  const durationSeconds = cues.reduce((last, { endMs }) => Math.max(last, endMs), 0) / 1_000;
  const id = `lines:${sha256Of(bytes)}`;
  return { record: { id, externalId: fileName, title, language, durationSeconds, lines }, remarks: warnings };
}

const postersAtOnce = 16;

/**
 * Draws the posters of records that have come in, and of those that were here and lack one, as after a call that was cut off behind its rows. Draws
 * between other work, so that records go on flowing into the database; many files reach the disk together in little more time than one.
 */
export async function drawPosters(
  { pool, store }: Archive,
  { records, added }: { records: readonly CatalogueRecord[]; added: readonly { id: string }[] },
): Promise<void> {
  const isNew = new Set(added.map(({ id }) => id));
  const putting = writeBehind({ atOnce: postersAtOnce });
  for (const { id, name } of await findVideosOfRecords(pool, records)) {
    const key = toVideoKeys(id).poster;
    await letOthersIn();
    await putting.begin(async () => {
      if (isNew.has(id) || !(await store.stat(key))) await store.put(key, drawTitlePoster(name));
    });
  }
  await putting.end();
}

type Archive = Pick<FilmArchive, 'pool' | 'store'>;

/** A file as an editor sends it. */
export interface SentWork {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** What a file would bring in, and what of it could not be read; nothing is written. Throws a Problem for a file that is taken as none of these. */
export async function previewExistingWork(db: Db, sent: SentWork): Promise<ExistingWorkPreview> {
  const { records: given, left } = recordsIn(sent);
  const records = await withoutForgottenPeople(db, given);
  const known = await findCatalogueVideos(db, records);
  return {
    films: records.map((record, n) => {
      const moments = momentsOfRecord(record);
      const count = (kind: string) => moments.filter((moment) => moment.kind === kind).length;
      const { title, externalId, id, durationSeconds, language = fallbackLanguage } = record;
      return {
        title: title || externalId || id,
        language,
        durationInSeconds: durationSeconds,
        lines: count('Transcript'),
        writtenLines: count('Ocr'),
        people: summarizeNames(namesOf(record.people)),
        labels: summarizeNames(namesOf(record.labels)),
        brands: summarizeNames(namesOf(record.brands)),
        known: known[n] ?? null,
      };
    }),
    beside: isSidecarName(sent.name) ? await findFilmBeside(db, basename(sent.name)) : null,
    left: left.slice(0, limits.remarksMax),
    leftCount: left.length,
  };
}

const namesShown = 12;

function summarizeNames(names: readonly string[]): { names: string[]; count: number } {
  return { names: names.slice(0, namesShown), count: names.length };
}

/** Takes in what `previewExistingWork` shows: each film that the archive lacks, with an entry in the audit. Throws as that does. */
export async function takeExistingWork(
  archive: Archive,
  { actorUid, from, ...sent }: SentWork & { readonly actorUid: string; readonly from: string },
): Promise<ExistingWorkTaken> {
  const { records } = recordsIn(sent);
  const detail = toKeptFileName(sent.name);
  const added = await createCatalogueVideos(archive.pool, records, async (db, films) => {
    for (const { id } of films) await recordFilmActivity(db, { action: 'film-added', actorUid, videoId: id, before: '', detail, from });
  });
  await drawPosters(archive, { records, added });
  return { added: added.map(({ id, name }) => ({ id, name })), known: records.length - added.length };
}

interface RecordsInFile {
  readonly records: readonly CatalogueRecord[];
  /** What could not be read, a sentence each. */
  readonly left: readonly string[];
}

function recordsIn({ name, bytes }: SentWork): RecordsInFile {
  const refuse = (why: string) => new Problem('invalid_parameter', `${toKeptFileName(name)} could not be imported: ${why}.`);
  if (bytes.length === 0) throw refuse('it is empty');
  if (bytes.length > limits.existingWorkMaxBytes) throw refuse('it is larger than 10 MB. Ask an operator to import it: npm run import');
  if (/\.jsonl$/i.test(name)) return recordsOfLines(bytes, refuse);
  if (!isExistingWorkName(name)) throw refuse('files with this extension are not supported');
  try {
    const { record: given, remarks, leftOut } = readExistingWork(basename(name), bytes);
    const record = readRecord(given);
    if (typeof record === 'string') throw new Error(record.replace('refused: ', ''));
    return { records: [record], left: [...tellUnread(countFields(leftOut)), ...remarks].map(toSentence) };
  } catch (error) {
    throw refuse(errorMessageOf(error));
  }
}

function recordsOfLines(bytes: Uint8Array, refuse: (why: string) => Problem): RecordsInFile {
  const lines = decodeUnicode(bytes).split('\n');
  const given = lines.map((line, n) => ({ line: line.trim(), number: n + 1 })).filter(({ line }) => line !== '');
  if (given.length > limits.existingWorkRecordsMax)
    throw refuse(`it has more than ${limits.existingWorkRecordsMax} lines. Ask an operator to import it: npm run import`);
  const read = given.map(({ line, number }) => {
    const json = parseJson(line);
    return {
      number,
      record: readRecord(json),
      remarks: [...remarkIdNotKept(json), ...remarkAddressesNotKept(json)],
      leftOut: unreadFieldsIn(json),
    };
  });
  const ofLines = read.flatMap(({ number, record, remarks }) =>
    (typeof record === 'string' ? [record] : remarks).map((remark) => `line ${number} ${remark}`),
  );
  return {
    records: read.flatMap(({ record }) => (typeof record === 'string' ? [] : record)),
    left: [...tellUnread(countFields(read.flatMap(({ leftOut }) => leftOut))), ...ofLines].map(toSentence),
  };
}

/** How many records have each of these fields. */
function countFields(fields: readonly string[]): ReadonlyMap<string, number> {
  return new Map([...Map.groupBy(fields, (field) => field)].map(([field, all]) => [field, all.length]));
}

function toSentence(remark: string): string {
  return `${remark.charAt(0).toUpperCase()}${remark.slice(1).replace(/\.$/, '')}.`;
}
