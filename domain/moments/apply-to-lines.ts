import {
  type CorrectedLine,
  type Correction,
  type CorrectionTarget,
  collapseSpaces,
  compareByTime,
  type Line,
  type LineChange,
  linesByTime,
  markLookedAt,
  wordsOf,
} from './corrections.ts';
import type { Moment } from './moment.ts';
import { withWordStarts } from './word-starts.ts';

type LinesTarget = Exclude<CorrectionTarget, { kind: 'Title' | 'Fact' | 'Name' | 'Poster' | 'Person' }>;

interface LinesCorrection extends Pick<Correction, 'id' | 'says' | 'undone'> {
  readonly target: LinesTarget;
}

/** How far from where it was made a correction looks for lines in the very words; and how far apart two looks at a film hear one line begin. */
const [nearMs, sameStartMs] = [1_000, 200];

/**
 * Applies a correction to the lines of one layer and kind, which are in order of time and stay so. It finds its lines where they say what was
 * replaced, or by now what replaced it; else in the same words but for a few, also as a part of longer lines. False where they are not to be found.
 * One that says all that is said looks for nothing: what it says stands in the place of every line.
 */
export function applyToLines(lines: CorrectedLine[], { id, target, says, undone }: LinesCorrection): boolean {
  const change = changeOf(target, says);
  if (change.isAll) {
    if (!undone) tellAll(lines, { are: change.are, kind: target.kind, by: id });
    return true;
  }
  const exact = findLines(lines, { ...target, ...change });
  if (undone) {
    const one = exact && change.was.length === 1 && change.are.length === 1 ? lines[exact.from] : undefined;
    const { said = [], stoodMs = [] } = one ?? {};
    const stands = { stoodMs: [...stoodMs, ...change.are.map(({ startMs }) => startMs)] };
    if (exact && one)
      lines[exact.from] = { ...one, ...stands, said: [...said, ...[...change.was, ...change.are].map(({ text }) => collapseSpaces(text))] };
    return true;
  }
  const found = exact ?? findWords(lines, { ...target, ...change });
  if (change.was.length === 0 && !exact) {
    lines.push(...change.are.map((line) => toAddedLine(line, target.kind, id)));
    lines.sort(compareByTime);
  } else if (found) {
    const those = lines.slice(found.from, found.to);
    const moments = those.map(({ moment }) => moment);
    const isWhole = found.before.length + found.after.length === 0;
    if (!isWhole && isConfirmation(change)) return false;
    const told = isWhole ? tellLines(moments, change) : tellWithin(moments, { change, ...found });
    const isOneByOne = isWhole && told.length === those.length;
    const saidBefore = (text: string, n: number) => (isOneByOne && those[n]?.moment.text === text ? saidBy(those[n], change.are[n]) : {});
    const corrected = withWordStarts(moments, told).map((moment, n) => ({ moment, by: id, ...saidBefore(moment.text, n) }));
    lines.splice(found.from, those.length, ...corrected);
    const around = lines.slice(Math.max(0, found.from - 1), found.from + told.length + 1);
    if (around.some((line, n) => n > 0 && line.moment.startMs < (around[n - 1]?.moment.startMs ?? 0))) lines.sort(compareByTime);
  } else return false;
  return true;
}

/** A line whose words a correction left alone is still found by those that it said before, and by those that the correction found. */
function saidBy({ said = [], stoodMs = [] }: CorrectedLine, are: Line | undefined): Pick<CorrectedLine, 'said' | 'stoodMs'> {
  return { stoodMs, said: [...said, ...(are ? [collapseSpaces(are.text)] : [])] };
}

/** Whether a correction says only that lines are right as they are. */
function isConfirmation({ was, are }: LineChange): boolean {
  return was.length === are.length && are.every((line, n) => was[n] !== undefined && isUnchangedLine(was[n], line));
}

/** A line that stands at the very time of one of these says its words, and keeps what else is known of it. */
function tellAll(
  lines: CorrectedLine[],
  { are, kind, by }: Pick<LineChange, 'are'> & { kind: Moment['kind']; by: Correction['id'] },
): void {
  const takeAt = linesByTime(lines.map(({ moment }) => moment));
  lines.length = 0;
  for (const line of are) {
    const found = takeAt(line);
    const was = found ? [{ ...line, text: found.text, speaker: found.speaker ?? null }] : [];
    const [moment] = found ? withWordStarts([found], tellLines([found], { was, are: [line] })) : [];
    lines.push(moment ? { moment, by } : toAddedLine(line, kind, by));
  }
  lines.sort(compareByTime);
}

/** What a correction changes: that of a single text keeps times and speaker as they are. */
function changeOf({ startMs, endMs, replaces, lines }: LinesTarget, says: string | null): LineChange {
  if (lines) return lines;
  const line = (text: string): Line => ({ startMs, endMs, text, speaker: null });
  return { was: [line(replaces)], are: [line(says ?? replaces)] };
}

