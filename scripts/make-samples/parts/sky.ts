import type { Colour } from '../light/colour.ts';
import { clamp, mix, rise } from '../light/curves.ts';
import { cloudNoise } from '../light/noise.ts';
import { paint } from '../light/paint.ts';
import type { Picture } from '../light/picture.ts';

export type Sky = {
  horizon: number;
  seconds: number;
  /** Colour from the zenith (0) to the horizon (1). */
  tones: (at: number) => Colour;
  /** The glow around the sun or where it went down. */
  sun: { u: number; v: number; reach: number; light: Colour };
  clouds: { amount: number; drift: number; light: Colour; lit: Colour; seed: number };
};

/** A sky with drifting layers of cloud that catch the light on the side of the sun. */
export function paintSky(picture: Picture, sky: Sky): void {
  const { sun, clouds } = sky;
  paint(picture, { bottom: sky.horizon + 0.02, step: 4 }, (u, v, ink) => {
    const base = sky.tones(v / sky.horizon);
    const du = (u - sun.u) / 1.5;
    const dv = v - sun.v;
    const near = Math.exp(-(du * du + dv * dv) / (sun.reach * sun.reach));
    const height = clamp(1 - v / sky.horizon);
    const across = (u - picture.aspect / 2) / (0.5 + height) + clouds.seed;
    const bank = cloudNoise(across * 1.4 + sky.seconds * clouds.drift, (height + 0.25) * 5.5 + clouds.seed, 5);
    const cover = rise(0.62 - clouds.amount * 0.3, 0.85 - clouds.amount * 0.2, bank) * rise(0, 0.12, height) * 0.85;
    const rim = clamp(near * 1.6 + (0.7 - bank) * 0.8);
    const part = (channel: 'r' | 'g' | 'b') => {
      const open = base[channel] + sun.light[channel] * near;
      return mix(open, mix(clouds.light[channel], clouds.lit[channel], rim), cover);
    };
    ink.r = part('r');
    ink.g = part('g');
    ink.b = part('b');
  });
}
