import { colour } from '../light/colour.ts';
import { fillShape } from '../light/fill-shape.ts';
import type { Picture } from '../light/picture.ts';
import { seededRandom } from '../light/seeded-random.ts';
import { bar, ellipse } from '../light/shapes.ts';

/** What years in a tin do to a print: dust for a frame or two, a scratch that wanders for a while. */
export function wearPrint(picture: Picture, seconds: number): void {
  const random = seededRandom(Math.floor(seconds * 12) + 3);
  for (let speck = 0; speck < 3; speck++) {
    const at = { u: random() * picture.aspect, v: random(), size: 0.002 + random() * 0.005 };
    const light = colour(random() > 0.5 ? '#ffffff' : '#0a0a0a');
    if (random() > 0.72) fillShape(picture, ellipse(at.u, at.v, { width: at.size, height: at.size * 1.7 }), { light, cover: 0.6 });
  }
  const turn = Math.floor(seconds / 3.5);
  if (turn % 2 === 0) return;
  const u = 0.2 + seededRandom(turn)() * 1.4 + 0.004 * Math.sin(seconds * 3);
  fillShape(picture, bar([u, -0.1], [u + 0.003, 1.1], 0.0014), { light: colour('#ffffff'), cover: 0.22 });
}
