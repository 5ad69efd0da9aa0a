import { type Colour, colour } from '../light/colour.ts';
import { rise } from '../light/curves.ts';
import { fillShape } from '../light/fill-shape.ts';
import { measure, write } from '../light/lettering.ts';
import type { Picture } from '../light/picture.ts';
import { box } from '../light/shapes.ts';

const panel = colour('#0a0d12');
const paper = colour('#ffffff', 1.6);
const amber: Colour = colour('#ffbf3a', 1.1);

/** Two lines on a dark plate in the lower left corner, from one second of the shot to another. */
export function lowerThird(picture: Picture, words: [string, string], at: { seconds: number; from: number; to: number }): void {
  const shown = rise(at.from, at.from + 0.4, at.seconds) * rise(at.to, at.to - 0.4, at.seconds);
  if (shown === 0) return;
  const left = 0.075;
  const top = 0.79;
  const width = Math.max(
    measure(picture, { words: words[0], face: 'sans' }, 0.05),
    measure(picture, { words: words[1], face: 'sans' }, 0.034),
  );
  fillShape(picture, box(left, top, { width: width + 0.07, height: 0.13 }), { light: panel, cover: shown * 0.72 });
  fillShape(picture, box(left, top, { width: 0.008, height: 0.13 }), { light: amber, cover: shown });
  write(picture, { words: words[0], face: 'sans', light: paper }, { u: left + 0.035, v: top + 0.045, size: 0.05, cover: shown });
  write(picture, { words: words[1], face: 'sans', light: paper }, { u: left + 0.035, v: top + 0.098, size: 0.034, cover: shown * 0.85 });
}
