import type { Shot } from '../../film.ts';
import { bloom } from '../../light/bloom.ts';
import { colour } from '../../light/colour.ts';
import { fillShape } from '../../light/fill-shape.ts';
import { gradient } from '../../light/gradient.ts';
import { scatter } from '../../light/noise.ts';
import { paint } from '../../light/paint.ts';
import { reflect } from '../../light/reflect.ts';
import { placed } from '../../light/shapes.ts';
import { paintRidge } from '../../parts/ridge.ts';
import { spruceOutline } from '../../parts/spruce.ts';
import { paintStars, scatterStars } from '../../parts/stars.ts';
import { paintCurtains } from './curtain.ts';

const shore = 0.62;
const tones = gradient([0, '#030714'], [0.7, '#0a1a30'], [1, '#14304a']);
const stars = scatterStars(700, { width: 2, height: 0.6, seed: 31 });
const farTrees = Array.from({ length: 90 }, (_, tree) => spruceOutline(tree + 1, 7));
const nearTrees = Array.from({ length: 7 }, (_, tree) => spruceOutline(tree + 200, 26));
const night = colour('#03090c');

/** A lake that has not frozen yet holds the same light upside down. */
export const mirrorLake: Shot = {
  lengthInSeconds: 9,
  print: { vignette: 0.35 },
  draw(picture, seconds) {
    const drift = seconds * 0.006;
    paint(picture, { bottom: shore + 0.01, step: 8 }, (_u, v, ink) => Object.assign(ink, tones(v / shore)));
    paintStars(
      picture,
      stars.map((star) => ({ ...star, u: star.u - drift })),
      { seconds, strength: 0.8 },
    );
    paintCurtains(picture, { seconds: seconds + 61, bottom: 0.58, strength: 1.25 });
    paintRidge(picture, { base: shore, rise: 0.16, width: 0.8, seed: 14, light: colour('#0a2029'), foot: colour('#123840'), shift: drift });
    farTrees.forEach((tree, index) => {
      const u = index * 0.022 + scatter(index, 5) * 0.03 - 0.05 - drift * 1.5;
      fillShape(picture, placed(tree, { u, v: shore + 0.004, scale: 0.025 + scatter(index, 3) ** 2 * 0.075 }), { light: night });
    });
    reflect(picture, { horizon: shore, time: seconds * 0.4, ripple: 0.014, fineness: 5, depth: colour('#02070c'), mirror: [0.8, 0.62] });
    nearTrees.forEach((tree, index) => {
      const u = (index < 4 ? -0.03 + index * 0.085 : 1.52 + (index - 4) * 0.12) - drift * 3;
      const turn = 0.006 * Math.sin(seconds + index);
      fillShape(picture, placed(tree, { u, v: 1.04, scale: 0.36 + scatter(index, 7) * 0.4, turn }), { light: night });
    });
    bloom(picture, { strength: 0.5, radius: 0.04, from: 0.45 });
  },
};
