import { blend, type Colour, scaled } from '../../light/colour.ts';
import { clamp, mix } from '../../light/curves.ts';
import { noise } from '../../light/noise.ts';
import type { Land } from '../../light/terrain.ts';

const windward = 0.68;

export type DuneLight = { lit: Colour; shade: Colour; haze: Colour; sun: [x: number, up: number, z: number]; clarity: number };

/** The dunes under a low light from one side, fading into haze. */
export function duneLand({ lit, shade, haze, sun, clarity }: DuneLight): Land {
  return {
    heightAt: duneHeight,
    lightAt({ x, z, depth }, light) {
      const step = 0.02 + depth * 0.008;
      const dx = (duneHeight(x + step, z) - duneHeight(x - step, z)) / (2 * step);
      const dz = (duneHeight(x, z + step) - duneHeight(x, z - step)) / (2 * step);
      const ripple = 0.07 * Math.sin((z * 3 + x * 9 + noise(x * 2, z * 2) * 5) * 7) * clamp(1 - depth / 4);
      const length = Math.hypot(dx + ripple, dz, 1);
      const facing = clamp((-(dx + ripple) * sun[0] + sun[1] - dz * sun[2]) / length);
      const grain = 0.94 + 0.12 * noise(x * 5, z * 5);
      const sand = scaled(blend(shade, lit, facing ** 0.9), grain);
      const fog = 1 - Math.exp(-depth * clarity);
      light.r = mix(sand.r, haze.r, fog);
      light.g = mix(sand.g, haze.g, fog);
      light.b = mix(sand.b, haze.b, fog);
    },
  };
}

/** Rows of dunes with a long slope into the wind and a steep one behind the crest; the crests wind away from the eye. */
function duneHeight(x: number, z: number): number {
  const bend = 1.5 * noise(x * 0.1 + 5, z * 0.17) + 0.35 * noise(x * 0.3, z * 0.4 + 9);
  const along = x * 0.25 + z * 0.1 + bend;
  const row = Math.floor(along);
  const part = along - row;
  const tall = 0.7 + 1.1 * noise(row * 3.7, z * 0.11 + row * 1.9);
  const shape = part < windward ? (part / windward) ** 1.7 : (1 - (part - windward) / (1 - windward)) ** 1.3;
  return shape * tall + 0.2 * noise(x * 0.2, z * 0.12 + 40);
}
