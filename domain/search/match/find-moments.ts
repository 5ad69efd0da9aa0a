import type { MatchKind } from '#contract/match-kinds.ts';
import type { SearchPlan } from '../query/search-plan.ts';
import { lackingFit, ofMoment } from '../weights.ts';
import { findLineHits, type LineHit, nextWord } from './find-line-hits.ts';
import type { FoldedBody } from './folded-body.ts';
import { countByKind, type MatchCounts } from './match-counts.ts';
import { startOfMatch } from './match-start.ts';
import type { MomentMatch } from './moment-match.ts';
import type { PlanMatcher } from './plan-matcher.ts';

const kindOfLetter: Record<string, MatchKind> = { t: 'Transcript', o: 'Ocr', f: 'Face', a: 'Annotations', b: 'Brand' };

export interface FoundMoments {
  /** Best first, at most `limit`. */
  readonly matches: MomentMatch[];
  /** The true number of each kind, whatever the limit. */
  readonly counts: MatchCounts;
  /** The people, labels and brands among all of them, as `nameKey` writes them. */
  readonly named: ReadonlySet<string>;
  /** Numbers of the concepts that any line holds. */
  readonly held: ReadonlySet<number>;
}

/** How a person, label or brand is told from others. */
export const nameKey = (kind: MomentMatch['kind'], name: string) => `${kind} ${name}`;

/** The lines of a packed row that answer a plan. `accepts` leaves kinds out that were not asked for; a limit of 0 only counts. */
export function findMoments(
  folded: FoldedBody,
  { plan, matcher }: { plan: SearchPlan; matcher: PlanMatcher },
  options: { limit: number; accepts: (kind: MatchKind) => boolean },
): FoundMoments {
  const hits = findLineHits(folded, matcher);
  const held = new Set(hits.filter(({ fit }) => fit > lackingFit).map(({ concept }) => concept));
  const lines = gatherLines(folded, hits, plan);
  const candidates: Candidate[] = [];
  const speakers = new Set<string>();
  for (const line of lines.values()) {
    const kind = line.isSpeaker ? 'Face' : kindOfLetter[folded.line(line.number).letter];
    if (!kind || !options.accepts(kind) || (line.isSpeaker && !isFirstOfSpeaker(folded, { line, speakers }))) continue;
    const score = options.limit > 0 ? scoreLine(line, { folded, lines, plan, kind }) : 0;
    candidates.push({ line, kind, score });
  }
  const names = candidates.filter(({ kind }) => !isText(kind));
  const named = new Set(names.map(({ kind, line }) => nameKey(kind, textOf(folded, line))));
  candidates.sort((a, b) => b.score - a.score || a.line.number - b.line.number);
  const matches = candidates.slice(0, options.limit).map((candidate) => matchOf(folded, candidate, plan));
  return { matches, counts: countByKind(candidates), named, held };
}

/** The hits of one line that can be shown as one match. */
interface MatchedLine {
  readonly number: number;
  readonly isSpeaker: boolean;
  readonly hits: readonly LineHit[];
  /** The line into which its words run on. */
  readonly joined: number | undefined;
}

interface Candidate {
  readonly line: MatchedLine;
  readonly kind: MatchKind;
  readonly score: number;
}

const keyOf = (number: number, isSpeaker: boolean) => number * 2 + (isSpeaker ? 1 : 0);

function gatherLines(folded: FoldedBody, hits: readonly LineHit[], plan: SearchPlan): Map<number, MatchedLine> {
  const byLine = Map.groupBy(hits, (hit) => keyOf(hit.line, hit.isSpeaker));
  const lines = new Map<number, MatchedLine>();
  const swallowed = new Set<number>();
  for (const [key, lineHits] of byLine) {
    const number = key >> 1;
    const isSpeaker = key % 2 === 1;
    const border = isSpeaker ? undefined : runOverBorder(folded, { number, lineHits, byLine, plan });
    if (border) for (const hit of border.inNext) swallowed.add(hit.from);
    const all = border ? [...lineHits, ...border.inNext] : lineHits;
    lines.set(key, { number, isSpeaker, hits: all, joined: border?.next });
  }
  for (const [key, line] of lines) {
    const own = line.hits.filter((hit) => hit.line !== line.number || !swallowed.has(hit.from));
    const tells = own.some((hit) => plan.onlyStopWords || !plan.concepts[hit.concept]?.isStopWord);
    if (!tells || own.length === 0) lines.delete(key);
  }
  return lines;
}

