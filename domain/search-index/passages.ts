import type { MomentText } from '../moments/packed-moments.ts';
import { tokensOf } from '../words/tokens.ts';

/** Lines of one kind that follow each other, as words: a row of the index. */
export interface Passage {
  readonly kind: 'Transcript' | 'Ocr';
  /** Words parted by blanks, lines by line ends. */
  readonly text: string;
}

export const linesPerPassage = 10;
/** Neighbours overlap by two lines, so that words across a border, or in three lines, stand in one passage. */
export const linesBetweenPassages = 8;

/** Cuts moments, in order of time, into passages; spoken and written lines apart. */
export function passagesOf(moments: readonly MomentText[]): Passage[] {
  return (['Transcript', 'Ocr'] as const).flatMap((kind) => {
    const lines = moments.filter((moment) => moment.kind === kind).map((moment) => tokensOf(moment.text).join(' '));
    return windowsOf(lines).map((window) => ({ kind, text: window.join('\n') }));
  });
}

function windowsOf(lines: readonly string[]): string[][] {
  const windows: string[][] = [];
  for (let from = 0; from < lines.length; from += linesBetweenPassages) {
    windows.push(lines.slice(from, from + linesPerPassage));
    if (from + linesPerPassage >= lines.length) break;
  }
  return windows.filter((window) => window.some((line) => line !== ''));
}
