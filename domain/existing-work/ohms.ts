import { z } from 'zod';
import { parseSubtitles, withoutXmlEntities } from '../subtitles/read-subtitles.ts';
import { errorMessageOf } from '../system/error-message.ts';
import { type HeardLine, type HeardSpeech, Seconds } from '../transcripts/heard-line.ts';
import type { CatalogueRecord } from '../videos/catalogue-record.ts';
import { holdsEmailAddress, remarkAddressesRemoved } from '../videos/clean-text.ts';

/*
 * An interview as the Oral History Metadata Synchronizer (OHMS) exports it: one `record` with an index of points and a transcript. An
 * older transcript is plain lines with `sync`, which says in which line each minute ends: `1:|13(3)|19(14)` for the third word of line
 * 13, then the fourteenth of line 19. A newer one is WebVTT.
 */

type Given = z.input<typeof CatalogueRecord>;
type GivenLine = NonNullable<Given['lines']>[number];

/** Seconds for a last point or line, whose end nothing says. */
const lastSeconds = 60;

/** The film of an OHMS file and what of it could not be read; undefined for what is no such file. Throws for one that declares entities. */
export function parseOhmsRecord(given: string): { record: Given; remarks: string[] } | undefined {
  if (!/<ROOT[\s>]/.test(given) || !/<record[\s>]/.test(given)) return undefined;
  const xml = withoutCdata(given);
  if (/<!(DOCTYPE|ENTITY)/i.test(xml)) throw new Error('it declares a document type, which is not allowed');
  const remarks: string[] = [];
  const index = textBetween(xml, 'index');
  const head = index === '' ? xml : xml.replace(index, () => '');
  const title = textOf(head, 'title');
  const accession = textOf(head, 'accession') || attributeOf(head, 'record', 'id');
  const durationSeconds = secondsOf(textOf(head, 'duration')) ?? 0;
  const lines = linesOf(head, durationSeconds, remarks);
  const points = pointsOf(index, remarks);
  const record = {
    id: `ohms:${accession || title}`,
    externalId: accession || undefined,
    title,
    durationSeconds,
    lines,
    description: textOf(head, 'description'),
    recordedAt: attributeOf(head, 'date', 'value') || undefined,
    language: languageOf(textOf(head, 'language'), remarks),
    rights: rightsOf(head, remarks),
    people: [...allOf(head, 'interviewee'), ...allOf(head, 'interviewer')].map(readElement).filter((name) => name !== ''),
    labels: points.flatMap(({ title: name, words, start, end }) => [
      ...(name ? [{ name, at: [{ start, end }] }] : []),
      ...words.map((word) => ({ name: word, at: [{ start, end }] })),
    ]),
  };
  return { record, remarks };
}

/** Who may use it, in both places where that is said: an address in one of them takes nothing of the other along. */
function rightsOf(head: string, remarks: string[]): string {
  const told = ['rights', 'usage'].map((name) => ({ name, text: textOf(head, name) })).filter(({ text }) => text !== '');
  remarks.push(...remarkAddressesRemoved(told.flatMap(({ name, text }) => (holdsEmailAddress(text) ? [name] : []))));
  return told.flatMap(({ text }) => (holdsEmailAddress(text) ? [] : [text])).join(' ');
}

/** `Spanish` or `es`: people write it as they like. */
function languageOf(given: string, remarks: string[]): string | undefined {
  if (given === '' || /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(given)) return given || undefined;
  const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const codes = letters.flatMap((one) => letters.map((other) => one + other));
  const code = codes.find((known) => names.of(known)?.toLowerCase() === given.toLowerCase());
  if (!code) remarks.push(`language “${given}” not read`);
  return code;
}

/** What it says beside its film, as a file of facts does; undefined for what is no such file. */
export function parseOhmsFacts(given: string): { facts: object; remarks: string[] } | undefined {
  try {
    const read = parseOhmsRecord(given);
    if (!read) return undefined;
    const { title, externalId, description, recordedAt, language, rights, people, labels } = read.record;
    return { facts: { title, externalId, description, recordedAt, language, rights, people, labels }, remarks: read.remarks };
  } catch (error) {
    return { facts: {}, remarks: [`details file not used (${errorMessageOf(error)})`] };
  }
}

/** Its transcript beside its film; undefined for what is no such file, or has none. */
export function parseOhmsSpeech(given: string): HeardSpeech | undefined {
  const engine = 'OHMS';
  try {
    const entries = parseOhmsRecord(given)?.record.lines ?? [];
    return entries.length > 0 ? { engine, entries, Line: SpokenLine } : undefined;
  } catch (error) {
    return { engine, entries: [], Line: SpokenLine, refusal: errorMessageOf(error) };
  }
}

const SpokenLine = z
  .object({ start: Seconds, end: Seconds, text: z.string(), speaker: z.string().optional() })
  .transform((line): HeardLine => ({ ...line, words: [] }));

interface IndexPoint {
  readonly start: number;
  readonly end: number;
  readonly title: string;
  /** Keywords and subjects. */
  readonly words: readonly string[];
}