/** Where the lines are that a correction is about: from one line to the one behind the last, and the words around it in the first and the last. */
interface FoundLines {
  readonly from: number;
  readonly to: number;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

interface Sought extends LineChange {
  readonly startMs: number;
  readonly endMs: number;
}

/** Lines that say the very words, but for spaces, about that time; of several those that begin nearest, and of those what was replaced before what replaced it, by whom and for as long as that was said. */
function findLines(lines: readonly CorrectedLine[], { was, are, startMs, endMs }: Sought): FoundLines | null {
  const best: { found: FoundLines | null; awayMs: number } = { found: null, awayMs: Number.POSITIVE_INFINITY };
  const look = (from: number, atMs: number) => {
    if (was.length === 0 && !isHeardAs(lines[from]?.moment, are[0])) return;
    for (const some of [was, are]) {
      const awayMs = Math.abs(atMs - startMs) + (some === was ? 0 : 0.5) + (isSaidAs(lines[from]?.moment, some[0]) ? 0 : 0.2);
      if (some.length === 0 || awayMs >= best.awayMs || !some.every(({ text }, n) => saysSame(lines[from + n], text))) continue;
      Object.assign(best, { found: { from, to: from + some.length, before: [], after: [] }, awayMs });
    }
  };
  for (let from = firstEndingAt(lines, startMs - nearMs); from < lines.length; from++) {
    const atMs = lines[from]?.moment.startMs ?? Number.POSITIVE_INFINITY;
    if (atMs > endMs + nearMs) break;
    look(from, atMs);
  }
  // A line whose move was taken back is found where it stood meanwhile.
  if (!best.found)
    for (const [from, { stoodMs = [] }] of lines.entries())
      for (const atMs of stoodMs) if (atMs >= startMs - nearMs && atMs <= endMs + nearMs) look(from, atMs);
  return best.found;
}

/** Whether a line is one that somebody added, heard by now: the same words may be said a moment before or after as well. */
const isHeardAs = (a?: Moment, b?: Line) =>
  a && b && (Math.abs(a.startMs - b.startMs) <= sameStartMs || (a.startMs < b.endMs && b.startMs < a.endMs));

const isSaidAs = (a?: Moment, b?: Line) => a?.endMs === b?.endMs && (a?.speaker ?? null) === b?.speaker;

/** Lines are in order of their starts. Assumes that none lasts over 60 s, so that the search can skip by start. */
function firstEndingAt(lines: readonly CorrectedLine[], atMs: number): number {
  const longestMs = 60_000;
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle]?.moment.startMs ?? 0) < atMs - longestMs) low = middle + 1;
    else high = middle;
  }
  while (low < lines.length && (lines[low]?.moment.endMs ?? 0) < atMs) low++;
  return low;
}

function saysSame(line: CorrectedLine | undefined, text: string): boolean {
  if (!line) return false;
  const wanted = collapseSpaces(text);
  return collapseSpaces(line.moment.text) === wanted || (line.said?.includes(wanted) ?? false);
}

/** Of so many words of a correction's line one may be another by now. */
const wordsPerOther = 3;

/** So many pairs of words are compared at most, as for a thousand words among four thousand: a film is held meanwhile. What takes more is not looked for. */
const pairsMax = 4_000_000;

/** Where most of the replaced words stand, or of those instead of them, one behind the other in lines of that time. */
function findWords(lines: readonly CorrectedLine[], { was, are, startMs, endMs }: Sought): FoundLines | null {
  const from = firstEndingAt(lines, startMs);
  const near: CorrectedLine[] = [];
  for (let n = from; (lines[n]?.moment.startMs ?? Number.POSITIVE_INFINITY) <= endMs; n++) near.push(...lines.slice(n, n + 1));
  const words = near.flatMap(({ moment }, n) => wordsOf(moment.text).map((word, at) => ({ word, line: from + n, at })));
  const stretches = [was, are].flatMap((some) => {
    const wanted = some.flatMap(({ text }) => wordsOf(text)).map(stripWord);
    const stretch = nearestStretchTo(
      wanted,
      words.map(({ word }) => stripWord(word)),
    );
    return stretch.others * wordsPerOther <= wanted.length && stretch.to > stretch.from ? [stretch] : [];
  });
  const [best] = stretches.toSorted((a, b) => a.others - b.others);
  const [first, last] = [words[best?.from ?? -1], words[(best?.to ?? 0) - 1]];
  if (!first || !last) return null;
  return {
    from: first.line,
    to: last.line + 1,
    before: wordsOf(lines[first.line]?.moment.text ?? '').slice(0, first.at),
    after: wordsOf(lines[last.line]?.moment.text ?? '').slice(last.at + 1),
  };
}

