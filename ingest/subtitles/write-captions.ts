import type { Cue } from './cue.ts';

/** The cues as the WebVTT text that the player shows. */
export function writeCaptions(cues: readonly Cue[]): string {
  const blocks = cues.map((cue) => {
    const voice = cue.speaker ? `<v ${escaped(cue.speaker)}>` : '';
    return `${clock(cue.startMs)} --> ${clock(Math.max(cue.endMs, cue.startMs + 1))}\n${voice}${escaped(cue.text)}\n`;
  });
  return ['WEBVTT\n', ...blocks].join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function clock(ms: number): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1_000) % 60)}.${String(Math.floor(ms % 1_000)).padStart(3, '0')}`;
}
