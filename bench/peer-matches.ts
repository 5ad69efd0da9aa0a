import type { PlainQuestion } from '#testing/measured-archive.ts';
import { type AlikeText, lastAtOrBefore, makeAlike, wordEnd, wordFrom } from './peer-text.ts';

/** A line or a name that holds what was asked for. */
export interface PeerMatch {
  readonly text: string;
  readonly exactTexts: readonly string[];
  /** Milliseconds; 0 for a name. */
  readonly startMs: number;
  readonly score: number;
}

/** A video as its rows hold it. `body` has a line for every moment: letters, start, end, confidence, speaker and text, parted by tabs. */
interface ReadVideo {
  readonly body: string;
  readonly wordStarts: string | null;
  readonly names: readonly string[];
}

interface Hit {
  readonly term: number;
  readonly line: number;
  readonly from: number;
  to: number;
  /** The words may run on into the next line. */
  endLine: number;
}

const matchesMax = 100;
/** Words in the line before or after count for so much. */
const neighbourShare = 0.6;
const sideBySideShare = 0.3;
const textColumn = 5;

/** The best hundred lines and names of a video, best first. */
export function peerMatches(question: PlainQuestion, { body, wordStarts, names }: ReadVideo): PeerMatch[] {
  const terms = [...question.words, ...question.prefixes].map((word) => [word]).concat(question.phrases.map((phrase) => [...phrase]));
  const pattern = firstWords(question);
  const lines = partLines(body);
  const byLine = question.rows === 'heads' ? new Map<number, Hit[]>() : Map.groupBy(findHits(lines, terms, pattern), ({ line }) => line);
  const found = [...byLine].map(([line, hits]) => ({ line, hits, score: scoreOf(line, byLine) }));
  found.sort((a, b) => b.score - a.score || a.line - b.line);
  const timesOfLines = wordStarts?.split('\n') ?? [];
  const matches = found.slice(0, matchesMax).map(({ line, hits, score }) => {
    const marks = joinHits(lines.alike.text, hits);
    const next = hits.find(({ endLine }) => endLine !== line)?.endLine;
    const text = next === undefined ? lines.surface(line) : `${lines.surface(line)} ${lines.surface(next)}`;
    const exactTexts = marks.map(({ from, to }) => body.slice(lines.alike.surfaceAt(from), lines.alike.surfaceAt(to)));
    const word =
      lines
        .surface(line)
        .slice(0, exactTexts[0] ? text.indexOf(exactTexts[0]) : 0)
        .split(' ').length - 1;
    return { text, exactTexts, startMs: lines.startMs(line) + Number(timesOfLines[line]?.split(' ')[word] ?? 0), score };
  });
  return [...matches, ...(question.rows === 'passages' ? [] : names.flatMap((name) => matchName(name, pattern)))].slice(0, matchesMax);
}

/** The lines of a packed row, told from each other once the row is read as a whole. */
function partLines(body: string) {
  const alike = makeAlike(body);
  const starts = [0];
  for (let at = alike.text.indexOf('\n'); at >= 0; at = alike.text.indexOf('\n', at + 1)) starts.push(at + 1);
  const end = (line: number) => (starts[line + 1] ?? alike.text.length + 1) - 1;
  const column = (line: number, columns: number) => {
    let at = starts[line] ?? 0;
    for (let n = 0; n < columns; n++) at = alike.text.indexOf('\t', at) + 1;
    return at;
  };
  return {
    alike,
    end,
    textFrom: (line: number) => column(line, textColumn),
    lineAt: (offset: number) => lastAtOrBefore(starts, offset),
    startMs: (line: number) => Number(alike.text.slice(column(line, 1), column(line, 2) - 1)),
    surface: (line: number) => body.slice(alike.surfaceAt(column(line, textColumn)), alike.surfaceAt(end(line))),
    next: (line: number) => {
      const letter = alike.text[starts[line] ?? 0];
      for (let n = line + 1; n < starts.length && n < line + 20; n++) if (alike.text[starts[n] ?? 0] === letter) return n;
      return undefined;
    },
  };
}

type Lines = ReturnType<typeof partLines>;

/** Finds the first words of everything that is asked for, in one pass. */
function firstWords({ words, prefixes, phrases }: PlainQuestion): RegExp {
  const whole = [...words, ...phrases.map(([first = '']) => first)];
  const letter = '[a-z0-9\\u0080-\\uffff]';
  const ways = [...whole.map((word) => `${word}(?!${letter})`), ...prefixes.map((prefix) => `${prefix}${letter}*`)];
  return new RegExp(ways.length > 0 ? `(?<!${letter})(?:${ways.join('|')})` : '(?!)', 'g');
}

function findHits(lines: Lines, terms: readonly (readonly string[])[], pattern: RegExp): Hit[] {
  const { text } = lines.alike;
  const hits: Hit[] = [];
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    const line = lines.lineAt(found.index);
    if (found.index < lines.textFrom(line)) continue;
    for (const [term, [first = '', ...rest]] of terms.entries()) {
      if (!found[0].startsWith(first)) continue;
      const hit = { term, line, from: found.index, to: found.index + found[0].length, endLine: line };
      if (followWords(lines, hit, rest)) hits.push(hit);
    }
  }
  return hits;
}

/** Whether these words come next; the hit then ends behind them. */
function followWords(lines: Lines, hit: Hit, words: readonly string[]): boolean {
  const { text } = lines.alike;
  for (const word of words) {
    let from = wordFrom(text, hit.to);
    if (from >= lines.end(hit.endLine)) {
      const next = lines.next(hit.endLine);
      if (next === undefined) return false;
      hit.endLine = next;
      from = wordFrom(text, lines.textFrom(next));
    }
    if (text.slice(from, wordEnd(text, from)) !== word) return false;
    hit.to = from + word.length;
  }
  return true;
}

function scoreOf(line: number, byLine: ReadonlyMap<number, readonly Hit[]>): number {
  const own = byLine.get(line) ?? [];
  const near = [line - 1, line + 1].flatMap((other) => byLine.get(other) ?? []).filter((hit) => !own.some(({ term }) => term === hit.term));
  const pairs = own.filter((hit, n) => own[n + 1]?.term === hit.term + 1);
  const terms = (hits: readonly Hit[]) => new Set(hits.map(({ term }) => term)).size;
  return terms(own) + neighbourShare * terms(near) + sideBySideShare * pairs.length;
}

/** Neighbouring words are marked together. */
function joinHits(text: string, hits: readonly Hit[]): { from: number; to: number }[] {
  const joined: { from: number; to: number }[] = [];
  for (const { from, to } of hits) {
    const last = joined.at(-1);
    if (last && wordFrom(text, last.to) >= from) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }
  return joined;
}

function matchName(name: string, pattern: RegExp): PeerMatch[] {
  const alike: AlikeText = makeAlike(name);
  const exactTexts = Array.from(alike.text.matchAll(pattern), ({ 0: word, index }) =>
    name.slice(alike.surfaceAt(index), alike.surfaceAt(index + word.length)),
  );
  return exactTexts.length > 0 ? [{ text: name, exactTexts, startMs: 0, score: exactTexts.length }] : [];
}
