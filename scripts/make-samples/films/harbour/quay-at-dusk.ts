import type { Shot } from '../../film.ts';
import { bloom } from '../../light/bloom.ts';
import { blend, colour, scaled } from '../../light/colour.ts';
import { rise } from '../../light/curves.ts';
import { fillShape } from '../../light/fill-shape.ts';
import { glow } from '../../light/glow.ts';
import { gradient } from '../../light/gradient.ts';
import { scatter } from '../../light/noise.ts';
import type { Picture } from '../../light/picture.ts';
import { reflect } from '../../light/reflect.ts';
import { box } from '../../light/shapes.ts';
import { lowerThird } from '../../parts/lower-third.ts';
import { paintRidge } from '../../parts/ridge.ts';
import { paintSky } from '../../parts/sky.ts';
import { paintCrane } from './gantry-crane.ts';
import { paintTug } from './tug-boat.ts';

const horizon = 0.6;
const early = gradient([0, '#26305f'], [0.45, '#6f5a8f'], [0.78, '#d98276'], [1, '#ffc083']);
const late = gradient([0, '#0d1535'], [0.45, '#27306a'], [0.8, '#6f4d7c'], [1, '#cf7b62']);
const silhouette = colour('#0b0f1d');

/** The whole harbour across the water: the sun is gone and the lamps of the quay come on from left to right. */
export const quayAtDusk: Shot = {
  lengthInSeconds: 12,
  print: { vignette: 0.4 },
  draw(picture, seconds) {
    const dark = rise(0, 12, seconds);
    paintSky(picture, {
      horizon,
      seconds,
      tones: (at) => blend(early(at), late(at), dark),
      sun: { u: 0.62, v: horizon + 0.02, reach: 0.34, light: colour('#ff9a4a', 0.75 - dark * 0.5) },
      clouds: {
        amount: 0.55,
        drift: 0.02,
        light: scaled(colour('#4a4272'), 1 - dark * 0.6),
        lit: scaled(colour('#ffa27e'), 1 - dark * 0.6),
        seed: 3.2,
      },
    });
    paintRidge(picture, { base: horizon, rise: 0.09, width: 0.7, seed: 4, light: blend(colour('#5b4a72'), colour('#1c2143'), dark) });
    paintQuay(picture, seconds);
    paintTug(picture, { u: 0.15 + seconds * 0.085, v: horizon + 0.052, length: 0.17 }, silhouette);
    reflect(picture, {
      horizon: horizon + 0.004,
      time: seconds * 0.7,
      ripple: 0.035,
      fineness: 6,
      depth: colour('#0a1226', 0.9),
      mirror: [0.86, 0.6],
    });
    paintTug(picture, { u: 0.15 + seconds * 0.085, v: horizon + 0.052, length: 0.17 }, silhouette);
    bloom(picture, { strength: 0.55, radius: 0.03 });
    lowerThird(picture, ['Norvik harbour', 'Pier 7, ten past six'], { seconds, from: 1, to: 5.5 });
  },
};

function paintQuay(picture: Picture, seconds: number): void {
  fillShape(picture, box(0, horizon - 0.014, { width: 1.8, height: 0.03 }), { light: silhouette });
  for (let block = 0; block < 34; block++) {
    const size = { width: 0.035 + scatter(block, 2) * 0.05, height: 0.012 + scatter(block, 3) * 0.045 };
    fillShape(picture, box(block * 0.054 - 0.02, horizon - size.height, { ...size, height: size.height + 0.01 }), { light: silhouette });
  }
  for (const [u, boom] of [
    [1.12, 0],
    [1.29, 0.9],
    [1.46, 0],
  ] as const) {
    paintCrane(picture, { u, v: horizon, height: 0.24 }, { light: silhouette, boom, trolley: 0.5 + 0.2 * Math.sin(u * 9), rope: 0.2 });
  }
  for (let lamp = 0; lamp < 30; lamp++) paintLamp(picture, lamp, seconds);
}

/** Lamp after lamp, a third of a second apart, each with the short stutter of an old tube. */
function paintLamp(picture: Picture, lamp: number, seconds: number): void {
  const since = seconds - 2.5 - lamp * 0.2;
  if (since < 0) return;
  const stutter = since < 0.25 ? 0.35 : 1;
  const warm = scatter(lamp, 9) > 0.25 ? colour('#ffc46b') : colour('#cfe6ff');
  const strength = stutter * (2.2 + scatter(lamp, 5) * 2.4);
  glow(picture, { u: 0.04 + lamp * 0.059, v: horizon - 0.012 - scatter(lamp, 8) * 0.022, radius: 0.075 }, scaled(warm, strength));
}
