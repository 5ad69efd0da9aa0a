import type { PlanMatcher, TokenHit } from './plan-matcher.ts';
import type { QueryField } from './query.ts';

/** A stretch of words of a passage that meets a concept, and the line in which it begins. */
export interface PassageHit extends TokenHit {
  readonly line: number;
}

const space = 32;
const lineEnd = 10;

/** Every stretch of a passage that meets a concept, in order. Words in a row may cross from line to line. */
export function findPassageHits(text: string, matcher: PlanMatcher, accepts: (field: QueryField | undefined) => boolean): PassageHit[] {
  const hits: PassageHit[] = [];
  for (const pattern of [matcher.telling, matcher.stopWords]) {
    if (!pattern) continue;
    const place = { at: 0, word: 0, line: 0 };
    pattern.lastIndex = 0;
    for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
      stepTo(text, place, found.index);
      addHits(text, { hits, matcher, accepts, found: found[0], place });
    }
  }
  return matcher.stopWords ? hits.sort((a, b) => a.from - b.from || b.to - a.to) : hits;
}

/** Counts the words and lines on the way to an offset. */
function stepTo(text: string, place: { at: number; word: number; line: number }, offset: number): void {
  for (; place.at < offset; place.at++) {
    const code = text.charCodeAt(place.at);
    if (code === space) place.word++;
    else if (code === lineEnd) {
      place.word++;
      place.line++;
    }
  }
}

function addHits(
  text: string,
  at: {
    hits: PassageHit[];
    matcher: PlanMatcher;
    accepts: (field: QueryField | undefined) => boolean;
    found: string;
    place: { at: number; word: number; line: number };
  },
): void {
  const { word, line } = at.place;
  for (const { concept, tokens, fit, field } of at.matcher.entries.get(at.found) ?? []) {
    if (!at.accepts(field) || !followsHere(text, tokens, at.place.at)) continue;
    at.hits.push({ concept, fit, line, from: word, to: word + tokens.length });
  }
}

/** Whether the words stand one after the other from `from` on, parted by one blank or line end each. */
function followsHere(text: string, tokens: readonly string[], from: number): boolean {
  let at = from;
  for (const token of tokens) {
    if (!text.startsWith(token, at)) return false;
    at += token.length;
    const code = text.charCodeAt(at);
    if (at < text.length && code !== space && code !== lineEnd) return false;
    at++;
  }
  return true;
}
