import { z } from 'zod';
import { limits } from '#contract/limits.ts';
import type { Moment, MomentKind } from '../moments/moment.ts';
import { wordStartsByPieces } from '../moments/word-starts.ts';
import { cleanText } from './clean-text.ts';
import { momentsOfFacts, NamedFact } from './named-fact.ts';

const lineMaxCodePoints = 4_000;
const speakerMaxCodePoints = 200;

// Beyond this no clock can show a time, and one such record would spoil every page of results that it stands on.
const Seconds = z.number().max(1_000_000);

/** The words of a line in order, each with its own start, as recognisers of speech give them. Unreadable ones are none; their line stays. */
const Words = z
  .array(z.object({ start: Seconds, text: z.string() }))
  .optional()
  .catch(undefined);

const Line = z.object({ start: Seconds, end: Seconds.optional(), text: z.string(), speaker: z.string().optional(), words: Words });
type Line = z.infer<typeof Line>;

/**
 * A film that the archive knows by its words alone: one line of a catalogue file. Times in seconds from its start.
 * A line that brings its `words` (`[{ "start": 1.5, "text": "Hello" }, …]`) is found at the word that was looked for; they
 * count when they spell the line's text, in order of time, between its `start` and `end`.
 */
export const CatalogueRecord = z.object({
  id: z.string().min(1).max(500),
  title: z.string().transform((title) => cleanText(title, limits.videoNameMaxCodePoints)),
  language: z
    .string()
    .max(20)
    .default('en')
    .transform((language) => cleanText(language, 20)),
  durationSeconds: Seconds.min(0).default(0),
  people: z.array(NamedFact).default([]),
  brands: z.array(NamedFact).default([]),
  labels: z.array(NamedFact).default([]),
  lines: z.array(Line).default([]),
  ocr: z.array(Line).default([]),
});
export type CatalogueRecord = z.infer<typeof CatalogueRecord>;

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
  const text = cleanText(line.text, lineMaxCodePoints);
  const pieces = line.words?.map((word) => ({ startMs: Math.round(word.start * 1_000), text: word.text }));
  const wordStartsMs = pieces && wordStartsByPieces(text, pieces);
  return {
    ...{ kind, startMs, endMs, text, source: 'catalogue', confidencePercent: 100 },
    ...(line.speaker ? { speaker: cleanText(line.speaker, speakerMaxCodePoints) } : {}),
    ...(wordStartsMs ? { wordStartsMs } : {}),
  };
}
