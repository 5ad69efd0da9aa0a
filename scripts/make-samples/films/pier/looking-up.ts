import type { Shot } from '../../film.ts';
import { bloom } from '../../light/bloom.ts';
import { colour } from '../../light/colour.ts';
import { clamp, rise } from '../../light/curves.ts';
import { fillShape } from '../../light/fill-shape.ts';
import { gradient } from '../../light/gradient.ts';
import { noise } from '../../light/noise.ts';
import { paint } from '../../light/paint.ts';
import type { Picture } from '../../light/picture.ts';
import { bar, placed } from '../../light/shapes.ts';
import { paintSpecks } from './drift.ts';
import { paintShoal, type Shoal } from './fish.ts';
import { caustics } from './water-body.ts';

const tones = gradient([0, '#e8fff4'], [0.16, '#8fe8e0'], [0.38, '#2aa0b4'], [0.7, '#0b5878'], [1, '#052a44']);
const ring: Shoal = {
  count: 80,
  seed: 21,
  size: 0.034,
  spread: 0.05,
  path: (seconds) => ({ u: 0.86 + 0.48 * Math.cos(seconds * 0.5), v: 0.52 + 0.3 * Math.sin(seconds * 0.5) }),
};
const second: Shoal = { ...ring, seed: 22, path: (seconds) => ring.path(seconds + 5.5) };

/** Straight up: the sun through the planks, a boat crossing, fish going round. */
export const lookingUp: Shot = {
  lengthInSeconds: 9,
  print: { vignette: 0.5 },
  draw(picture, seconds) {
    paintSurface(picture, seconds);
    paintPlanks(picture, seconds);
    paintHull(picture, seconds);
    for (const shoal of [second, ring]) paintShoal(picture, shoal, { seconds: seconds + 3, light: colour('#04283c') });
    paintSpecks(picture, { seconds, light: colour('#e8ffff', 0.8), count: 70 });
    bloom(picture, { strength: 0.55, radius: 0.05, from: 0.5 });
  },
};

function paintSurface(picture: Picture, seconds: number): void {
  paint(picture, { step: 2 }, (u, v, ink) => {
    const wobble = 0.1 * (noise(u * 4 + seconds * 0.4, v * 4 - seconds * 0.3) - 0.5);
    const far = Math.hypot(u - 0.86, (v - 0.46) * 1.1) + wobble;
    const base = tones(far * 1.05);
    const net = caustics(u * 8 + 7, v * 8, seconds * 0.7) * Math.exp(-far * 1.6);
    const angle = Math.atan2(v - 0.46, u - 0.86);
    const ray = rise(0.55, 0.9, noise(angle * 9 + 20, seconds * 0.3)) * Math.exp(-far * 2.2) * 0.4;
    ink.r = base.r * (0.85 + ray) + net * 0.05;
    ink.g = base.g * (0.85 + ray) + net * 0.3;
    ink.b = base.b * (0.85 + ray) + net * 0.32;
  });
}

/** The deck of the pier across the upper left, dark boards with light between them. */
function paintPlanks(picture: Picture, seconds: number): void {
  paint(picture, { right: 0.9 }, (u, v, ink) => {
    const wave = 0.02 * (noise(u * 5 + seconds * 0.6, v * 5) - 0.5);
    const across = (u - 0.12) * 0.82 + (v - 0.5) * 0.57 + wave;
    const along = -(u - 0.12) * 0.57 + (v - 0.5) * 0.82 + wave * 2;
    const inside = rise(0.002, -0.004, across - 0.16) * rise(-0.5, -0.49, across);
    const board = Math.abs(((along * 13 + 40) % 1) - 0.5);
    const wood = rise(0.43, 0.4, board);
    ink.a = clamp(inside * wood * 0.94);
    ink.r = 0.001 * ink.a;
    ink.g = 0.012 * ink.a;
    ink.b = 0.022 * ink.a;
  });
}

const hull = [-0.36, 0, -0.26, -0.05, -0.08, -0.078, 0.16, -0.08, 0.3, -0.064, 0.31, 0, 0.3, 0.064, 0.16, 0.08, -0.08, 0.078, -0.26, 0.05];

function paintHull(picture: Picture, seconds: number): void {
  const at = { u: 2.15 - seconds * 0.17, v: 0.2 + 0.004 * Math.sin(seconds * 1.3) };
  paint(picture, { top: at.v - 0.12, bottom: at.v + 0.12 }, (u, v, ink) => {
    const behind = u - at.u - 0.3;
    ink.a = 0;
    if (behind < 0) return;
    const width = 0.018 + behind * 0.06;
    const aside = (v - at.v) / width;
    const foam = Math.exp(-aside * aside - behind * 2.2) * (0.35 + 0.5 * noise(u * 14 + seconds * 3, v * 30)) * rise(0, 0.05, behind);
    ink.r = foam * 0.35;
    ink.g = foam * 0.6;
    ink.b = foam * 0.6;
  });
  fillShape(picture, placed(hull, { ...at, scale: 1 }), { light: colour('#03202f') });
  fillShape(picture, placed(hull, { ...at, scale: 0.72 }), { light: colour('#021722'), cover: 0.6 });
  fillShape(picture, bar([at.u - 0.3, at.v], [at.u + 0.3, at.v], 0.008), { light: colour('#0c4a5e') });
}
