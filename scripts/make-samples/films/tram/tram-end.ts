import { colour, scaled } from '../../light/colour.ts';
import { fillShape } from '../../light/fill-shape.ts';
import { glow } from '../../light/glow.ts';
import { write } from '../../light/lettering.ts';
import type { Picture } from '../../light/picture.ts';
import { bar, box, ellipse, placed } from '../../light/shapes.ts';
import { ground, vanishing } from './old-street.ts';

const red = colour('#8c1f1c', 0.5);
const cream = colour('#d9c9a4', 0.3);
const dark = colour('#06070b');
const inside = colour('#ffcf8a', 1.15);
const amber = colour('#ffb52e', 2.6);
const body = [-0.25, 0.34, -0.27, 0.05, -0.245, -0.3, -0.19, -0.37, 0.19, -0.37, 0.245, -0.3, 0.27, 0.05, 0.25, 0.34];
const glass = [-0.21, -0.02, -0.205, -0.21, 0.205, -0.21, 0.21, -0.02];

/** One end of the tram at a depth of the street: the front with its headlamps, or the back with its red ones. */
export function paintTramEnd(picture: Picture, tram: { depth: number; end: 'front' | 'back'; display: string; seconds: number }): void {
  const scale = 1 / tram.depth;
  const at = { u: vanishing.u, v: vanishing.v + 0.002 * scale * Math.sin(tram.seconds * 9), scale };
  const v = (offset: number) => at.v + offset * scale;
  const shape = (outline: number[], light: { r: number; g: number; b: number }) => fillShape(picture, placed(outline, at), { light });
  streaks(picture, tram, scale);
  shape([-0.24, 0.34, -0.22, 0.37, 0.22, 0.37, 0.24, 0.34], dark);
  shape(body, red);
  shape([-0.262, -0.02, -0.25, -0.24, 0.25, -0.24, 0.262, -0.02], cream);
  shape(glass, inside);
  for (const post of [-0.075, 0.075]) shape(bar([post, -0.21], [post, -0.02], 0.014), dark);
  if (tram.end === 'front') shape(driver, dark);
  shape(box(-0.2, -0.345, { width: 0.4, height: 0.105 }), dark);
  write(picture, { words: tram.display, face: 'sans', light: amber }, { u: at.u, v: v(-0.292), size: 0.062 * scale, anchor: 'middle' });
  shape(box(-0.262, 0.06, { width: 0.524, height: 0.012 }), cream);
  const lamp = tram.end === 'front' ? colour('#fff3d6', 5) : colour('#ff2a1c', 3.2);
  for (const side of [-0.17, 0.17]) {
    shape(ellipse(side, 0.17, { width: 0.075, height: 0.075 }), scaled(lamp, 0.8));
    glow(picture, { u: at.u + side * scale, v: v(0.17), radius: (tram.end === 'front' ? 0.4 : 0.26) * scale }, lamp);
  }
}

const driver = [
  0.05, -0.02, 0.045, -0.09, 0.08, -0.115, 0.075, -0.155, 0.1, -0.175, 0.125, -0.155, 0.12, -0.115, 0.155, -0.09, 0.15, -0.02,
];

/** The lamps and the lit windows lie on the wet road as long streaks. */
function streaks(picture: Picture, tram: { depth: number; end: 'front' | 'back' }, scale: number): void {
  const foot = vanishing.v + ground * scale;
  const lamp = tram.end === 'front' ? colour('#ffe2ae', 1.1) : colour('#ff2a1c', 0.9);
  for (const side of [-0.17, 0.17]) {
    const u = vanishing.u + side * scale;
    glow(picture, { u, v: foot + 0.16 * scale, radius: 0.09 * scale, stretch: 4 }, lamp);
  }
  glow(picture, { u: vanishing.u, v: foot + 0.3 * scale, radius: 0.26 * scale, stretch: 1.6 }, colour('#ffb86a', 0.35));
}
