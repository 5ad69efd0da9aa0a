import type { Colour } from '../../light/colour.ts';
import { clamp, mix, rise } from '../../light/curves.ts';
import { noise } from '../../light/noise.ts';
import type { Land } from '../../light/terrain.ts';

export type Sea = { seconds: number; swell: number; deep: Colour; sky: Colour; foam: Colour; haze: Colour; clarity: number };

/** A sea as land that moves: long swells with sharp crests that break into foam when they are steep. */
export function openSea(sea: Sea): Land {
  const heightAt = (x: number, z: number) => waveHeight(x, z, sea);
  return {
    heightAt,
    lightAt({ x, z, depth }, light) {
      const step = 0.03 + depth * 0.014;
      const height = heightAt(x, z);
      const dx = (heightAt(x + step, z) - height) / step;
      const dz = (heightAt(x, z + step) - heightAt(x, z - step)) / (2 * step);
      const length = Math.hypot(dx, dz, 1);
      // Wave fronts that lean towards the eye show the deep, their backs mirror the sky.
      const mirror = clamp(0.42 + (dz / length) * 1.1 + (dx / length) * 0.25);
      const crest = rise(0.3, 0.85, height / (sea.swell * 1.45)) * rise(0.4, 0.8, noise(x * 2.3 - sea.seconds * 0.5, z * 4.5));
      const fog = 1 - Math.exp(-depth * sea.clarity);
      const white = crest * clamp(sea.swell * 3.2);
      light.r = mix(mix(mix(sea.deep.r, sea.sky.r, mirror), sea.foam.r, white), sea.haze.r, fog);
      light.g = mix(mix(mix(sea.deep.g, sea.sky.g, mirror), sea.foam.g, white), sea.haze.g, fog);
      light.b = mix(mix(mix(sea.deep.b, sea.sky.b, mirror), sea.foam.b, white), sea.haze.b, fog);
    },
  };
}

/** The height of the water at a place, so that a buoy can ride on it. */
export function waveHeight(x: number, z: number, { seconds, swell }: { seconds: number; swell: number }): number {
  const warp = 1.5 * noise(x * 0.22 + 3, z * 0.22);
  const long = peak(x * 0.16 + z * 0.34 + warp + seconds * 0.22);
  const cross = peak(x * -0.22 + z * 0.5 + warp * 0.7 + seconds * 0.31);
  const short = noise(x * 1.1 + seconds * 0.4, z * 1.9 + seconds * 0.9) - 0.5;
  return swell * (long + cross * 0.45 + short * 0.45);
}

/** A wave that is sharper above than below, −1…1. */
function peak(turns: number): number {
  const wave = Math.abs((((turns % 1) + 1) % 1) - 0.5) * 2;
  return 1 - 2 * (1 - wave) ** 0.75 * (2 - (1 - wave)) ** 0.35;
}
