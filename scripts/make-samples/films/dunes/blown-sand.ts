import type { Colour } from '../../light/colour.ts';
import { rise } from '../../light/curves.ts';
import { noise } from '../../light/noise.ts';
import { paint } from '../../light/paint.ts';
import type { Picture } from '../../light/picture.ts';

/** Veils of sand that run low over the ground from left to right. */
export function paintBlownSand(picture: Picture, sand: { seconds: number; top: number; light: Colour; strength: number }): void {
  const { seconds, light } = sand;
  paint(picture, { top: sand.top, step: 4 }, (u, v, ink) => {
    const down = (v - sand.top) / (1 - sand.top);
    const lean = u * 0.12 + v;
    const gust = noise(u * 0.8 - seconds * 0.55, 3 + seconds * 0.1);
    const veil = noise(u * 1.6 - seconds * (0.8 + down), lean * 26) * 0.6 + noise(u * 3.3 - seconds * (1.2 + down), lean * 60) * 0.4;
    ink.a = sand.strength * rise(0.45, 0.85, veil) * rise(0.2, 0.8, gust) * rise(0, 0.12, down);
    ink.r = light.r * ink.a;
    ink.g = light.g * ink.a;
    ink.b = light.b * ink.a;
  });
}
