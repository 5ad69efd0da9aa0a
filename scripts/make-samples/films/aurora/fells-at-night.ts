import type { Shot } from '../../film.ts';
import { bloom } from '../../light/bloom.ts';
import { colour } from '../../light/colour.ts';
import { rise } from '../../light/curves.ts';
import { fillShape } from '../../light/fill-shape.ts';
import { glow } from '../../light/glow.ts';
import { gradient } from '../../light/gradient.ts';
import { noise } from '../../light/noise.ts';
import { paint } from '../../light/paint.ts';
import type { Picture } from '../../light/picture.ts';
import { box } from '../../light/shapes.ts';
import { lowerThird } from '../../parts/lower-third.ts';
import { paintRidge } from '../../parts/ridge.ts';
import { paintStars, scatterStars } from '../../parts/stars.ts';
import { paintCurtains } from './curtain.ts';

const tones = gradient([0, '#020612'], [0.7, '#071a2c'], [1, '#0d3038']);
const stars = scatterStars(900, { width: 1.8, height: 0.75, seed: 12 });
const cabin = { u: 1.28, v: 0.845 };

/** A cabin under the fells: the first curtain of light grows out of nothing. */
export const fellsAtNight: Shot = {
  lengthInSeconds: 10,
  print: { vignette: 0.35 },
  draw(picture, seconds) {
    paint(picture, { step: 8 }, (_u, v, ink) => Object.assign(ink, tones(v / 0.75)));
    paintStars(picture, stars, { seconds, strength: 0.9 });
    paintCurtains(picture, { seconds: seconds + 20, bottom: 0.72, strength: 0.25 + 1.1 * rise(0, 6, seconds) });
    paintRidge(picture, { base: 0.74, rise: 0.17, width: 0.9, seed: 2.4, light: colour('#0c2730'), foot: colour('#12373d') });
    paintRidge(picture, { base: 0.83, rise: 0.12, width: 0.6, seed: 6.1, light: colour('#071a22'), foot: colour('#0d2a30') });
    paintSnow(picture);
    paintCabin(picture, seconds);
    bloom(picture, { strength: 0.5, radius: 0.04, from: 0.45 });
    lowerThird(picture, ['Aurora over the fells', 'Kilpa, 69 degrees north'], { seconds, from: 1.5, to: 7 });
  },
};

function paintSnow(picture: Picture): void {
  paint(picture, { top: 0.78 }, (u, v, ink) => {
    const edge = 0.83 + 0.03 * Math.sin(u * 2.1 + 0.6) - 0.012 * noise(u * 7, 3);
    ink.a = rise(edge - 0.001, edge + 0.002, v);
    const drift = 0.7 + 0.5 * noise(u * 3 + v * 4, v * 22);
    const lamp = Math.exp(-((u - cabin.u + 0.02) ** 2 + ((v - cabin.v - 0.05) * 2.2) ** 2) * 40);
    ink.r = ink.a * (0.013 * drift + lamp * 0.3);
    ink.g = ink.a * (0.05 * drift + lamp * 0.16);
    ink.b = ink.a * (0.055 * drift + lamp * 0.05);
  });
}

function paintCabin(picture: Picture, seconds: number): void {
  const { u, v } = cabin;
  const wall = colour('#0a0d10');
  fillShape(picture, [u - 0.075, v, u - 0.075, v - 0.055, u, v - 0.105, u + 0.075, v - 0.055, u + 0.075, v], { light: wall });
  fillShape(picture, [u - 0.09, v - 0.05, u, v - 0.118, u + 0.09, v - 0.05, u + 0.09, v - 0.062, u, v - 0.132, u - 0.09, v - 0.062], {
    light: colour('#1c4a4c'),
  });
  fillShape(picture, box(u + 0.03, v - 0.15, { width: 0.018, height: 0.06 }), { light: wall });
  const flicker = 1 + 0.12 * (noise(seconds * 3, 5) - 0.5);
  for (const left of [-0.045, 0.012]) {
    fillShape(picture, box(u + left, v - 0.042, { width: 0.032, height: 0.026 }), { light: colour('#ffb45c', 1.8 * flicker) });
  }
  glow(picture, { u, v: v - 0.03, radius: 0.3 }, colour('#ff9a3d', 0.9 * flicker));
  for (let puff = 0; puff < 14; puff++) {
    const age = (puff + (seconds % 1)) / 14;
    const drift = 0.09 * age + 0.02 * noise(age * 4 - seconds * 0.2, 2);
    glow(picture, { u: u + 0.039 + drift, v: v - 0.15 - age * 0.16, radius: 0.015 + age * 0.06 }, colour('#9fd8c8', 0.09 * (1 - age)));
  }
}
