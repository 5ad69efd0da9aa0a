import type { Colour } from './colour.ts';
import { clamp, mix, rise } from './curves.ts';
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
  /** The path of a low sun or moon. */
  glitter?: { u: number; width: number; light: Colour };
};

type Row = { first: number; y: number; near: number; across: number; along: number; calm: number };

/** Mirrors what stands above the horizon in moving water below it, with perspective: long quiet streaks far out, ripples near. */
export function reflect(picture: Picture, water: Water): void {
  const first = Math.floor(water.horizon * picture.height);
  const end = Math.min(picture.height, Math.ceil((water.bottom ?? 1) * picture.height));
  for (let y = first; y < end; y++) {
    const below = (y + 0.5) / picture.height - water.horizon;
    const distance = 1 / (below + 0.08);
    const along = distance * water.fineness * 0.9;
    // Ripples finer than the rows of the picture would only flicker.
    const calm = Math.min(1, (0.2 * picture.height) / (along * distance));
    reflectRow(picture, water, {
      first,
      y,
      near: clamp(below / (1 - water.horizon)),
      across: distance * water.fineness * 0.16,
      along,
      calm,
    });
  }
}

function reflectRow(picture: Picture, water: Water, row: Row): void {
  const { width, height, light } = picture;
  const { glitter, depth, time } = water;
  const path = glitter?.light ?? depth;
  const highest = row.first - 1;
  const share = mix(water.mirror[0], water.mirror[1], Math.sqrt(row.near));
  const throwPx = water.ripple * height * (0.12 + row.near);
  for (let x = 0; x < width; x++) {
    const u = (x + 0.5) / height;
    const across = (u - picture.aspect / 2) * row.across;
    const swell = noise(across * 0.5 + time * 0.25, row.along * 0.45 - time * 0.9) - 0.5;
    const ripple = (noise(across * 1.7 - time * 0.5, row.along * 1.6 + time * 1.3) - 0.5) * row.calm;
    const slope = swell * 1.2 * Math.min(1, row.calm * 3) + ripple;
    const sourceY = clamp(highest - (row.y - row.first) * 0.92 + slope * throwPx * 2, 0, highest - 1);
    const sourceX = Math.round(clamp(x + ripple * throwPx * 0.5, 0, width - 1));
    const top = Math.floor(sourceY);
    const lower = sourceY - top;
    const from = (top * width + sourceX) * 3;
    const next = from + width * 3;
    const also = (Math.max(0, Math.round(sourceY - throwPx * 0.35)) * width + sourceX) * 3;
    const shade = 0.5 * share * (1 + slope * 0.55);
    const gleam = glitter ? sparkle(glitter, { u, near: row.near, slope }) : 0;
    const at = (row.y * width + x) * 3;
    const mirrored = (part: number) => mix(light[from + part] ?? 0, light[next + part] ?? 0, lower) + (light[also + part] ?? 0);
    light[at] = mirrored(0) * shade + depth.r + gleam * path.r;
    light[at + 1] = mirrored(1) * shade + depth.g + gleam * path.g;
    light[at + 2] = mirrored(2) * shade + depth.b + gleam * path.b;
  }
}

function sparkle(glitter: { u: number; width: number }, at: { u: number; near: number; slope: number }): number {
  const aside = (at.u - glitter.u) / (glitter.width * (0.5 + at.near));
  const facing = rise(0.05, 0.6, at.slope + 0.25 * Math.exp(-aside * aside));
  return Math.exp(-aside * aside) * (0.15 + facing);
}
