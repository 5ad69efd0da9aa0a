import { type Colour, colour, scaled } from '../light/colour.ts';
import { glow } from '../light/glow.ts';
import type { Picture } from '../light/picture.ts';
import { seededRandom } from '../light/seeded-random.ts';

const white: Colour = colour('#ffffff');

/** Flakes near and far; `wind` is how many heights they are blown sideways in a second. */
export function paintSnowfall(picture: Picture, snow: { seconds: number; count: number; wind: number; strength: number }): void {
  const random = seededRandom(24);
  for (let flake = 0; flake < snow.count; flake++) {
    const near = 0.25 + random() ** 2 * 0.75;
    const v = (random() + snow.seconds * 0.16 * near) % 1.05;
    const sway = 0.012 * Math.sin(snow.seconds * 1.1 + flake);
    const u = ((((random() * 2 + snow.seconds * snow.wind * near) % 2) + 2) % 2) - 0.1;
    glow(picture, { u: u + sway, v, radius: 0.007 + near * 0.016 }, scaled(white, snow.strength * near));
  }
}
