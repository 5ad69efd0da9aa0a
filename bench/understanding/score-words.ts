import type { Moment } from '#domain/moments/moment.ts';

/** A text that stands in the picture, in seconds. */
export interface TrueText {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Words of three letters up, counted. */
export interface WordScore {
  readonly words: number;
  readonly found: number;
  readonly told: number;
  readonly right: number;
  /** Those that are told where no such word stands. */
  readonly extra: readonly string[];
  readonly missed: readonly string[];
}

const nearSeconds = 1;

/**
 * Compares what was read with what stands there. A word is found where a moment of its time holds it; `isStartTold`: and only if that
 * moment begins within a second of it. A word is right where it stands within a second of its moment.
 */
export function scoreWords(truth: readonly TrueText[], moments: readonly Moment[], { isStartTold }: { isStartTold: boolean }): WordScore {
  const told = moments.map(({ text, startMs, endMs }) => ({ words: wordsOf(text), start: startMs / 1_000, end: endMs / 1_000 }));
  const isNear = (a: { start: number; end: number }, b: { start: number; end: number }) =>
    a.start <= b.end + nearSeconds && b.start <= a.end + nearSeconds;
  const missed = truth.flatMap((text) => {
    const there = told.filter((one) => isNear(one, text) && (!isStartTold || Math.abs(one.start - text.start) <= nearSeconds));
    const words = new Set(there.flatMap((one) => one.words));
    return wordsOf(text.text).filter((word) => !words.has(word));
  });
  const extra = told.flatMap((one) => {
    const words = new Set(truth.filter((text) => isNear(one, text)).flatMap(({ text }) => wordsOf(text)));
    return one.words.filter((word) => !words.has(word));
  });
  const words = truth.reduce((sum, { text }) => sum + wordsOf(text).length, 0);
  const toldWords = told.reduce((sum, one) => sum + one.words.length, 0);
  return { words, found: words - missed.length, told: toldWords, right: toldWords - extra.length, extra, missed };
}

/** Recall and precision of several films together. */
export function wordFigures(scores: readonly WordScore[]): { recall: number; precision: number } {
  const sum = (count: (score: WordScore) => number) => scores.reduce((total, score) => total + count(score), 0);
  const share = (part: number, whole: number) => Math.round((part / Math.max(1, whole)) * 1_000) / 1_000;
  return {
    recall: share(
      sum(({ found }) => found),
      sum(({ words }) => words),
    ),
    precision: share(
      sum(({ right }) => right),
      sum(({ told }) => told),
    ),
  };
}

function wordsOf(text: string): string[] {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.match(/[a-z0-9]{3,}/g) ?? [];
}
