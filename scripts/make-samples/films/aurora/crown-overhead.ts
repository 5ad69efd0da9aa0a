import type { Shot } from '../../film.ts';
import { bloom } from '../../light/bloom.ts';
import { colour } from '../../light/colour.ts';
import { clamp, rise } from '../../light/curves.ts';
import { fillShape } from '../../light/fill-shape.ts';
import { gradient } from '../../light/gradient.ts';
import { cloudNoise, noise, scatter } from '../../light/noise.ts';
import { paint } from '../../light/paint.ts';
import type { Picture } from '../../light/picture.ts';
import { placed } from '../../light/shapes.ts';
import { spruceOutline } from '../../parts/spruce.ts';
import { paintStars, scatterStars } from '../../parts/stars.ts';

const crown = gradient([0, '#f3d9ff'], [0.18, '#b45cff'], [0.42, '#38d98f'], [0.75, '#138a6a'], [1, '#06303a']);
const stars = scatterStars(1100, { width: 2.2, height: 1.3, seed: 77 });
const trees = Array.from({ length: 26 }, (_, tree) => spruceOutline(tree + 300, 30));
const zenith = { u: 0.9, v: 0.44 };

/** Straight up between the tops of the spruces: the rays meet in a crown. */
export const crownOverhead: Shot = {
  lengthInSeconds: 9,
  print: { vignette: 0.5 },
  draw(picture, seconds) {
    paint(picture, { step: 16 }, (_u, v, ink) => Object.assign(ink, { r: 0.002, g: 0.006 + v * 0.004, b: 0.016 + v * 0.01 }));
    paintStars(picture, turned(seconds), { seconds, strength: 0.9 });
    paintCrown(picture, seconds);
    trees.forEach((tree, index) => {
      paintTreeTop(picture, tree, { index, seconds });
    });
    bloom(picture, { strength: 0.5, radius: 0.05, from: 0.4 });
  },
};

function turned(seconds: number) {
  const angle = seconds * 0.012;
  return stars.map((star) => {
    const du = star.u - 1.1;
    const dv = star.v - 0.6;
    return {
      ...star,
      u: zenith.u + du * Math.cos(angle) - dv * Math.sin(angle),
      v: zenith.v + du * Math.sin(angle) + dv * Math.cos(angle),
    };
  });
}

function paintCrown(picture: Picture, seconds: number): void {
  const swell = 0.7 + 0.5 * rise(0, 4, seconds);
  paint(picture, { step: 2 }, (u, v, ink) => {
    const du = u - zenith.u;
    const dv = v - zenith.v;
    const far = Math.hypot(du, dv) + 0.0001;
    const x = du / far;
    const y = dv / far;
    const rays = noise(x * 9 + 30, y * 9 + seconds * 0.4) * 0.6 + noise(x * 26 + 60, y * 26 - seconds * 0.55) * 0.5;
    const sheet = cloudNoise(x * 1.3 + far * 0.9 + 5 + seconds * 0.05, y * 1.3 - far * 0.7 + seconds * 0.09, 3);
    const hole = rise(0.02, 0.2, far);
    const shine = clamp(rays * 1.5 - 0.35) * rise(0.36, 0.68, sheet) * hole * Math.exp(-far * 1.15) * swell * 1.5;
    const heart = Math.exp(-far * far * 26) * 0.1 * swell;
    const light = crown(far * 1.15);
    ink.a = 0;
    ink.r = light.r * (shine + heart);
    ink.g = light.g * (shine + heart);
    ink.b = light.b * (shine + heart);
  });
}

/** A spruce seen from below: it leans in from the edge and points at the zenith. */
function paintTreeTop(picture: Picture, tree: number[], { index, seconds }: { index: number; seconds: number }): void {
  const angle = ((index + scatter(index, 6) * 0.7) / trees.length) * Math.PI * 2;
  const reach = 0.36 + scatter(index, 2) * 0.2 + 0.004 * Math.sin(seconds * 0.9 + index);
  const x = Math.cos(angle);
  const y = Math.sin(angle);
  const length = 0.55 + scatter(index, 4) * 0.3;
  const foot = { u: zenith.u + x * (reach * 1.35 + length), v: zenith.v + y * (reach + length) };
  fillShape(picture, placed(tree, { ...foot, scale: length, turn: Math.atan2(-x, y) }), { light: colour('#020607') });
}
