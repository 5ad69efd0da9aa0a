import { type Cue, cueText, type ParsedSubtitles } from './cue.ts';

// Nothing in it reads on into the next line.
const dialogue = /^Dialogue:[^,\r\n]*,(\d+):(\d{2}):(\d{2})\.(\d{2}),(\d+):(\d{2}):(\d{2})\.(\d{2}),(?:[^,\r\n]*,){6}(.*)$/gm;

/** Reads the spoken lines of an ASS or SSA script; its styles, fonts and drawings are of no use here. */
export function parseAss(text: string): ParsedSubtitles {
  const cues = [...text.matchAll(dialogue)].map(([, h1, m1, s1, c1, h2, m2, s2, c2, line = '']): Cue => {
    const startMs = ((Number(h1) * 60 + Number(m1)) * 60 + Number(s1)) * 1_000 + Number(c1) * 10;
    const endMs = ((Number(h2) * 60 + Number(m2)) * 60 + Number(s2)) * 1_000 + Number(c2) * 10;
    return { startMs, endMs: Math.max(startMs, endMs), text: cueText(line.replace(/\{[^{}]*\}/g, '').replace(/\\[Nnh]/g, ' ')) };
  });
  return { cues: cues.filter((cue) => cue.text !== ''), warnings: [] };
}
