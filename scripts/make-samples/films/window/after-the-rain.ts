import type { Shot } from '../../film.ts';
import { bloom } from '../../light/bloom.ts';
import { colour, scaled } from '../../light/colour.ts';
import { rise } from '../../light/curves.ts';
import { fillShape } from '../../light/fill-shape.ts';
import { glow } from '../../light/glow.ts';
import { gradient } from '../../light/gradient.ts';
import { noise } from '../../light/noise.ts';
import { paint } from '../../light/paint.ts';
import { paintDisc } from '../../light/paint-disc.ts';
import type { Picture } from '../../light/picture.ts';
import { bar, box, ellipse } from '../../light/shapes.ts';
import { paintGlass } from './wet-glass.ts';

const tones = gradient([0, '#5d7ea6'], [0.4, '#c9a6a0'], [0.62, '#ffcf96'], [0.75, '#a9867c'], [1, '#4c4250']);
const shade = colour('#120d10');

/** Morning: the rain has stopped, the sun stands behind the drops, and a cup steams on the sill. */
export const afterTheRain: Shot = {
  lengthInSeconds: 9,
  print: { vignette: 0.4 },
  draw(picture, seconds) {
    paint(picture, { step: 8 }, (u, v, ink) => {
      const roofs = 0.6 + 0.03 * Math.round(Math.sin(u * 17) * 2);
      Object.assign(ink, scaled(tones(v), 1 - 0.45 * rise(roofs - 0.03, roofs + 0.03, v)));
    });
    const sun = 0.6 + 0.5 * rise(0, 7, seconds);
    glow(picture, { u: 0.38, v: 0.5, radius: 0.7 }, colour('#ffc27a', 1.6 * sun));
    for (let lamp = 0; lamp < 12; lamp++) {
      const light = colour('#ffdca8', 0.16 * sun);
      paintDisc(
        picture,
        { u: 0.05 + ((lamp * 0.37) % 0.5), v: 0.55 + ((lamp * 0.23) % 0.18), radius: 0.02 + ((lamp * 0.13) % 0.025) },
        light,
      );
    }
    paintGlass(picture, { seconds: seconds * 0.35 + 80, fog: { thickness: 0.12, light: colour('#d8b8a4', 0.6) }, rain: 0.5 });
    paintSill(picture, seconds);
    bloom(picture, { strength: 0.5, radius: 0.03, from: 0.6 });
  },
};

function paintSill(picture: Picture, seconds: number): void {
  for (let puff = 0; puff < 16; puff++) {
    const age = (puff + ((seconds * 1.2) % 1)) / 16;
    const u = 0.15 + 0.05 * (noise(age * 3 - seconds * 0.35, 8) - 0.5) * (0.3 + age);
    glow(picture, { u, v: 0.83 - age * 0.22, radius: 0.02 + age * 0.05, stretch: 1.6 }, colour('#ffe9d6', 0.16 * (1 - age)));
  }
  fillShape(picture, box(-0.1, 0.93, { width: 0.8, height: 0.1 }), { light: shade });
  fillShape(picture, box(-0.1, 0.926, { width: 0.8, height: 0.006 }), { light: colour('#8a5f45') });
  fillShape(picture, [0.09, 0.835, 0.1, 0.93, 0.2, 0.93, 0.21, 0.835], { light: shade });
  fillShape(picture, ellipse(0.15, 0.835, { width: 0.12, height: 0.014 }), { light: colour('#5b3b2c') });
  fillShape(picture, ellipse(0.216, 0.875, { width: 0.05, height: 0.05 }), { light: shade, cover: 0.98 });
  fillShape(picture, box(0.4, 0.86, { width: 0.09, height: 0.07 }), { light: shade });
  for (let leaf = 0; leaf < 11; leaf++) {
    const lean = -1.15 + leaf * 0.23 + 0.03 * Math.sin(seconds * 0.9 + leaf);
    const length = 0.12 + ((leaf * 0.37) % 0.09);
    const tip: [number, number] = [0.445 + Math.sin(lean) * length * 0.8, 0.87 - Math.cos(lean) * length];
    fillShape(picture, bar([0.445, 0.87], tip, 0.004), { light: shade });
    fillShape(picture, ellipse(tip[0], tip[1], { width: 0.026, height: 0.06, turn: lean }), {
      light: leaf % 3 ? shade : colour('#2a2214'),
    });
  }
}
