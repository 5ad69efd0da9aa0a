import type { Colour } from './colour.ts';
import { clamp } from './curves.ts';
import { noise } from './noise.ts';
import type { Picture } from './picture.ts';

export type Water = {
  horizon: number;
  bottom?: number;
  time: number;
  /** How far a ripple throws the mirrored light, in heights. */
  ripple: number;
  /** Ripples per height near the eye. */
  fineness: number;
  depth: Colour;
  /** Share of the mirrored light that comes back, at the horizon and at the feet. */
  mirror: [far: number, near: number];
};

/** Mirrors what stands above the horizon in moving water below it, with perspective: long quiet streaks far out, ripples near. */
export function reflect(picture: Picture, water: Water): void {
  const { width, height, light } = picture;
  const first = Math.floor(water.horizon * height);
  const end = Math.min(height, Math.ceil((water.bottom ?? 1) * height));
  const highest = first - 1;
  for (let y = first; y < end; y++) {
    const below = (y + 0.5) / height - water.horizon;
    const near = clamp(below / (1 - water.horizon));
    const distance = 1 / (below + 0.035);
    const share = water.mirror[0] + (water.mirror[1] - water.mirror[0]) * Math.sqrt(near);
    const throwPx = water.ripple * height * (0.12 + near);
    const rowZ = distance * water.fineness * 0.9;
    for (let x = 0; x < width; x++) {
      const across = ((x + 0.5) / height - picture.aspect / 2) * distance * water.fineness * 0.16;
      const swell = noise(across * 0.5 + water.time * 0.25, rowZ * 0.45 - water.time * 0.9) - 0.5;
      const ripple = noise(across * 1.7 - water.time * 0.5, rowZ * 1.9 + water.time * 1.5) - 0.5;
      const slope = swell * 1.2 + ripple;
      const sourceY = clamp(highest - (y - first) * 0.92 + slope * throwPx * 2, 0, highest);
      const sourceX = clamp(x + ripple * throwPx * 0.5, 0, width - 1);
      const from = ((sourceY | 0) * width + (sourceX | 0)) * 3;
      const also = ((Math.max(0, sourceY - throwPx * 0.35) | 0) * width + (sourceX | 0)) * 3;
      const shade = share * (1 + slope * 0.55);
      const at = (y * width + x) * 3;
      light[at] = ((light[from] ?? 0) + (light[also] ?? 0)) * 0.5 * shade + water.depth.r;
      light[at + 1] = ((light[from + 1] ?? 0) + (light[also + 1] ?? 0)) * 0.5 * shade + water.depth.g;
      light[at + 2] = ((light[from + 2] ?? 0) + (light[also + 2] ?? 0)) * 0.5 * shade + water.depth.b;
    }
  }
}
