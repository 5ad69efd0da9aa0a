import { type Colour, colour, scaled } from '../../light/colour.ts';
import { clamp, mix, rise } from '../../light/curves.ts';
import { cloudNoise, noise, scatter } from '../../light/noise.ts';
import { type Ink, paint } from '../../light/paint.ts';
import type { Picture } from '../../light/picture.ts';

/** The eye stands between two rows of houses; a thing at depth z stands `ground / z` below the vanishing point. */
export const vanishing = { u: 0.89, v: 0.46 };
const wall = 0.78;
export const ground = 0.36;

const haze = colour('#2a2748', 0.5);
const shops = ['#ffb45c', '#ff7a8a', '#7fd8ff', '#ffd79a', '#b59aff', '#8dffc8'].map((hex) => colour(hex));

export type Hour = { seconds: number; forward: number; awake: number };

/** Two rows of houses with lit windows and shops, and the sky between them. `awake` is the share of lit windows. */
export function paintHouses(picture: Picture, hour: Hour): void {
  paint(picture, { bottom: 0.98 }, (u, v, ink) => {
    const du = u - vanishing.u;
    const depth = wall / Math.max(Math.abs(du), 0.02);
    const along = depth + hour.forward;
    const up = (vanishing.v - v) * depth;
    const house = Math.floor(along / 1.3);
    const side = du < 0 ? 0 : 50;
    const roof = 0.95 + scatter(house, side + 3) * 0.55;
    const fog = 1 - Math.exp(-depth * 0.13);
    if (up > roof) paintNightSky(ink, { u, v, seconds: hour.seconds });
    else paintFront(ink, { along, up, house: house + side * 7, depth, awake: hour.awake });
    ink.r = mix(ink.r, haze.r * (1.1 - v), fog);
    ink.g = mix(ink.g, haze.g * (1.1 - v), fog);
    ink.b = mix(ink.b, haze.b * (1.1 - v), fog);
  });
}

function paintNightSky(ink: Ink, { u, v, seconds }: { u: number; v: number; seconds: number }): void {
  const cloud = cloudNoise(u * 2 + seconds * 0.02, v * 5, 3);
  ink.r = 0.014 + 0.02 * cloud + v * 0.02;
  ink.g = 0.014 + 0.015 * cloud + v * 0.01;
  ink.b = 0.04 + 0.04 * cloud + v * 0.02;
}

type Place = { along: number; up: number; house: number; depth: number; awake: number };

function paintFront(ink: Ink, place: Place): void {
  const shade = 0.5 + scatter(place.house, 4);
  ink.r = 0.012 * shade;
  ink.g = 0.01 * shade;
  ink.b = 0.02 * shade;
  if (place.up < 0.02) paintShop(ink, place);
  else paintWindows(ink, place);
}

function paintWindows(ink: Ink, { along, up, house, depth, awake }: Place): void {
  const column = Math.floor(along * 4.2);
  const row = Math.floor((up - 0.06) * 5.2);
  const x = along * 4.2 - column;
  const y = (up - 0.06) * 5.2 - row;
  // Far windows are smaller than a pixel, so their edges soften with the distance.
  const soft = 0.02 + depth * 0.012;
  const pane =
    rise(0.24 - soft, 0.24 + soft, x) *
    rise(0.76 + soft, 0.76 - soft, x) *
    rise(0.2 - soft, 0.2 + soft, y) *
    rise(0.82 + soft, 0.82 - soft, y);
  const luck = scatter(column + house * 3, row + 80);
  const lit = luck < awake * 0.42 ? 0.35 + scatter(column, row + house) * 0.5 : 0.012;
  const warm = scatter(column + 9, row + house + 5);
  ink.r += pane * lit * 1;
  ink.g += pane * lit * (0.5 + 0.2 * warm);
  ink.b += pane * lit * (0.16 + 0.5 * warm * warm);
}

function paintShop(ink: Ink, { along, up, house, depth, awake }: Place): void {
  const light = shops[Math.floor(scatter(house, 6) * shops.length)] ?? haze;
  const x = along / 1.3 - Math.floor(along / 1.3);
  const soft = 0.01 + depth * 0.006;
  const pane = rise(0.12, 0.12 + soft, x) * rise(0.88, 0.88 - soft, x) * rise(-0.31, -0.29, up) * rise(-0.03, -0.05, up);
  const open = scatter(house, 12) < awake * 0.85 ? 1 : 0.05;
  const inside = 0.55 + 0.45 * noise(along * 9, up * 7);
  const strength = pane * open * inside * 0.75;
  ink.r += light.r * strength;
  ink.g += light.g * strength;
  ink.b += light.b * strength;
}

/** The wet road: every column mirrors about the foot of its own wall, smeared towards the eye. */
export function paintWetRoad(picture: Picture, { seconds, forward }: { seconds: number; forward: number }): void {
  const { width, height } = picture;
  const dry = picture.light.slice();
  const asphalt = colour('#0c0d14');
  paint(picture, { top: vanishing.v }, (u, v, ink) => {
    const below = v - vanishing.v;
    const aside = Math.abs(u - vanishing.u);
    const foot = (ground / wall) * aside;
    ink.a = clamp((below - foot) * height + 0.5);
    if (ink.a === 0) return;
    const depth = ground / Math.max(below, 0.004);
    const puddle = noise(((u - vanishing.u) * depth + 30) * 5, (depth + forward) * 4);
    const shiver = noise(u * 30, (depth + forward) * 11 + seconds * 1.2) - 0.5;
    const source = vanishing.v + foot - (below - foot) * 0.9 + shiver * below * 0.09;
    const light = smeared(dry, { width, height, u: u + shiver * below * 0.02, v: source, reach: 0.02 + below * 0.16 });
    const shine = 0.3 + 0.5 * rise(0.35, 0.7, puddle);
    ink.r = (asphalt.r + light.r * shine) * ink.a;
    ink.g = (asphalt.g + light.g * shine) * ink.a;
    ink.b = (asphalt.b + light.b * shine) * ink.a;
  });
}

function smeared(dry: Float32Array, at: { width: number; height: number; u: number; v: number; reach: number }): Colour {
  const sum: Colour = { r: 0, g: 0, b: 0 };
  const x = Math.round(clamp(at.u * at.height, 0, at.width - 1));
  for (let tap = 0; tap < 6; tap++) {
    const y = Math.round(clamp((at.v + (tap / 5 - 0.5) * at.reach) * at.height, 0, at.height - 1));
    const from = (y * at.width + x) * 3;
    sum.r += dry[from] ?? 0;
    sum.g += dry[from + 1] ?? 0;
    sum.b += dry[from + 2] ?? 0;
  }
  return scaled(sum, 1 / 6);
}