/** Words that run on from a line into the next: a phrase that ends there, or several asked words in their order. */
function runOverBorder(
  folded: FoldedBody,
  {
    number,
    lineHits,
    byLine,
    plan,
  }: { number: number; lineHits: readonly LineHit[]; byLine: ReadonlyMap<number, readonly LineHit[]>; plan: SearchPlan },
): { next: number; inNext: LineHit[] } | undefined {
  const crossing = lineHits.find((hit) => hit.endLine !== hit.line);
  if (crossing) return { next: crossing.endLine, inNext: [] };
  const last = lineHits.at(-1);
  const after = last && nextWord(folded, { line: number, to: last.to, isSpeaker: false });
  if (!last || !after || after.line === number) return undefined;
  const inNext: LineHit[] = [];
  let [concept, from] = [last.concept + 1, after.from];
  for (const hit of byLine.get(keyOf(after.line, false)) ?? []) {
    if (hit.from !== from || hit.concept !== concept || hit.endLine !== hit.line) continue;
    inNext.push(hit);
    const next = nextWord(folded, { line: after.line, to: hit.to, isSpeaker: false });
    if (!next || next.line !== after.line) break;
    [concept, from] = [concept + 1, next.from];
  }
  if (inNext.length === 0) return undefined;
  const before = runBackwards(folded, lineHits);
  const enough = before + inNext.length >= Math.min(3, plan.concepts.length);
  return enough ? { next: after.line, inNext } : undefined;
}

/** How many asked words in their order end the line. */
function runBackwards(folded: FoldedBody, hits: readonly LineHit[]): number {
  let count = 1;
  let last = hits.at(-1);
  for (const hit of hits.slice(0, -1).reverse()) {
    if (!last || hit.concept !== last.concept - 1) break;
    if (nextWord(folded, { line: hit.line, to: hit.to, isSpeaker: false })?.from !== last.from) break;
    count++;
    last = hit;
  }
  return count;
}

function scoreLine(
  line: MatchedLine,
  { folded, lines, plan, kind }: { folded: FoldedBody; lines: ReadonlyMap<number, MatchedLine>; plan: SearchPlan; kind: MatchKind },
): number {
  const fits = new Float64Array(plan.concepts.length);
  const take = (hits: readonly LineHit[], share: number) => {
    for (const hit of hits) fits[hit.concept] = Math.max(fits[hit.concept] ?? 0, hit.fit * share);
  };
  take(line.hits, 1);
  if (!line.isSpeaker && isText(kind)) {
    for (const other of [line.number - 1, line.number + 1]) {
      const neighbour = lines.get(keyOf(other, false));
      if (neighbour && folded.line(other).letter === folded.line(line.number).letter) take(neighbour.hits, ofMoment.neighbour);
    }
  }
  const words = plan.concepts.reduce((sum, { weight }, n) => sum + weight * (fits[n] ?? 0), 0);
  return (words + adjacencyOf(line.hits, plan, folded)) * (line.isSpeaker ? ofMoment.speaker : (ofMoment.kinds[kind] ?? 1));
}

