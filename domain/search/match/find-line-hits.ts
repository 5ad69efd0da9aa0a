import { nextTokenStart, tokenEnd, tokenLengthMax } from '../../words/tokens.ts';
import type { QueryField } from '../query/query.ts';
import type { FoldedBody } from './folded-body.ts';
import type { MatcherEntry, PlanMatcher } from './plan-matcher.ts';

/** A stretch of a packed row that meets a concept, in offsets of the folded text. */
export interface LineHit {
  readonly concept: number;
  readonly fit: number;
  readonly line: number;
  readonly from: number;
  readonly to: number;
  /** The line in which it ends: the next one of its kind when the words cross a border. */
  readonly endLine: number;
  /** It is the name of who speaks, not what is said. */
  readonly isSpeaker: boolean;
}

const fieldOfLetter: Record<string, QueryField> = { t: 'said', o: 'written', f: 'person', b: 'brand', a: 'label' };

/** Every stretch that meets a concept, in order of its place. Stop words only in and beside lines where something else is found. */
export function findLineHits(body: FoldedBody, matcher: PlanMatcher): LineHit[] {
  const hits: LineHit[] = [];
  const take = (hit: LineHit) => hits.push(hit) === 0;
  someHitBetween(body, { matcher, pattern: matcher.telling, from: 0, to: body.text.length }, take);
  if (!matcher.stopWords || hits.length === 0) return hits;
  for (const number of linesAround(body, hits)) {
    const { speakerFrom, end } = body.line(number);
    someHitBetween(body, { matcher, pattern: matcher.stopWords, from: speakerFrom, to: end }, take);
  }
  return hits.sort((a, b) => a.from - b.from || b.to - a.to);
}

/** Whether any stretch that meets a concept which tells is one that is wanted. It looks no further than to the first of them. */
export function someLineHit(body: FoldedBody, matcher: PlanMatcher, isWanted: (hit: LineHit) => boolean): boolean {
  return someHitBetween(body, { matcher, pattern: matcher.telling, from: 0, to: body.text.length }, isWanted);
}

function linesAround(body: FoldedBody, hits: readonly LineHit[]): Set<number> {
  const lines = new Set<number>();
  for (const { line } of hits) for (const near of [line - 1, line, line + 1]) if (near >= 0 && near < body.lineCount) lines.add(near);
  return lines;
}

/** Gives every hit between two offsets to `isEnough`, until that says so; whether it did. */
function someHitBetween(
  body: FoldedBody,
  { matcher, pattern, from, to }: { matcher: PlanMatcher; pattern: RegExp; from: number; to: number },
  isEnough: (hit: LineHit) => boolean,
): boolean {
  pattern.lastIndex = from;
  for (let found = pattern.exec(body.text); found && found.index < to; found = pattern.exec(body.text)) {
    const line = body.lineAt(found.index);
    const place = placeInLine(body, { line, from: found.index });
    if (!place) continue;
    for (const entry of matcher.entries.get(found[0]) ?? []) {
      const { concept, fit, field } = entry;
      if (field !== undefined && field !== place.field) continue;
      const end = followWords(body, entry, { line, from: found.index, isSpeaker: place.isSpeaker });
      if (!end) continue;
      if (isEnough({ concept, fit, line, from: found.index, to: end.to, endLine: end.line, isSpeaker: place.isSpeaker })) return true;
    }
  }
  return false;
}

function placeInLine(
  body: FoldedBody,
  { line, from }: { line: number; from: number },
): { field: QueryField | undefined; isSpeaker: boolean } | undefined {
  const { letter, speakerFrom, textFrom } = body.line(line);
  if (from >= textFrom) return { field: fieldOfLetter[letter], isSpeaker: false };
  return from >= speakerFrom ? { field: 'person', isSpeaker: true } : undefined;
}

/** Where the words of `entry` end when all of them follow each other from `from` on. */
function followWords(
  body: FoldedBody,
  { tokens }: Pick<MatcherEntry, 'tokens'>,
  { line, from, isSpeaker }: { line: number; from: number; isSpeaker: boolean },
): { to: number; line: number } | undefined {
  let at = { line, to: tokenEnd(body.text, from) };
  for (const token of tokens.slice(1)) {
    const next = nextWord(body, { ...at, isSpeaker });
    if (!next || !isWordHere(body.text, next.from, token)) return undefined;
    at = { line: next.line, to: tokenEnd(body.text, next.from) };
  }
  return at;
}

function isWordHere(text: string, at: number, word: string): boolean {
  const length = Math.min(tokenEnd(text, at) - at, tokenLengthMax);
  return length === word.length && text.startsWith(word, at);
}

/** The word after an offset, in this line or at the beginning of the next one of its kind. */
export function nextWord(
  body: FoldedBody,
  { line, to, isSpeaker }: { line: number; to: number; isSpeaker: boolean },
): { line: number; from: number } | undefined {
  const { end, textFrom } = body.line(line);
  const last = isSpeaker ? textFrom - 1 : end;
  const from = nextTokenStart(body.text, to);
  if (from < last) return { line, from };
  const next = isSpeaker ? undefined : body.nextOfKind(line);
  if (next === undefined) return undefined;
  const after = body.line(next);
  const start = nextTokenStart(body.text, after.textFrom);
  return start < after.end ? { line: next, from: start } : undefined;
}
