import type { Shot } from '../../film.ts';
import { bloom } from '../../light/bloom.ts';
import { blend, colour } from '../../light/colour.ts';
import { clamp, rise } from '../../light/curves.ts';
import { gradient } from '../../light/gradient.ts';
import { cloudNoise, noise } from '../../light/noise.ts';
import { paint } from '../../light/paint.ts';
import type { Picture } from '../../light/picture.ts';
import { lowerThird } from '../../parts/lower-third.ts';
import { paintBubbles, paintSpecks } from './drift.ts';
import { paintShoal, type Shoal } from './fish.ts';
import { caustics, paintWaterBody } from './water-body.ts';

const tones = gradient([0, '#2fa9b8'], [0.35, '#0f6f8e'], [0.75, '#073c5c'], [1, '#052a44']);
const haze = colour('#0d5d7a');
const shoal: Shoal = {
  count: 70,
  seed: 4,
  size: 0.036,
  spread: 0.1,
  path: (seconds) => ({ u: -0.35 + seconds * 0.17, v: 0.46 + 0.09 * Math.sin(seconds * 0.55) }),
};

/** Between the posts of the pier: sun in shafts, a shoal goes through. */
export const betweenThePosts: Shot = {
  lengthInSeconds: 11,
  print: { vignette: 0.45 },
  draw(picture, seconds) {
    paintWaterBody(picture, { seconds, tones, sun: { u: 0.75, v: -0.25 }, shafts: colour('#7fe6e0', 0.55) });
    const shift = seconds * 0.006;
    for (const post of [0.36, 0.66, 0.98, 1.3]) paintPost(picture, { u: post - shift, width: 0.026, haze: 0.62 });
    paintFloor(picture, seconds);
    paintShoal(picture, shoal, { seconds, light: colour('#06273c') });
    for (const post of [0.16, 1.52]) paintPost(picture, { u: post - shift * 2.2, width: 0.06, haze: 0.25 });
    paintBubbles(picture, {
      seconds,
      light: colour('#bff5ff'),
      from: [
        { u: 0.46, v: 0.93 },
        { u: 1.18, v: 0.95 },
      ],
    });
    paintPost(picture, { u: 1.8 - shift * 5, width: 0.16, haze: 0.04 });
    paintSpecks(picture, { seconds, light: colour('#c8fbff', 0.8), count: 90 });
    bloom(picture, { strength: 0.5, radius: 0.04, from: 0.4 });
    lowerThird(picture, ['Under the pier', 'Four metres down at low water'], { seconds, from: 1.5, to: 6.5 });
  },
};

/** A post with its growth of mussels; the farther away, the more of the water's own colour. */
function paintPost(picture: Picture, post: { u: number; width: number; haze: number }): void {
  const wood = blend(colour('#04141f'), haze, post.haze);
  paint(picture, { left: post.u - post.width * 1.5, right: post.u + post.width * 1.5, bottom: post.haze > 0.5 ? 0.97 : 1 }, (u, v, ink) => {
    const growth = noise(u * 60, v * 60) * 0.6 + noise(v * 22, post.u * 50) * 0.9 - 0.6;
    const half = post.width * (0.5 + 0.05 * v + 0.16 * growth * rise(0.1, 0.6, v));
    const aside = Math.abs(u - post.u - 0.012 * (v - 0.5));
    ink.a = clamp((half - aside) * picture.height + 0.5);
    const lit = 1 + 0.9 * clamp((u - post.u) / post.width) * (1 - v);
    ink.r = wood.r * ink.a * lit;
    ink.g = wood.g * ink.a * lit;
    ink.b = wood.b * ink.a * lit;
  });
}

function paintFloor(picture: Picture, seconds: number): void {
  const sand = colour('#2f7f86');
  paint(picture, { top: 0.8, step: 2 }, (u, v, ink) => {
    const edge = 0.87 + 0.05 * (cloudNoise(u * 2.3, 4, 3) - 0.5);
    const near = clamp((v - edge) / 0.13);
    const distance = 1 / (0.12 + near);
    const net = caustics((u - 0.9) * distance * 2.2 + 20, distance * 5, seconds * 0.8);
    const shine = (0.14 + 0.1 * noise(u * 30, v * 90) + net * 0.9 * rise(0.05, 0.5, near)) * (1.2 - near * 0.5);
    ink.a = rise(0, 0.02, v - edge);
    ink.r = sand.r * shine * ink.a;
    ink.g = sand.g * shine * ink.a;
    ink.b = sand.b * shine * ink.a;
  });
}
