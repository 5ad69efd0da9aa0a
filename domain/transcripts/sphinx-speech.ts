import { z } from 'zod';
import { parseJson } from '../system/parse-json.ts';
import { type HeardLine, type HeardSpeech, Seconds, Share } from './heard-line.ts';

const engine = 'pocketsphinx';
const Word = z.object({ b: Seconds, t: z.string(), p: Share });
const Line = z
  .object({ b: Seconds, d: Seconds, t: z.string(), p: Share, w: z.array(Word).catch([]) })
  .transform(({ b, d, t, p, w }): HeardLine => {
    const words = w.filter((word) => isSpoken(word.t)).map((word) => ({ text: toSpelling(word.t), start: word.b, confidence: word.p }));
    return { start: b, end: b + d, text: t, words, confidence: p };
  });
const LineOfJson = z.string().transform(parseJson).pipe(Line);
const Utterance = z.object({ b: z.number(), d: z.number(), t: z.string() });

/** What pocketsphinx prints: since version 5 an object of JSON on each line, before that the words of `-time yes`. */
export function parseSphinxSpeech(text: string): HeardSpeech | undefined {
  const lines = text.split(/\r\n|\r|\n/);
  const first = lines.find((line) => line.trim() !== '');
  if (Utterance.safeParse(parseJson(first ?? '')).success)
    return { engine, entries: lines.filter((line) => line.trim() !== ''), Line: LineOfJson };
  return parseTimedWords(lines);
}

const timedWord = /^(\S+) (\d{1,7}\.\d+) (\d{1,7}\.\d+) (\S+)\s*$/;
const anewSeconds = 1;

/** The text of an utterance on a line, then a line for each of its words: how it is spelled, its start, its end and how sure it is. */
function parseTimedWords(lines: readonly string[]): HeardSpeech | undefined {
  const utterances: { b: number; t: string; p: number; end: number }[][] = [[]];
  for (const line of lines) {
    const [, t, start, end, p] = timedWord.exec(line) ?? [];
    if (t === undefined && utterances.at(-1)?.length) utterances.push([]);
    if (t !== undefined) utterances.at(-1)?.push({ b: Number(start), t, p: Number(p), end: Number(end) });
  }
  const spoken = utterances.map((words) => words.filter((word) => isSpoken(word.t))).filter((words) => words.length > 0);
  if (spoken.length === 0) return undefined;
  const entries = spoken.map((w) => {
    const b = w[0]?.b ?? 0;
    return { b, d: Math.max(0, (w.at(-1)?.end ?? 0) - b), t: w.map((word) => toSpelling(word.t)).join(' '), w };
  });
  // Old versions count the time of each utterance from its own start, and do not tell when that was.
  const isAnew = entries.some(({ b }, n) => n > 0 && b + anewSeconds < (entries[n - 1]?.b ?? 0) + (entries[n - 1]?.d ?? 0));
  return { engine, entries, Line, refusal: isAnew ? 'its times begin anew with an utterance' : undefined };
}

/** Silence, noise and the ends of an utterance stand among the words in brackets of their own. */
function isSpoken(word: string): boolean {
  return !/^(?:<.*>|\[.*\]|\+\+.*\+\+)$/s.test(word);
}

/** `word(2)` is the second way to say a word. */
function toSpelling(word: string): string {
  return word.replace(/\(\d+\)$/, '');
}