/** The stretch of `words` that differs least from the wanted ones, in how many words; of several the last and longest (Sellers 1980). */
function nearestStretchTo(wanted: readonly string[], words: readonly string[]): { from: number; to: number; others: number } {
  // How many words differ when so many of the wanted ones end before this word, and where the stretch begins.
  const others = Int32Array.from(wanted, (_, n) => n + 1);
  const from = new Int32Array(wanted.length);
  let best = { from: 0, to: 0, others: wanted.length };
  if (wanted.length * words.length > pairsMax) return best;
  for (const [n, word] of words.entries()) {
    let diagonal = 0;
    let diagonalFrom = n;
    let above = 0;
    let aboveFrom = n + 1;
    for (let row = 0; row < wanted.length; row++) {
      const left = others[row] ?? 0;
      const leftFrom = from[row] ?? 0;
      const same = wanted[row] === word ? diagonal : diagonal + 1;
      const isExtra = left + 1 < same && left <= above;
      const isMissing = !isExtra && above + 1 < same;
      above = isExtra ? left + 1 : isMissing ? above + 1 : same;
      aboveFrom = isExtra ? leftFrom : isMissing ? aboveFrom : diagonalFrom;
      diagonal = left;
      diagonalFrom = leftFrom;
      others[row] = above;
      from[row] = aboveFrom;
    }
    if (above <= best.others && wanted.length > 0) best = { from: aboveFrom, to: n + 1, others: above };
  }
  return best;
}

/** The lines as corrected. Where there are as many as before, each keeps what the correction leaves alone, also its words, and those that already read so become verified. */
function tellLines(found: readonly Moment[], { was, are }: LineChange): Moment[] {
  const [first] = found;
  if (!first) return [];
  const isOneByOne = was.length === are.length && found.length === are.length;
  return are.map((line, n) => {
    const base = (isOneByOne ? found[n] : undefined) ?? first;
    const before = isOneByOne ? was[n] : undefined;
    const startMs = before ? moveTime(base.startMs, before.startMs, line.startMs) : line.startMs;
    const endMs = before ? moveTime(base.endMs, before.endMs, line.endMs) : line.endMs;
    const speaker = before && before.speaker === line.speaker ? base.speaker : (line.speaker ?? undefined);
    const changes = startMs !== base.startMs || endMs !== base.endMs || speaker !== base.speaker;
    const isConfirmed = before !== undefined && isUnchangedLine(before, line);
    const text = before?.text === line.text && !isConfirmed ? base.text : line.text;
    const isSame = !changes && collapseSpaces(text) === collapseSpaces(base.text);
    if (isSame) return { ...markLookedAt(base), review: base.review ?? 'verified' };
    const { speaker: _, ...rest } = markLookedAt(base);
    return {
      ...rest,
      startMs,
      endMs,
      text,
      review: isConfirmed ? 'verified' : 'corrected',
      ...(speaker ? { speaker } : {}),
    };
  });
}

/** What a run found stays where it found it, unless the correction moved it. */
function moveTime(foundMs: number, wasMs: number, isMs: number): number {
  return wasMs === isMs ? foundMs : isMs;
}

/** Words inside of longer lines: the words around them stay in a line of their own, or in the same where it is one. */
function tellWithin(
  found: readonly Moment[],
  { change, before, after }: { change: LineChange } & Pick<FoundLines, 'before' | 'after'>,
): Moment[] {
  const [first, last] = [found[0], found.at(-1)];
  if (!first || !last) return [];
  const [only] = change.are;
  if (only && found.length === 1 && change.are.length === 1 && changesTextAlone(change.was, only)) {
    const text = [...before, only.text, ...after].join(' ');
    return [collapseSpaces(text) === collapseSpaces(first.text) ? first : { ...markLookedAt(first), text, review: 'corrected' }];
  }
  // Of lines whose words were removed the rest stays where it is.
  if (!only && found.length === 1) return [{ ...markLookedAt(first), text: [...before, ...after].join(' '), review: 'corrected' }];
  const fromMs = only ? Math.max(first.startMs, only.startMs) : first.endMs;
  const toMs = only ? Math.min(last.endMs, change.are.at(-1)?.endMs ?? last.endMs) : last.startMs;
  return [
    ...(before.length > 0 ? [{ ...first, text: before.join(' '), endMs: fromMs }] : []),
    ...change.are.map(({ speaker, ...line }): Moment => {
      const { speaker: heard, ...rest } = markLookedAt(first);
      return { ...rest, ...line, review: 'corrected', ...((speaker ?? heard) ? { speaker: speaker ?? heard } : {}) };
    }),
    ...(after.length > 0 ? [{ ...last, text: after.join(' '), startMs: toMs }] : []),
  ];
}

/** Whether lines that became this one were said by the same person in the same time. */
function changesTextAlone(was: readonly Line[], is: Line): boolean {
  return was[0]?.startMs === is.startMs && was.at(-1)?.endMs === is.endMs && was.every(({ speaker }) => speaker === is.speaker);
}

function toAddedLine({ speaker, ...line }: Line, kind: Moment['kind'], by: Correction['id']): CorrectedLine {
  const moment = { kind, ...line, source: 'editor', confidencePercent: 100, review: 'corrected' } as const;
  return { moment: { ...moment, ...(speaker ? { speaker } : {}) }, by };
}

/** Whether two lines are the same, for a person. */
export function isUnchangedLine(a: Line, b: Line): boolean {
  return a.startMs === b.startMs && a.endMs === b.endMs && a.speaker === b.speaker && collapseSpaces(a.text) === collapseSpaces(b.text);
}

/** A word without case and punctuation, as recognisers differ in them; a word of nothing else stays. */
function stripWord(word: string): string {
  return word.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '') || word;
}
