import type { Colour } from '../../light/colour.ts';
import { clamp, rise } from '../../light/curves.ts';
import { noise } from '../../light/noise.ts';
import { paint } from '../../light/paint.ts';
import type { Picture } from '../../light/picture.ts';

/** The water itself, and shafts of sunlight that fan out from a place above the picture. */
export function paintWaterBody(
  picture: Picture,
  water: { seconds: number; tones: (at: number) => Colour; sun: { u: number; v: number }; shafts: Colour },
): void {
  const { seconds, sun, shafts } = water;
  paint(picture, { step: 4 }, (u, v, ink) => {
    const base = water.tones(v);
    const du = u - sun.u;
    const dv = v - sun.v;
    const angle = Math.atan2(du, dv);
    const far = Math.hypot(du, dv);
    const broad = noise(angle * 7 + seconds * 0.1, seconds * 0.12);
    const fine = noise(angle * 24 - seconds * 0.16, seconds * 0.25 + 9);
    const beam = rise(0.42, 0.95, broad * 0.6 + fine * 0.45) * Math.exp(-far * 0.95) * 1.7;
    const halo = Math.exp(-far * far * 1.6) * 0.5;
    ink.r = base.r + shafts.r * (beam + halo);
    ink.g = base.g + shafts.g * (beam + halo);
    ink.b = base.b + shafts.b * (beam + halo);
  });
}

/** The net of light that waves throw on whatever lies below; 0…1. */
export function caustics(x: number, y: number, seconds: number): number {
  const warpX = x + 0.5 * noise(x * 0.9 + seconds * 0.3, y * 0.9);
  const warpY = y + 0.5 * noise(x * 0.9, y * 0.9 - seconds * 0.35);
  const first = 1 - Math.abs(2 * noise(warpX + seconds * 0.16, warpY) - 1);
  const second = 1 - Math.abs(2 * noise(warpX * 1.3 + 40, warpY * 1.3 - seconds * 0.2) - 1);
  return clamp(first ** 7 + second ** 8 * 0.7);
}