/** The points of its index, each until the next. */
function pointsOf(index: string, remarks: string[]): IndexPoint[] {
  const points = allOf(index, 'point').flatMap((point, n) => {
    const start = secondsOf(textOf(point, 'time'));
    if (start === undefined) {
      remarks.push(`index point ${n + 1} ignored: it has no readable time`);
      return [];
    }
    const words = [...textOf(point, 'keywords').split(';'), ...textOf(point, 'subjects').split(';')].map((word) => word.trim());
    return [{ start, title: textOf(point, 'title'), words: [...new Set(words)].filter((word) => word !== '') }];
  });
  points.sort((a, b) => a.start - b.start);
  return points.map((point, n) => ({ ...point, end: points[n + 1]?.start ?? point.start + lastSeconds }));
}

function linesOf(xml: string, durationSeconds: number, remarks: string[]): GivenLine[] {
  const vtt = withoutXmlEntities(textBetween(xml, 'vtt_transcript')).trimStart();
  if (vtt.startsWith('WEBVTT')) {
    const { cues, warnings } = parseSubtitles(Buffer.from(vtt));
    remarks.push(...warnings);
    return cues.map(({ startMs, endMs, text, speaker }) => ({ text, speaker, start: startMs / 1_000, end: endMs / 1_000 }));
  }
  const lines = withoutXmlEntities(textBetween(xml, 'transcript')).split(/\r?\n/).map(toPlainText);
  if (lines.every((line) => line === '')) return [];
  const marks = syncMarks(textOf(xml, 'sync'), durationSeconds, lines.length);
  if (marks.length < 2) {
    remarks.push('transcript ignored: its lines have no times');
    return [];
  }
  const starts = startsOf(lines.length, marks);
  return lines.flatMap((text, n) => (text === '' ? [] : [{ text, start: starts[n] ?? 0, end: starts[n + 1] ?? 0 }]));
}

interface SyncMark {
  readonly line: number;
  readonly seconds: number;
}

/** Lines whose second is told, in order, from the first line at 0 to the end of the film. */
function syncMarks(sync: string, durationSeconds: number, lineCount: number): SyncMark[] {
  const [, minutes, stamps = ''] = /^(\d+(?:\.\d+)?):(.*)$/s.exec(sync.trim()) ?? [];
  const marks: SyncMark[] = [{ line: 1, seconds: 0 }];
  // What stands before the first bar is empty, so that its place is the number of intervals that have passed.
  for (const [n, stamp] of stamps.split('|').entries()) {
    const line = Number(/^(\d+)\(\d+\)$/.exec(stamp.trim())?.[1] ?? Number.NaN);
    if (line > (marks.at(-1)?.line ?? 0)) marks.push({ line, seconds: n * Number(minutes) * 60 });
  }
  const last = marks.at(-1);
  if (marks.length > 1 && last && last.line <= lineCount)
    marks.push({ line: lineCount + 1, seconds: Math.max(durationSeconds, last.seconds + lastSeconds) });
  return marks;
}

/** When each line begins, and where the last one ends: between two marks, as far as it is between their lines. */
function startsOf(lineCount: number, marks: readonly SyncMark[]): number[] {
  // Both are in order, and a long interview has many of each: neither is looked through for every one of the other.
  let next = 0;
  return Array.from({ length: lineCount + 1 }, (_, n) => {
    while ((marks[next]?.line ?? Number.POSITIVE_INFINITY) <= n + 1) next += 1;
    const [from, to] = [marks[next - 1], marks[next]];
    if (!from || !to) return marks.at(-1)?.seconds ?? 0;
    return from.seconds + ((n + 1 - from.line) / (to.line - from.line)) * (to.seconds - from.seconds);
  });
}

/** "754", "12:34", "0:47:12" as seconds; undefined for what is none of these. */
function secondsOf(text: string): number | undefined {
  if (!/^\d{1,7}(?:\.\d+)?$|^(?:\d{1,3}:)?\d{1,2}:\d{1,2}(?:\.\d+)?$/.test(text)) return undefined;
  return text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
}

function textOf(xml: string, name: string): string {
  return readElement(textBetween(xml, name));
}

/** What stands in an element, as people read it. */
function readElement(xml: string): string {
  return toPlainText(withoutXmlEntities(xml));
}

/** Its italics and footnote marks are no words of it. */
function toPlainText(text: string): string {
  return text.replace(/<\/?[a-z][^<>]*>|\[\[footnote\]\]\d*\[\[\/footnote\]\]/gi, '').trim();
}

function textBetween(xml: string, name: string): string {
  return allOf(xml, name)[0] ?? '';
}

/** What stands between the tags of each element of this name. */
function allOf(xml: string, name: string): string[] {
  return xml
    .split(new RegExp(`<${name}(?:\\s[^<>]*)?>`))
    .slice(1)
    .flatMap((piece) => {
      const end = piece.indexOf(`</${name}>`);
      return end === -1 ? [] : [piece.slice(0, end)];
    });
}

function attributeOf(xml: string, element: string, name: string): string {
  const tag = new RegExp(`<${element}\\s([^<>]*)>`).exec(xml)?.[1] ?? '';
  return withoutXmlEntities(new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? '').trim();
}

/** Sections of plain characters, written as all other text is. */
function withoutCdata(xml: string): string {
  const [first = '', ...sections] = xml.split('<![CDATA[');
  const plain = sections.map((section) => {
    const end = section.indexOf(']]>');
    const characters = end === -1 ? section : section.slice(0, end);
    return characters.replaceAll('&', '&amp;').replaceAll('<', '&lt;') + (end === -1 ? '' : section.slice(end + 3));
  });
  return first + plain.join('');
}
