import type { Caption, Spoken } from './sound/speak.ts';

/** The captions as WebVTT. */
export function writeCaptions(spoken: Spoken[]): string {
  const captions = spoken.flatMap((sentence) => sentence.captions);
  return `WEBVTT\n\n${captions.map(writeCue).join('\n')}`;
}

function writeCue({ startSeconds, endSeconds, text }: Caption): string {
  return `${timeCode(startSeconds)} --> ${timeCode(endSeconds)}\n${text}\n`;
}

function timeCode(seconds: number): string {
  const minutes = `${Math.floor(seconds / 60)}`.padStart(2, '0');
  return `00:${minutes}:${(seconds % 60).toFixed(3).padStart(6, '0')}`;
}
