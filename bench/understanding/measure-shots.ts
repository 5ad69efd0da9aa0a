import { join } from 'node:path';
import { findShotStarts } from '#domain/moments/layers.ts';
import { watchSteps } from '../process-memory.ts';
import { joinClips } from './joined-clips.ts';
import { realTimeFactor, rounded, type UnderstandingBench } from './understanding-bench.ts';

/** Sixty cuts and dissolves at known seconds; one is found when a shot begins within 0.2 s of it. */
export async function measureShots({ media, folder, pool, understand }: UnderstandingBench): Promise<object> {
  const path = join(folder, 'joined.mp4');
  const truth = await joinClips(path, { media, joints: 60, seed: 7 });
  using memory = watchSteps();
  const film = await understand(path, 'shots');
  const starts = (await findShotStarts(pool, film.id)).slice(1).map((ms) => ms / 1_000);
  const left = new Set(truth);
  let right = 0;
  for (const start of starts) {
    const one = [...left].find((second) => Math.abs(second - start) <= 0.2);
    if (one !== undefined && left.delete(one)) right++;
  }
  const [precision, recall] = [right / Math.max(1, starts.length), right / truth.length];
  const f1 = (2 * precision * recall) / Math.max(1e-9, precision + recall);
  const found = { recall: rounded(recall), precision: rounded(precision), f1: rounded(f1) };
  const cost = { realTimeFactor: realTimeFactor([film]), peakRssMB: memory.peakMB('shots') };
  return { step: 'shots', set: 'joined', changes: truth.length, ...found, ...cost };
}
