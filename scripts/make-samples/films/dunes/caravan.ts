import type { Shot } from '../../film.ts';
import { bloom } from '../../light/bloom.ts';
import { colour } from '../../light/colour.ts';
import { clamp, rise } from '../../light/curves.ts';
import { fillShape } from '../../light/fill-shape.ts';
import { glow } from '../../light/glow.ts';
import { gradient } from '../../light/gradient.ts';
import { write } from '../../light/lettering.ts';
import { noise } from '../../light/noise.ts';
import { paint } from '../../light/paint.ts';
import type { Picture } from '../../light/picture.ts';
import { bar, box, ellipse } from '../../light/shapes.ts';
import { paintRidge } from '../../parts/ridge.ts';
import { paintBlownSand } from './blown-sand.ts';
import { paintCamel, paintTraveller } from './camel.ts';

const tones = gradient([0, '#8a3a3a'], [0.35, '#d9653a'], [0.7, '#ffae52'], [1, '#ffd98a']);
const shadow = colour('#1c0b0a');

/** The caravan goes along a crest in front of a very large sun. */
export const caravan: Shot = {
  lengthInSeconds: 10,
  print: { vignette: 0.4 },
  draw(picture, seconds) {
    paint(picture, { step: 8 }, (_u, v, ink) => Object.assign(ink, tones(v / 0.72)));
    const sun = { u: 1.02, v: 0.4 + seconds * 0.008 };
    glow(picture, { ...sun, radius: 1 }, colour('#ffdf8f', 1.1));
    fillShape(picture, ellipse(sun.u, sun.v, { width: 0.42, height: 0.42 }), { light: colour('#fff0b8', 1.7) });
    paintRidge(picture, {
      base: 0.72,
      rise: 0.14,
      width: 1.3,
      seed: 3,
      light: colour('#d06a34'),
      foot: colour('#ffb868'),
      octaves: 2,
      shift: seconds * 0.004,
    });
    paintRidge(picture, {
      base: 0.8,
      rise: 0.13,
      width: 1.1,
      seed: 8,
      light: colour('#8f3d22'),
      foot: colour('#d9793c'),
      octaves: 2,
      shift: seconds * 0.008,
    });
    paintWalkers(picture, seconds);
    paintCrest(picture, seconds);
    paintSignpost(picture);
    paintBlownSand(picture, { seconds: seconds * 1.2, top: 0.6, light: colour('#ffc27a', 0.8), strength: 0.3 });
    bloom(picture, { strength: 0.5, radius: 0.06, from: 0.6 });
  },
};

const crestAt = (u: number) => 0.79 - 0.13 * Math.exp(-(((u - 1.05) / 0.6) ** 2)) + 0.02 * Math.sin(u * 3);

function paintWalkers(picture: Picture, seconds: number): void {
  for (let walker = 0; walker < 6; walker++) {
    const u = 0.98 + seconds * 0.052 - walker * 0.165;
    const stride = seconds * 3.4 + walker * 1.7;
    const at = { u, v: crestAt(u) + 0.006, height: walker === 0 ? 0.1 : 0.13, stride };
    if (walker === 0) paintTraveller(picture, at, shadow);
    else paintCamel(picture, at, shadow);
    if (walker > 1) fillShape(picture, bar([u + 0.075, at.v - 0.1], [u + 0.115, at.v - 0.075], 0.0022), { light: shadow });
  }
}

/** The near dune: lit along its edge, with sand smoking from the crest. */
function paintCrest(picture: Picture, seconds: number): void {
  paint(picture, { top: 0.55 }, (u, v, ink) => {
    const top = crestAt(u);
    const below = v - top;
    ink.a = clamp(below * picture.height + 0.5);
    const rim = Math.exp(-clamp(below, 0, 1) * 55) * 0.6;
    const ripple = 0.05 * Math.sin((v * 60 + u * 9 + noise(u * 4, v * 9) * 4) * 2.2) * rise(0.02, 0.1, below);
    const lit = 0.1 + rim + ripple * 0.35 + 0.12 * (1 - clamp(below * 3));
    const smoke = below < 0 ? Math.exp(below * 38) * rise(0.35, 0.8, noise(u * 5 - seconds * 1.6, v * 14 + seconds * 0.4)) * 0.35 : 0;
    ink.r = (0.62 * ink.a * lit + smoke) * 1.05;
    ink.g = 0.27 * ink.a * lit + smoke * 0.62;
    ink.b = 0.11 * ink.a * lit + smoke * 0.25;
  });
}

function paintSignpost(picture: Picture): void {
  fillShape(picture, bar([0.24, 1], [0.25, 0.5], 0.022), { light: shadow });
  fillShape(picture, [0.08, 0.53, 0.44, 0.52, 0.49, 0.575, 0.44, 0.63, 0.08, 0.63], { light: colour('#2a120c') });
  fillShape(picture, box(0.08, 0.528, { width: 0.37, height: 0.006 }), { light: colour('#ffb25c', 0.8) });
  write(
    picture,
    { words: 'WATER 9 KM', face: 'sans', light: colour('#ffe0ac', 1.1) },
    { u: 0.265, v: 0.578, size: 0.056, anchor: 'middle' },
  );
}
