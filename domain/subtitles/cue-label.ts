import type { Cue } from './cue.ts';

const label = /^confidence (\d{1,3})%$/;

/** The line before the times of a cue, which players do not show: how sure the recogniser was of it. Empty where nobody was asked. */
export function writeCueLabel({ confidencePercent }: Pick<Cue, 'confidencePercent'>): string {
  return confidencePercent === undefined ? '' : `confidence ${confidencePercent}%\n`;
}

/** Reads back what `writeCueLabel` wrote; numbers and names that other programs give their cues say nothing. */
export function readCueLabel(line: string): Pick<Cue, 'confidencePercent'> {
  const confidencePercent = Number(label.exec(line)?.[1] ?? Number.NaN);
  return confidencePercent <= 100 ? { confidencePercent } : {};
}
