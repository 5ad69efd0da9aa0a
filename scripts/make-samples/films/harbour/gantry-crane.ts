import type { Colour } from '../../light/colour.ts';
import { fillShape } from '../../light/fill-shape.ts';
import type { Picture } from '../../light/picture.ts';
import { bar } from '../../light/shapes.ts';

type Bar = [u0: number, v0: number, u1: number, v1: number, thickness: number];

/** A ship-to-shore crane, one unit tall, standing at 0,0. */
const frame: Bar[] = [
  [-0.2, 0, -0.17, -0.62, 0.028],
  [0.2, 0, 0.17, -0.62, 0.028],
  [-0.2, -0.3, 0.2, -0.3, 0.024],
  [-0.2, -0.02, -0.02, -0.3, 0.012],
  [0.2, -0.02, 0.02, -0.3, 0.012],
  [-0.18, -0.62, 0.17, -0.3, 0.012],
  [0.18, -0.62, -0.17, -0.3, 0.012],
  [0.17, -0.62, 0.11, -1, 0.02],
  [-0.02, -0.62, 0.11, -1, 0.014],
  [0.5, -0.62, 0.11, -0.99, 0.009],
];

/** `boom` lifts the arm over the water: 0 is level. The trolley runs along it; `rope` is how far it has let the load down. */
export function paintCrane(
  picture: Picture,
  at: { u: number; v: number; height: number; mirrored?: boolean },
  { light, boom = 0, trolley = 0.6, rope = 0.15 }: { light: Colour; boom?: number; trolley?: number; rope?: number },
): void {
  const side = at.mirrored ? -1 : 1;
  const place = (u: number, v: number): [number, number] => [at.u + u * at.height * side, at.v + v * at.height];
  const draw = ([u0, v0, u1, v1, thickness]: Bar) =>
    fillShape(picture, bar(place(u0, v0), place(u1, v1), thickness * at.height), { light });
  const tip = { u: -0.2 - 0.62 * Math.cos(boom), v: -0.62 - 0.62 * Math.sin(boom) };
  for (const part of frame) draw(part);
  draw([0.52, -0.62, -0.2, -0.62, 0.04]);
  draw([-0.2, -0.62, tip.u, tip.v, 0.034]);
  draw([tip.u * 0.7, -0.62 + (tip.v + 0.62) * 0.6, 0.11, -0.99, 0.009]);
  draw([tip.u * 0.95, tip.v, 0.11, -0.99, 0.008]);
  if (boom > 0.1) return;
  const hook = -0.2 - 0.6 * trolley;
  draw([hook - 0.03, -0.6, hook + 0.03, -0.6, 0.05]);
  draw([hook, -0.6, hook, -0.6 + rope, 0.006]);
  draw([hook - 0.09, -0.58 + rope, hook + 0.09, -0.58 + rope, 0.06]);
}
