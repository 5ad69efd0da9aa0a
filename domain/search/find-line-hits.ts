import type { FoldedBody } from './folded-body.ts';
import type { MatcherEntry, PlanMatcher } from './plan-matcher.ts';
import type { QueryField } from './query.ts';
import { isTokenStart, nextTokenStart, tokenEnd, tokenLengthMax } from './tokens.ts';

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

/** Every stretch that meets a concept, in order of its place. */
export function findLineHits(body: FoldedBody, matcher: PlanMatcher): LineHit[] {
  const hits: LineHit[] = [];
  for (const [word, entries] of matcher) {
    for (const from of placesOf(body.text, word)) {
      const line = body.lineAt(from);
      const place = placeInLine(body, { line, from });
      if (!place) continue;
      for (const entry of entries) {
        if (entry.field !== undefined && entry.field !== place.field) continue;
        const end = followWords(body, entry, { line, from, isSpeaker: place.isSpeaker });
        if (end)
          hits.push({ concept: entry.concept, fit: entry.fit, line, from, to: end.to, endLine: end.line, isSpeaker: place.isSpeaker });
      }
    }
  }
  return hits.sort((a, b) => a.from - b.from || b.to - a.to);
}

/** Offsets at which `word` stands as a whole word. */
function* placesOf(text: string, word: string): Generator<number> {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
    if (isTokenStart(text, at) && isWhole(text, at, word)) yield at;
  }
}

function isWhole(text: string, at: number, word: string): boolean {
  const end = tokenEnd(text, at);
  // Very long words are cut in the query as in the index.
  return end === at + word.length || (word.length >= tokenLengthMax && end > at + word.length);
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
  { tokens }: MatcherEntry,
  { line, from, isSpeaker }: { line: number; from: number; isSpeaker: boolean },
): { to: number; line: number } | undefined {
  let at = { line, to: tokenEnd(body.text, from) };
  for (const token of tokens.slice(1)) {
    const next = nextWord(body, { ...at, isSpeaker });
    if (!next || !body.text.startsWith(token, next.from) || !isWhole(body.text, next.from, token)) return undefined;
    at = { line: next.line, to: tokenEnd(body.text, next.from) };
  }
  return at;
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