function adjacencyOf(hits: readonly LineHit[], plan: SearchPlan, folded: FoldedBody): number {
  const best = new Map<number, number>();
  for (const [n, hit] of hits.entries()) {
    const next = hits.slice(n + 1, n + 4).find((other) => other.concept === hit.concept + 1);
    if (!next) continue;
    const follows = nextWord(folded, { line: hit.endLine, to: hit.to, isSpeaker: hit.isSpeaker })?.from === next.from;
    const weights = (plan.concepts[hit.concept]?.weight ?? 0) + (plan.concepts[next.concept]?.weight ?? 0);
    const share = follows ? ofMoment.sideBySide : ofMoment.inOrder;
    best.set(hit.concept, Math.max(best.get(hit.concept) ?? 0, weights * share * hit.fit * next.fit));
  }
  return [...best.values()].reduce((sum, value) => sum + value, 0);
}

/** Who speaks is named once, where they first do. */
function isFirstOfSpeaker(folded: FoldedBody, { line, speakers }: { line: MatchedLine; speakers: Set<string> }): boolean {
  const { speakerFrom, textFrom } = folded.line(line.number);
  const speaker = folded.text.slice(speakerFrom, textFrom - 1);
  if (speakers.has(speaker)) return false;
  speakers.add(speaker);
  return true;
}

function matchOf(folded: FoldedBody, { line, kind, score }: Candidate, plan: SearchPlan): MomentMatch {
  const { textFrom } = folded.line(line.number);
  const stretches = stretchesOf(folded, line, plan);
  const startMs = startOfMatch(folded, { line: line.number, from: stretches[0]?.from ?? textFrom, kind });
  const ranges = stretches.map(({ from, to }) => [placeInText(folded, line, from), placeInText(folded, line, to)] as const);
  return { startMs, isTimed: true, score, kind, text: textOf(folded, line), ranges, ...(isText(kind) ? { lines: linesOf(line) } : {}) };
}

/** Where a folded offset stands in the text that a match shows. */
function placeInText(folded: FoldedBody, { number, isSpeaker, joined }: MatchedLine, offset: number): number {
  const { speakerFrom, textFrom, end } = folded.line(number);
  if (isSpeaker) return folded.surfaceLength(speakerFrom, offset);
  if (offset <= end || joined === undefined) return folded.surfaceLength(textFrom, offset);
  return folded.surfaceLength(textFrom, end) + 1 + folded.surfaceLength(folded.line(joined).textFrom, offset);
}

/** Whether it is a line that was said or written, and no name. */
function isText(kind: MatchKind): boolean {
  return kind === 'Transcript' || kind === 'Ocr';
}

/** The lines that a match shows, by their numbers. */
function linesOf({ number, joined }: MatchedLine): number[] {
  return joined === undefined ? [number] : [number, joined];
}

/** The whole line, both of them when the words run on, or who speaks in it. */
function textOf(folded: FoldedBody, { number, isSpeaker, joined }: MatchedLine): string {
  const { speakerFrom, textFrom, end } = folded.line(number);
  if (isSpeaker) return folded.surface(speakerFrom, textFrom - 1);
  const own = folded.surface(textFrom, end);
  const next = joined === undefined ? undefined : folded.line(joined);
  return next ? `${own} ${folded.surface(next.textFrom, next.end)}` : own;
}

/** Neighbouring words that matched, taken together. Stop words are marked only beside others. */
function stretchesOf(folded: FoldedBody, line: MatchedLine, plan: SearchPlan): { from: number; to: number }[] {
  const stretches: { from: number; to: number; line: number; tells: boolean }[] = [];
  for (const hit of line.hits) {
    const tells = plan.onlyStopWords || !plan.concepts[hit.concept]?.isStopWord;
    const last = stretches.at(-1);
    if (last && hit.from < last.to) {
      last.to = Math.max(last.to, hit.to);
      last.tells ||= tells;
    } else if (last && nextWord(folded, { line: last.line, to: last.to, isSpeaker: line.isSpeaker })?.from === hit.from) {
      last.to = hit.to;
      last.line = hit.endLine;
      last.tells ||= tells;
    } else stretches.push({ from: hit.from, to: hit.to, line: hit.endLine, tells });
  }
  return stretches.filter(({ tells }) => tells);
}
