import { seededRandom } from './seeded-random.ts';

const lattice = Float32Array.from({ length: 65536 }, seededRandom(28));

/** Smooth value noise, 0…1, one hill about every unit. */
export function noise(x: number, y: number): number {
  const left = Math.floor(x);
  const top = Math.floor(y);
  const fx = x - left;
  const fy = y - top;
  const sx = fx * fx * (3 - 2 * fx);
  const sy = fy * fy * (3 - 2 * fy);
  const x0 = left & 255;
  const x1 = (left + 1) & 255;
  const row0 = (top & 255) << 8;
  const row1 = ((top + 1) & 255) << 8;
  const a = lattice[row0 | x0] ?? 0;
  const b = lattice[row0 | x1] ?? 0;
  const c = lattice[row1 | x0] ?? 0;
  const d = lattice[row1 | x1] ?? 0;
  return a + (b - a) * sx + (c - a + (a - b - c + d) * sx) * sy;
}

/** Noise in octaves: clouds, hills, foam. 0…1 around a half. */
export function cloudNoise(x: number, y: number, octaves: number): number {
  let sum = 0;
  let weight = 0.5;
  let scale = 1;
  for (let octave = 0; octave < octaves; octave++) {
    sum += weight * noise(x * scale + octave * 17.3, y * scale + octave * 9.1);
    weight *= 0.5;
    scale *= 2.03;
  }
  return sum / (1 - weight * 2);
}

/** The same number, 0…1, for the same pair of whole numbers: which window is lit, which lamp flickers. */
export function scatter(x: number, y: number): number {
  return lattice[(((y * 57 + 13) & 255) << 8) | ((x * 91 + 7) & 255)] ?? 0;
}
