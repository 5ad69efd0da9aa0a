import { z } from 'zod';
import { limits, serverLimits } from '#contract/limits.ts';
import { isVideoId } from '../files/video-keys.ts';
import type { Moment, MomentKind } from '../moments/moment.ts';
import { wordStartsByPieces } from '../moments/word-starts.ts';
import { cleanText, holdsEmailAddress, remarkAddressesRemoved } from './clean-text.ts';
import { momentsOfFacts, NamedFact } from './named-fact.ts';

const { factMaxCodePoints } = limits;

// Beyond this no clock can show a time, and one such record would spoil every page of results that it stands on.
const Seconds = z.number().max(serverLimits.toldSecondsMax);

/** The words of a line in order, each with its own start, as recognisers of speech give them. Unreadable ones are none; their line stays. */
const Words = z
  .array(z.object({ start: Seconds, text: z.string() }))
  .optional()
  .catch(undefined);

const Line = z.object({
  start: Seconds,
  end: Seconds.optional(),
  text: z.string(),
  speaker: z.string().optional(),
  words: Words,
  /** From 0 to 1: how sure the machine was that wrote it. */
  confidence: z.number().min(0).max(1).default(1).catch(1),
});
type Line = z.infer<typeof Line>;

const Text = (maxCodePoints: number) =>
  z
    .string()
    .optional()
    .transform((text) => (text === undefined || holdsEmailAddress(text) ? null : cleanText(text, maxCodePoints) || null));

/** An id of another video service that a film can have here as well: older ones there are like ours. Any other is none. */
export const IdFromElsewhere = z.string().refine(isVideoId).optional().catch(undefined);

/** A remark where something is told with an id that no film here can have; none where it has a good one, or none. */
export function remarkIdNotKept(given: unknown): string[] {
  const { data } = z.object({ videoId: z.string() }).safeParse(given);
  if (!data || isVideoId(data.videoId)) return [];
  return [`id ${cleanText(data.videoId, 40)} not kept: ids here are ten characters of 0-9 and a-f, so links with it will not work`];
}

/**
 * A film that the archive knows by its words alone: one line of a catalogue file. Times in seconds from its start.
 * A line that brings its `words` (`[{ "start": 1.5, "text": "Hello" }, …]`) is found at the word that was looked for; they
 * count when they spell the line's text, in order of time, between its `start` and `end`.
 */
export const CatalogueRecord = z.object({
  /** Tells this record from others: one that the archive has is not added again. */
  id: z.string().min(1).max(serverLimits.recordIdMaxCharacters),
  /** What it is called where it comes from; its `id` unless told. */
  externalId: z
    .string()
    .optional()
    .transform((text) => (text ? cleanText(text, factMaxCodePoints.externalId) || undefined : undefined)),
  title: z.string().transform((title) => cleanText(title, factMaxCodePoints.title)),
  language: z
    .string()
    .max(factMaxCodePoints.language)
    .transform((language) => cleanText(language, factMaxCodePoints.language))
    .optional(),
  /** The id that it had in another video service: kept where it is free, so that links go on working. */
  videoId: IdFromElsewhere,
  description: Text(factMaxCodePoints.description),
  owner: Text(limits.ownerMaxCodePoints),
  recordedAt: Text(factMaxCodePoints.recordedAt),
  place: Text(factMaxCodePoints.place),
  rights: Text(factMaxCodePoints.rights),
  durationSeconds: Seconds.min(0).default(0),
  people: z.array(NamedFact).default([]),
  brands: z.array(NamedFact).default([]),
  labels: z.array(NamedFact).default([]),
  lines: z.array(Line).default([]),
  ocr: z.array(Line).default([]),
});
export type CatalogueRecord = z.infer<typeof CatalogueRecord>;

/** Fields of texts and names that are left out where they hold an e-mail address. */
const withoutAddresses = ['description', 'owner', 'recordedAt', 'place', 'rights', 'people', 'brands', 'labels'] as const;

const Texts = z
  .union([z.string().transform((text) => [text]), z.array(NamedFact.transform((fact) => (typeof fact === 'string' ? fact : fact.name)))])
  .catch([]);

/** A remark where something of a record is left out for an e-mail address. */
export function remarkAddressesNotKept(given: unknown): string[] {
  const { data = {} } = z.record(z.string(), z.unknown()).safeParse(given);
  return remarkAddressesRemoved(withoutAddresses.filter((name) => Texts.parse(data[name]).some(holdsEmailAddress)));
}

/** The names of fields that no catalogue record has: what stands there would be lost without a word. */
export function unreadFieldsIn(given: unknown): string[] {
  const { data = {} } = z.record(z.string(), z.unknown()).safeParse(given);
  return Object.keys(data).filter((name) => !Object.hasOwn(CatalogueRecord.shape, name));
}

const [toldFieldsMax, toldNameMax] = [10, 40];

/** What records bring that nothing here reads, by how many have it, and what is read: a name that is spelt otherwise loses all lines of a file. None where all is read. */
export function tellUnread(unread: ReadonlyMap<string, number>): string[] {
  if (unread.size === 0) return [];
  const most = [...unread].sort((a, b) => b[1] - a[1]).slice(0, toldFieldsMax);
  const fields = most.map(([field, records]) => `${cleanText(field, toldNameMax)} (${records.toLocaleString('en')})`).join(', ');
  return [`fields left out, and how many records have them: ${fields}. What is read: ${Object.keys(CatalogueRecord.shape).join(', ')}`];
}

/** Everything that stands at a time in a catalogue record: what was said and written, and who and what was named when. */
export function momentsOfRecord(record: CatalogueRecord): Moment[] {
  return [
    ...record.lines.map((line) => momentOfLine(line, 'Transcript')),
    ...record.ocr.map((line) => momentOfLine(line, 'Ocr')),
    ...momentsOfFacts(record.people, 'Face', 'catalogue'),
    ...momentsOfFacts(record.brands, 'Brand', 'catalogue'),
    ...momentsOfFacts(record.labels, 'Annotations', 'catalogue'),
  ].filter((moment) => moment.text !== '');
}

function momentOfLine(line: Line, kind: MomentKind): Moment {
  const startMs = Math.max(0, Math.round(line.start * 1_000));
  const endMs = Math.max(startMs, Math.round((line.end ?? line.start) * 1_000));
  const text = cleanText(line.text, limits.lineMaxCodePoints);
  const pieces = line.words?.map((word) => ({ startMs: Math.round(word.start * 1_000), text: word.text }));
  const wordStartsMs = pieces && wordStartsByPieces(text, pieces);
  return {
    kind,
    startMs,
    endMs,
    text,
    source: 'catalogue',
    confidencePercent: Math.round(line.confidence * 100),
    ...(line.speaker ? { speaker: cleanText(line.speaker, limits.speakerMaxCodePoints) } : {}),
    ...(wordStartsMs ? { wordStartsMs } : {}),
  };
}
