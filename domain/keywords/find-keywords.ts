/*
 * Keywords: what a film says more than the archive does.
 */
import { serverLimits } from '#contract/limits.ts';
import type { Keyword } from '../moments/keyword.ts';
import type { Moment } from '../moments/moment.ts';
import { foldText } from '../words/fold-text.ts';
import type { Language } from '../words/languages/language.ts';
import { isStopWord } from '../words/languages/languages.ts';
import { tokensOf } from '../words/tokens.ts';

/** How common words are in the archive. */
export interface WordStatistics {
  readonly videos: number;
  /** In how many of them a folded word stands. */
  readonly countOf: (word: string) => number;
}

/** A word that is said less often tells little. */
const leastOften = 3;
const leastOftenTogether = 2;
const shortestWord = 3;
/** A small archive cannot tell what is common; as if it had so many films more, in which each word stood once. */
const smoothing = 5;

interface Candidate {
  readonly words: readonly string[];
  readonly lines: Moment[];
  readonly written: Map<string, number>;
  times: number;
}

/**
 * Finds what is said in a film more than in others: words by how often they stand here and in how few other films, and pairs of words that
 * keep together. Stop words, everyday words, numbers and very short words are none. Best first.
 */
export function findKeywords(moments: readonly Moment[], statistics: WordStatistics, languages: readonly Language[]): Keyword[] {
  const candidates = new Map<string, Candidate>();
  const isCommon = (word: string) => isStopWord(word, languages) || languages.some(({ everydayWords }) => everydayWords.has(word));
  const isTelling = (word: string) => word.length >= shortestWord && !/^\d/.test(word) && !isCommon(word);
  for (const moment of moments) {
    if (moment.kind !== 'Transcript') continue;
    const words = writtenWordsIn(moment.text);
    for (const [n, { folded, written }] of words.entries()) {
      if (!isTelling(folded)) continue;
      count(candidates, { words: [folded], written, moment });
      const next = words[n + 1];
      // A comma or a full stop between them parts them.
      if (next && next.folded !== folded && isTelling(next.folded) && /[\p{L}\p{N}]$/u.test(written))
        count(candidates, { words: [folded, next.folded], written: `${written} ${next.written}`, moment });
    }
  }
  return chooseBest(candidates, statistics);
}

interface WrittenWord {
  readonly folded: string;
  readonly written: string;
}

/** The words of a line, whole with what stands on them; a piece that holds no word, or several, is left out. */
function writtenWordsIn(text: string): WrittenWord[] {
  return text.split(/[\s\u2014]+/u).flatMap((written) => {
    const [folded, ...more] = tokensOf(written.replace(/['’]s\b/u, ''));
    return folded === undefined || more.length > 0 ? [] : [{ folded, written: written.replace(/^[^\p{L}\p{N}]+/u, '') }];
  });
}

function count(candidates: Map<string, Candidate>, seen: { words: readonly string[]; written: string; moment: Moment }): void {
  const key = seen.words.join(' ');
  const candidate = candidates.get(key) ?? { words: seen.words, lines: [], written: new Map<string, number>(), times: 0 };
  candidates.set(key, candidate);
  const written = seen.written.replace(/[^\p{L}\p{N}]+$/u, '').replace(/['’]s$/u, '');
  candidate.written.set(written, (candidate.written.get(written) ?? 0) + 1);
  candidate.times += 1;
  if (candidate.lines.at(-1) !== seen.moment) candidate.lines.push(seen.moment);
}

function chooseBest(candidates: ReadonlyMap<string, Candidate>, { videos, countOf }: WordStatistics): Keyword[] {
  const rarity = (word: string) => Math.log((videos + smoothing) / (Math.max(1, countOf(word)) + 1));
  const scored = [...candidates.values()]
    .filter(({ words, times }) => times >= (words.length > 1 ? leastOftenTogether : leastOften))
    .map((candidate) => ({
      candidate,
      score:
        (1 + Math.log(candidate.times)) * (candidate.words.reduce((sum, word) => sum + rarity(word), 0) / candidate.words.length ** 0.5),
    }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || a.candidate.words.join(' ').localeCompare(b.candidate.words.join(' ')));
  const chosen: typeof scored = [];
  for (const one of scored) {
    if (chosen.length === serverLimits.keywordsPerFilm) break;
    if (!chosen.some(({ candidate }) => saysTheSame(candidate, one.candidate))) chosen.push(one);
  }
  const top = chosen[0]?.score ?? 1;
  return chosen.map(({ candidate, score }) => ({
    text: chooseMostFrequent(candidate.written),
    weight: Math.round((score / top) * 100) / 100,
    times: candidate.lines.slice(0, serverLimits.timesPerKeyword).map(({ startMs, endMs }) => ({ startMs, endMs })),
  }));
}

/** Whether a keyword adds nothing to one that is chosen: a part of it that hardly stands alone, or the same with another ending. */
function saysTheSame(chosen: Candidate, other: Candidate): boolean {
  const shared = other.words.filter((word) =>
    chosen.words.some((known) => known === word || isEnding(known, word) || isEnding(word, known)),
  );
  if (shared.length === 0) return false;
  if (chosen.words.length === other.words.length) return shared.length === other.words.length;
  const [phrase, word] = chosen.words.length > 1 ? [chosen, other] : [other, chosen];
  return phrase.times >= word.times / 2 || chosen === word;
}

function isEnding(word: string, longer: string): boolean {
  return longer === `${word}s` || longer === `${word}es`;
}

function chooseMostFrequent(written: ReadonlyMap<string, number>): string {
  let best = '';
  for (const [form, times] of written) if (times > (written.get(best) ?? 0)) best = form;
  // A word that also stands with a small letter has its capital from the beginning of a sentence.
  const small = foldText(best).text === best.toLowerCase() ? best.toLowerCase() : best;
  return written.has(small) ? small : best;
}
