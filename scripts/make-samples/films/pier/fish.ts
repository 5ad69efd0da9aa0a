import type { Colour } from '../../light/colour.ts';
import { fillShape } from '../../light/fill-shape.ts';
import { noise } from '../../light/noise.ts';
import type { Picture } from '../../light/picture.ts';
import { seededRandom } from '../../light/seeded-random.ts';

export type Shoal = { count: number; seed: number; size: number; spread: number; path: (seconds: number) => { u: number; v: number } };
type Swimmer = { du: number; dv: number; late: number; size: number };

/** Fish that follow one path, each a little late and a little beside it. */
export function paintShoal(picture: Picture, shoal: Shoal, { seconds, light }: { seconds: number; light: Colour }): void {
  for (const swimmer of swimmers(shoal)) {
    const at = place(shoal, swimmer, seconds);
    const soon = place(shoal, swimmer, seconds + 0.2);
    const heading = Math.atan2(soon.v - at.v, soon.u - at.u);
    paintFish(picture, { ...at, heading, length: shoal.size * swimmer.size, beat: seconds * 9 + swimmer.late * 40 }, light);
  }
}

function swimmers(shoal: Shoal): Swimmer[] {
  const random = seededRandom(shoal.seed);
  const spread = () => (random() + random() + random() - 1.5) * shoal.spread;
  return Array.from({ length: shoal.count }, () => ({
    du: spread() * 1.6,
    dv: spread(),
    late: random() * 1.4,
    size: 0.7 + random() * 0.6,
  }));
}

function place(shoal: Shoal, swimmer: Swimmer, seconds: number): { u: number; v: number } {
  const middle = shoal.path(seconds - swimmer.late);
  const sway = noise(seconds * 0.5 + swimmer.du * 30, swimmer.dv * 30) - 0.5;
  return { u: middle.u + swimmer.du, v: middle.v + swimmer.dv + sway * 0.05 };
}

function paintFish(picture: Picture, fish: { u: number; v: number; heading: number; length: number; beat: number }, light: Colour): void {
  const cos = Math.cos(fish.heading);
  const sin = Math.sin(fish.heading);
  const tail = 0.12 * Math.sin(fish.beat);
  const outline: number[] = [];
  const at = (x: number, y: number) => outline.push(fish.u + (x * cos - y * sin) * fish.length, fish.v + (x * sin + y * cos) * fish.length);
  for (const [x, y] of [
    [0.5, 0],
    [0.32, -0.11],
    [0.05, -0.16],
    [-0.25, -0.05],
  ] as const)
    at(x, y);
  at(-0.5, -0.15 + tail);
  at(-0.42, tail);
  at(-0.5, 0.15 + tail);
  for (const [x, y] of [
    [-0.25, 0.05],
    [0.05, 0.14],
    [0.32, 0.1],
  ] as const)
    at(x, y);
  fillShape(picture, outline, { light });
}
