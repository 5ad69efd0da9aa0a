import { open } from 'node:fs/promises';
import type { Stretch } from '../engines/silero-voice.ts';
import { samplesPerSecond } from '../media/media-plans.ts';

const bytesPerSample = 2;

/** Numbers that tell the sound of a stretch of a file, as `SoundPlan` says it. */
export async function readStretch(path: string, [startMs, endMs]: Stretch): Promise<Buffer> {
  const byteAt = (ms: number) => Math.round((ms / 1_000) * samplesPerSecond) * bytesPerSample;
  await using sound = await open(path, 'r');
  const from = byteAt(startMs);
  const { buffer, bytesRead } = await sound.read(Buffer.alloc(byteAt(endMs) - from), 0, undefined, from);
  return buffer.subarray(0, bytesRead);
}

/** The same as a WAV file. */
export async function readStretchAsWav(path: string, stretch: Stretch): Promise<Buffer> {
  const samples = await readStretch(path, stretch);
  const header = Buffer.alloc(44);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(36 + samples.length, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  // Plain numbers, one channel.
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(samplesPerSecond, 24);
  header.writeUInt32LE(samplesPerSecond * bytesPerSample, 28);
  header.writeUInt16LE(bytesPerSample, 32);
  header.writeUInt16LE(8 * bytesPerSample, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(samples.length, 40);
  return Buffer.concat([header, samples]);
}

/** Voices are heard a little before they are told from noise, and after. */
const marginMs = 200;

/**
 * Stretches of speech as chunks of at most `longestMs`, each with as many stretches as it takes, so that they are cut in silence; who speaks
 * for longer without a breath is cut where it must be. None reaches beyond `endMs`, and none into another.
 */
export function cutIntoChunks(stretches: readonly Stretch[], { longestMs, endMs }: { longestMs: number; endMs: number }): Stretch[] {
  const chunks: Stretch[] = [];
  for (const [start, end] of stretches.flatMap((stretch) => cut(stretch, longestMs - 2 * marginMs))) {
    const before = chunks.at(-1);
    const to = Math.min(endMs, end + marginMs);
    if (before && to - before[0] <= longestMs) {
      chunks[chunks.length - 1] = [before[0], to];
      continue;
    }
    // Half of the silence between two belongs to each.
    const from = Math.max(0, start - marginMs, before ? Math.min(start, Math.round((before[1] - marginMs + start) / 2)) : 0);
    if (before && before[1] > from) chunks[chunks.length - 1] = [before[0], from];
    chunks.push([from, to]);
  }
  return chunks;
}

function cut([start, end]: Stretch, longestMs: number): Stretch[] {
  const parts = Math.max(1, Math.ceil((end - start) / longestMs));
  const at = (n: number) => Math.round(start + ((end - start) * n) / parts);
  return Array.from({ length: parts }, (_, n): Stretch => [at(n), at(n + 1)]);
}
