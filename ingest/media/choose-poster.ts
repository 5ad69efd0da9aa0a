import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import jpeg from 'jpeg-js';
import type { PosterPlan, StillsPlan } from './media-plans.ts';

/** What becomes the poster of a film whose candidates are drawn; undefined where there are none, or none is wanted. */
export async function planPoster({ poster, candidates, folder, ...picture }: StillsPlan): Promise<PosterPlan | undefined> {
  const names = (await readdir(folder)).filter((name) => name.startsWith('candidate-')).sort();
  if (!poster || names.length === 0) return undefined;
  const chosen = chooseBestCandidate(await Promise.all(names.map((name) => readFile(join(folder, name)))));
  const { stream, rotation, deinterlace, dynamicRange, startSeconds } = picture;
  return {
    stream,
    rotation,
    deinterlace,
    dynamicRange,
    startSeconds,
    ...poster,
    atSeconds: chosen * candidates.everySeconds,
    path: join(folder, 'poster.jpg'),
  };
}

const dark = 28;
const bright = 232;

/** The best of the candidates; of equals the earlier one. Returns its number. */
export function chooseBestCandidate(candidates: readonly Buffer[]): number {
  let best = 0;
  let bestScore = -1;
  for (const [n, candidate] of candidates.entries()) {
    const score = scorePoster(candidate);
    if (score > bestScore * 1.02) [best, bestScore] = [n, score];
  }
  return best;
}

/** How good a picture is as a poster: detail counts, near-black and near-white count against it, as does a single colour. */
function scorePoster(jpegFile: Buffer): number {
  const { data, width, height } = jpeg.decode(jpegFile, { useTArray: true, maxMemoryUsageInMB: 64 });
  const light = lightOf(data, width * height);
  const mean = light.reduce((sum, value) => sum + value, 0) / light.length;
  const spread = Math.sqrt(light.reduce((sum, value) => sum + (value - mean) ** 2, 0) / light.length);
  const exposure = mean < dark || mean > bright ? 0.05 : 1;
  return exposure * (1 + spread) * Math.sqrt(1 + measureSharpness(light, width, height));
}

function lightOf(rgba: Uint8Array, pixels: number): Float32Array {
  const light = new Float32Array(pixels);
  for (let n = 0; n < pixels; n += 1) {
    light[n] = 0.299 * (rgba[4 * n] ?? 0) + 0.587 * (rgba[4 * n + 1] ?? 0) + 0.114 * (rgba[4 * n + 2] ?? 0);
  }
  return light;
}

/** Mean strength of edges: the second derivative of the light, which blur takes away first. */
function measureSharpness(light: Float32Array, width: number, height: number): number {
  let sum = 0;
  for (let y = 1; y < height - 1; y += 1) {
    for (let x = 1; x < width - 1; x += 1) {
      const at = y * width + x;
      const around = (light[at - 1] ?? 0) + (light[at + 1] ?? 0) + (light[at - width] ?? 0) + (light[at + width] ?? 0);
      sum += Math.abs(4 * (light[at] ?? 0) - around);
    }
  }
  return sum / Math.max(1, (width - 2) * (height - 2));
}
