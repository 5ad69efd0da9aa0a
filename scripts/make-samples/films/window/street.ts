import { colour, scaled } from '../../light/colour.ts';
import { clamp, mix } from '../../light/curves.ts';
import { scatter } from '../../light/noise.ts';
import { paint } from '../../light/paint.ts';
import { paintDisc } from '../../light/paint-disc.ts';
import type { Picture } from '../../light/picture.ts';

export type Street = { seconds: number; above: string; below: string; lamps: string[]; blur: number; strength: number };

/** The street outside, out of focus: lamps, windows, and two lanes of traffic. `blur` 1 is far out of focus. */
export function paintStreet(picture: Picture, street: Street): void {
  const above = colour(street.above);
  const below = colour(street.below);
  paint(picture, { step: 8 }, (u, v, ink) => {
    const house = Math.sin(u * 21 + 0.6) * 0.5 + Math.sin(u * 8.2) * 0.5;
    const wall = clamp((v - 0.28 - house * 0.06) * 4) * clamp((0.85 - v) * 5);
    const dim = 1 - wall * 0.55;
    ink.r = mix(above.r, below.r, v) * dim;
    ink.g = mix(above.g, below.g, v) * dim;
    ink.b = mix(above.b, below.b, v) * dim;
  });
  const radius = mix(0.008, 0.05, street.blur);
  const power = street.strength * mix(3, 0.42, street.blur);
  for (let lamp = 0; lamp < 46; lamp++) {
    const hex = street.lamps[lamp % street.lamps.length] ?? '#ffffff';
    const shimmer = 0.75 + 0.25 * Math.sin(street.seconds * (0.5 + scatter(lamp, 1)) + lamp);
    const at = {
      u: scatter(lamp, 11) * 0.62 - 0.03,
      v: 0.3 + scatter(lamp, 12) * 0.42,
      radius: radius * (0.55 + scatter(lamp, 13) * 0.75),
    };
    paintDisc(picture, at, scaled(colour(hex), power * shimmer * (0.35 + scatter(lamp, 14) * 0.65)));
  }
  for (let car = 0; car < 8; car++) {
    const away = car % 2 === 0;
    const along = (scatter(car, 21) + street.seconds * (0.05 + scatter(car, 22) * 0.05) * (away ? 1 : -1) + 8) % 1;
    const light = scaled(colour(away ? '#ff3a2e' : '#fff0d2'), power * 1.1);
    for (const side of [0, 0.034]) {
      paintDisc(picture, { u: along * 0.8 - 0.12 + side, v: away ? 0.8 : 0.755, radius: radius * 0.8 }, light);
    }
  }
}
