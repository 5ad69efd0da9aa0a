import { type Colour, scaled } from '../../light/colour.ts';
import { glow } from '../../light/glow.ts';
import { paintDisc } from '../../light/paint-disc.ts';
import type { Picture } from '../../light/picture.ts';
import { seededRandom } from '../../light/seeded-random.ts';

/** Specks that hang in the water and catch the light. */
export function paintSpecks(picture: Picture, { seconds, light, count }: { seconds: number; light: Colour; count: number }): void {
  const random = seededRandom(812);
  for (let speck = 0; speck < count; speck++) {
    const near = random();
    const u = (random() * 2 + seconds * 0.012 * (0.4 + near)) % 1.85;
    const v = (random() + 0.01 * Math.sin(seconds * 0.5 + speck) + seconds * 0.006) % 1;
    const strength = (0.25 + 0.75 * random()) * (0.6 + 0.4 * Math.sin(seconds * 1.3 + speck * 2));
    glow(picture, { u, v, radius: 0.004 + near * 0.012 }, scaled(light, strength));
  }
}

/** Strings of bubbles from the sea floor. */
export function paintBubbles(
  picture: Picture,
  { seconds, light, from }: { seconds: number; light: Colour; from: Array<{ u: number; v: number }> },
): void {
  from.forEach((vent, string) => {
    for (let bubble = 0; bubble < 16; bubble++) {
      const age = ((seconds * 0.16 + bubble / 16 + string * 0.31) % 1) ** 1.15;
      const sway = 0.02 * Math.sin(age * 16 + bubble + string) * age;
      const radius = 0.002 + 0.005 * age * (0.5 + ((bubble * 7) % 5) / 5);
      paintDisc(picture, { u: vent.u + sway + 0.03 * age, v: vent.v - age * 1.05, radius }, scaled(light, 0.4));
    }
  });
}
