import path from 'node:path';
import type { Sound } from '../film.ts';
import { runFfmpeg } from '../run-ffmpeg.ts';
import type { Spoken } from './speak.ts';

/** Warms the voice: less rumble and hiss, and a small room around it. */
const voiceTone = 'highpass=f=90,lowpass=f=7000,equalizer=f=250:t=q:w=1:g=2,equalizer=f=3000:t=q:w=1.2:g=-2,aecho=0.9:0.5:23|41:0.13|0.08';

/** Lays the sentences over the bed at their times, at a loudness of −18 LUFS. The answer is the file. */
export function mixSound(
  sound: Sound,
  { spoken, lengthInSeconds, work }: { spoken: Spoken[]; lengthInSeconds: number; work: string },
): string {
  const file = path.join(work, 'sound.m4a');
  const voices = spoken.map(({ atSeconds }, index) => {
    const delayMs = Math.round(atSeconds * 1000);
    return `[${index}:a]aresample=44100,${voiceTone},adelay=${delayMs}[voice${index}]`;
  });
  const graph = [
    ...voices,
    `${sound.bed},aresample=44100,aformat=channel_layouts=mono,afade=t=in:d=1.5,afade=t=out:st=${lengthInSeconds - 2}:d=2[bed]`,
    `${spoken.map((_, index) => `[voice${index}]`).join('')}[bed]amix=inputs=${spoken.length + 1}:normalize=0:duration=longest,` +
      `apad,atrim=0:${lengthInSeconds},loudnorm=I=-18:TP=-2:LRA=11,aresample=44100[mix]`,
  ].join(';');
  const inputs = spoken.flatMap((sentence) => ['-i', sentence.file]);
  runFfmpeg([...inputs, '-filter_complex', graph, '-map', '[mix]', '-ac', '1', '-c:a', 'aac', '-b:a', '56k', file]);
  return file;
}
