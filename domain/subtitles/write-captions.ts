import { escapeCueText, formatCueTime } from '../moments/captions.ts';
import type { Cue } from './cue.ts';
import { writeCueLabel } from './cue-label.ts';

/** The cues as the WebVTT text that the player shows, with a stamp before every word that begins later than the one before it. */
export function writeCaptions(cues: readonly Cue[]): string {
  const blocks = cues.map((cue) => {
    const voice = cue.speaker ? `<v ${escapeCueText(cue.speaker)}>` : '';
    return `${writeCueLabel(cue)}${formatCueTime(cue.startMs)} --> ${formatCueTime(Math.max(cue.endMs, cue.startMs + 1))}\n${voice}${stampWords(cue)}\n`;
  });
  return ['WEBVTT\n', ...blocks].join('\n');
}

function stampWords({ text, startMs, wordStartsMs }: Cue): string {
  if (!wordStartsMs) return escapeCueText(text);
  let sinceMs = startMs;
  const words = text.split(' ').map((word, n) => {
    const wordMs = wordStartsMs[n] ?? sinceMs;
    const stamp = wordMs > sinceMs ? `<${formatCueTime(wordMs)}>` : '';
    sinceMs = wordMs;
    return `${stamp}${escapeCueText(word)}`;
  });
  return words.join(' ');
}
