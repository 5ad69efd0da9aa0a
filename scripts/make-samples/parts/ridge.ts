import type { Colour } from '../light/colour.ts';
import { clamp } from '../light/curves.ts';
import { cloudNoise } from '../light/noise.ts';
import { paint } from '../light/paint.ts';
import type { Picture } from '../light/picture.ts';

export type Ridge = {
  base: number;
  rise: number;
  width: number;
  seed: number;
  light: Colour;
  foot?: Colour;
  shift?: number;
  octaves?: number;
};

/** A range of hills from its crest down to the bottom of the picture, paler towards the foot when it has a `foot` colour. */
export function paintRidge(picture: Picture, ridge: Ridge): void {
  const columns = Float32Array.from({ length: picture.width }, (_, x) => crest(ridge, (x + 0.5) / picture.height));
  const foot = ridge.foot ?? ridge.light;
  paint(picture, { top: ridge.base - ridge.rise - 0.01 }, (u, v, ink) => {
    const top = columns[Math.floor(u * picture.height)] ?? 0;
    const cover = clamp((v - top) * picture.height + 0.5);
    const down = clamp((v - top) / (ridge.rise * 1.4));
    ink.a = cover;
    ink.r = (ridge.light.r + (foot.r - ridge.light.r) * down) * cover;
    ink.g = (ridge.light.g + (foot.g - ridge.light.g) * down) * cover;
    ink.b = (ridge.light.b + (foot.b - ridge.light.b) * down) * cover;
  });
}

/** Where the crest of the ridge runs at u. */
export function crest(ridge: Ridge, u: number): number {
  const along = (u + (ridge.shift ?? 0)) / ridge.width + ridge.seed;
  return ridge.base - ridge.rise * clamp((cloudNoise(along, ridge.seed, ridge.octaves ?? 5) - 0.2) / 0.6);
}
