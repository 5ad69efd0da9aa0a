import { type Colour, colour } from '../../light/colour.ts';
import { fillShape } from '../../light/fill-shape.ts';
import { glow } from '../../light/glow.ts';
import type { Picture } from '../../light/picture.ts';
import { bar, box, placed } from '../../light/shapes.ts';

const hull = [-0.5, -0.1, -0.44, 0.08, 0.4, 0.08, 0.52, -0.2, 0.38, -0.13, 0.1, -0.1];
const cabin = [-0.2, -0.1, -0.18, -0.36, 0.14, -0.36, 0.19, -0.1];
const bridge = [-0.1, -0.36, -0.09, -0.5, 0.09, -0.5, 0.11, -0.36];
const window = colour('#ffd38a', 2.4);

/** A small working boat, `length` long, with lit windows and a masthead light. Bow to the right unless mirrored. */
export function paintTug(picture: Picture, at: { u: number; v: number; length: number; mirrored?: boolean }, light: Colour): void {
  const place = { u: at.u, v: at.v, scale: at.length, mirrored: at.mirrored };
  const side = at.mirrored ? -1 : 1;
  for (const part of [hull, cabin, bridge]) fillShape(picture, placed(part, place), { light });
  fillShape(picture, placed(bar([0, -0.5], [0, -0.78], 0.02), place), { light });
  for (const left of [-0.14, -0.04, 0.06]) {
    fillShape(picture, placed(box(left, -0.3, { width: 0.06, height: 0.09 }), place), { light: window });
  }
  fillShape(picture, placed(box(-0.06, -0.47, { width: 0.12, height: 0.07 }), place), { light: window });
  glow(picture, { u: at.u, v: at.v - 0.8 * at.length, radius: at.length * 0.5 }, colour('#fff2d8', 2.5));
  glow(picture, { u: at.u + 0.4 * at.length * side, v: at.v - 0.22 * at.length, radius: at.length * 0.25 }, colour('#3dff8a', 1.4));
}
