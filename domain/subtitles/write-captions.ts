import type { Cue } from './cue.ts';
import { writeCueLabel } from './cue-label.ts';

/** The cues as the WebVTT text that the player shows, with a stamp before every word that begins later than the one before it. */
export function writeCaptions(cues: readonly Cue[]): string {
  const blocks = cues.map((cue) => {
    const voice = cue.speaker ? `<v ${cueText(cue.speaker)}>` : '';
    return `${writeCueLabel(cue)}${cueClock(cue.startMs)} --> ${cueClock(Math.max(cue.endMs, cue.startMs + 1))}\n${voice}${stampedWords(cue)}\n`;
  });
  return ['WEBVTT\n', ...blocks].join('\n');
}

function stampedWords({ text, startMs, wordStartsMs }: Cue): string {
  if (!wordStartsMs) return cueText(text);
  let sinceMs = startMs;
  const words = text.split(' ').map((word, n) => {
    const wordMs = wordStartsMs[n] ?? sinceMs;
    const stamp = wordMs > sinceMs ? `<${cueClock(wordMs)}>` : '';
    sinceMs = wordMs;
    return `${stamp}${cueText(word)}`;
  });
  return words.join(' ');
}

/** What somebody said as the text of a cue, which is markup in WebVTT. */
export function cueText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** A time as WebVTT writes it: `hh:mm:ss.mmm`. */
export function cueClock(ms: number): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1_000) % 60)}.${String(Math.floor(ms % 1_000)).padStart(3, '0')}`;
}
