import { readFileSync } from 'node:fs';

const headerBytes = 44;
const sampleRateAt = 24;
const audible = 300;

/** When the voice begins and ends in a mono 16-bit WAV, without the silence around it. */
export function speechSpan(file: string): { startSeconds: number; endSeconds: number } {
  const wav = readFileSync(file);
  const samplesPerSecond = wav.readUInt32LE(sampleRateAt);
  const count = (wav.length - headerBytes) >> 1;
  const isAudible = (sample: number) => Math.abs(wav.readInt16LE(headerBytes + sample * 2)) > audible;
  let first = 0;
  while (first < count && !isAudible(first)) first++;
  let last = count - 1;
  while (last > first && !isAudible(last)) last--;
  return { startSeconds: first / samplesPerSecond, endSeconds: (last + 1) / samplesPerSecond };
}
