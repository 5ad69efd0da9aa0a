import { colour } from '../light/colour.ts';
import { fillShape } from '../light/fill-shape.ts';
import type { Picture } from '../light/picture.ts';
import { bar, ellipse, placed } from '../light/shapes.ts';

const coat = [
  -0.09, 0, -0.11, -0.3, -0.125, -0.68, -0.1, -0.76, -0.035, -0.8, -0.03, -0.85, 0.03, -0.85, 0.035, -0.8, 0.1, -0.76, 0.125, -0.68, 0.11,
  -0.3, 0.09, 0, 0.015, 0, 0, -0.3, -0.015, 0,
];
const dark = colour('#040509');
const canopy = Array.from({ length: 21 }, (_, step) => {
  const angle = Math.PI - (step / 20) * Math.PI;
  return [Math.cos(angle) * 0.34, -1.12 - Math.sin(angle) * 0.2];
}).flat();

/** Somebody in a long coat with their back to us, with an umbrella if one is given. */
export function paintPerson(
  picture: Picture,
  person: { u: number; foot: number; height: number; umbrella?: string; seconds: number },
): void {
  const sway = 0.004 * Math.sin(person.seconds * 0.9);
  const at = { u: person.u + sway, v: person.foot, scale: person.height };
  fillShape(picture, placed(coat, at), { light: dark });
  fillShape(picture, placed(ellipse(0, -0.89, { width: 0.13, height: 0.17 }), at), { light: dark });
  if (!person.umbrella) return;
  fillShape(picture, placed(bar([0.1, -0.55], [0.06, -1.3], 0.015), at), { light: dark });
  fillShape(picture, placed(canopy, { ...at, turn: 0.08 + sway * 3 }), { light: colour(person.umbrella, 0.35) });
  fillShape(picture, placed(canopy, { ...at, scale: at.scale * 0.97, turn: 0.1 + sway * 3 }), { light: dark, cover: 0.55 });
}
