import { findTerm, parseSearchTerms, type SearchTerm, type SearchTerms, splitWords, type Word } from './search-terms.ts';
import type { VideoMoment } from './video-moments.ts';

/** A stretch of a text, from a character to the one after its last. */
export type TextRange = readonly [start: number, end: number];

/** A moment that answers the search, and what to mark in its text. */
export interface FoundMoment {
  readonly moment: VideoMoment;
  readonly ranges: readonly TextRange[];
}

/** The moments of a video that hold any of the wanted terms and none of the unwanted, in time order. */
export function findMoments(moments: readonly VideoMoment[], query: string): FoundMoment[] {
  const terms = parseSearchTerms(query);
  if (terms.wanted.length === 0) return [];
  const acrossLines = findAcrossLines(moments, terms.wanted);
  return moments.flatMap((moment) => {
    const ranges = mergeRanges([...findRanges(moment.text, terms), ...(acrossLines.get(moment.id) ?? [])]);
    return ranges.length > 0 ? [{ moment, ranges }] : [];
  });
}

/** What to mark in a text; nothing when it holds an unwanted term. */
export function findRanges(text: string, terms: SearchTerms): TextRange[] {
  const words = splitWords(text);
  if (terms.unwanted.some((term) => findTerm(words, term).length > 0)) return [];
  return mergeRanges(terms.wanted.flatMap((term) => findTerm(words, term).map(([first, last]) => rangeOf(words, first, last))));
}

// A sentence runs on over caption cues, so a phrase may begin in one spoken line and end in the next.
function findAcrossLines(moments: readonly VideoMoment[], terms: readonly SearchTerm[]): Map<string, TextRange[]> {
  const found = new Map<string, TextRange[]>();
  const phrases = terms.filter((term) => term.words.length > 1);
  if (phrases.length === 0) return found;
  const lines = moments
    .filter((moment) => moment.kind === 'Transcript')
    .map((moment) => ({ id: moment.id, words: splitWords(moment.text) }));
  lines.forEach((line, index) => {
    const next = lines[index + 1];
    if (!next) return;
    for (const phrase of phrases) {
      for (const [first, last] of findTerm([...line.words, ...next.words], phrase)) {
        const border = line.words.length;
        if (first >= border || last < border) continue;
        addRange(found, line.id, rangeOf(line.words, first, border - 1));
        addRange(found, next.id, rangeOf(next.words, 0, last - border));
      }
    }
  });
  return found;
}

function addRange(ranges: Map<string, TextRange[]>, id: string, range: TextRange): void {
  ranges.set(id, [...(ranges.get(id) ?? []), range]);
}

function rangeOf(words: readonly Word[], first: number, last: number): TextRange {
  return [words[first]?.start ?? 0, words[last]?.end ?? 0];
}

function mergeRanges(ranges: readonly TextRange[]): TextRange[] {
  const merged: TextRange[] = [];
  for (const range of [...ranges].sort((a, b) => a[0] - b[0])) {
    const before = merged.at(-1);
    if (before && range[0] <= before[1]) merged[merged.length - 1] = [before[0], Math.max(before[1], range[1])];
    else merged.push(range);
  }
  return merged;
}
