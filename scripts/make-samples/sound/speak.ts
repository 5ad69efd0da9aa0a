import { execFileSync } from 'node:child_process';
import path from 'node:path';
import type { Sentence, Sound } from '../film.ts';
import { speechSpan } from './speech-span.ts';

export type Caption = { startSeconds: number; endSeconds: number; text: string };
export type Spoken = { file: string; atSeconds: number; captions: Caption[] };

/** Speaks the narration, one file per sentence, and times its captions by the length of what was spoken. */
export function speak(sound: Sound, work: string): Spoken[] {
  const spoken = sound.narration.map((sentence, index) => speakSentence(sound, sentence, path.join(work, `${index}.wav`)));
  spoken.forEach((sentence, index) => {
    const end = sentence.captions.at(-1)?.endSeconds ?? 0;
    const next = spoken[index + 1];
    if (next && end > next.atSeconds) throw new Error(`"${sentence.captions[0]?.text}" still speaks when the next sentence begins`);
  });
  return spoken;
}

function speakSentence(sound: Sound, sentence: Sentence, file: string): Spoken {
  const whole = say(sound, sentence.parts.join(' '), file);
  const start = sentence.atSeconds + whole.startSeconds;
  const end = sentence.atSeconds + whole.endSeconds;
  const borders = sentence.parts.map((_, index) => {
    if (index === sentence.parts.length - 1) return end;
    // The voice has no word times, but the first words last as long spoken alone as spoken in their sentence.
    const alone = say(sound, sentence.parts.slice(0, index + 1).join(' '), `${file}.part.wav`);
    return sentence.atSeconds + Math.min(alone.endSeconds, whole.endSeconds);
  });
  const captions = sentence.parts.map((text, index) => ({
    startSeconds: borders[index - 1] ?? start,
    endSeconds: borders[index] ?? end,
    text,
  }));
  return { file, atSeconds: sentence.atSeconds, captions };
}

function say(sound: Sound, text: string, file: string): { startSeconds: number; endSeconds: number } {
  execFileSync('flite', ['-voice', sound.voice, '--setf', `duration_stretch=${sound.stretch}`, '-t', text, '-o', file]);
  return speechSpan(file);
}
