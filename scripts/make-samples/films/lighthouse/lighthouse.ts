import { colour, scaled } from '../../light/colour.ts';
import { fillShape } from '../../light/fill-shape.ts';
import { glow } from '../../light/glow.ts';
import { noise } from '../../light/noise.ts';
import { paint } from '../../light/paint.ts';
import type { Picture } from '../../light/picture.ts';
import { box, placed } from '../../light/shapes.ts';

const lamp = colour('#ffe7b0');
const tower = [-0.13, 0, -0.085, -0.8, 0.085, -0.8, 0.13, 0];
const rock = [-0.9, 0.25, -0.7, 0.05, -0.5, 0.08, -0.3, -0.03, 0.25, -0.02, 0.42, 0.06, 0.6, 0.04, 0.85, 0.25];

export type Tower = { u: number; v: number; height: number; brightness: number };

/** A banded tower on its rock; `v` is where the tower stands. */
export function paintLighthouse(picture: Picture, at: Tower): void {
  const place = { u: at.u, v: at.v, scale: at.height };
  const shape = (outline: number[], hex: string) =>
    fillShape(picture, placed(outline, place), { light: scaled(colour(hex), at.brightness) });
  shape(rock, '#20242c');
  shape(tower, '#c9ccd0');
  for (const [top, bottom] of [
    [-0.67, -0.52],
    [-0.36, -0.2],
  ] as const) {
    const edge = (v: number) => 0.13 - 0.045 * (-v / 0.8);
    shape([-edge(top), top, edge(top), top, edge(bottom), bottom, -edge(bottom), bottom], '#a3342c');
  }
  shape([0.02, 0, 0.02, -0.8, 0.085, -0.8, 0.13, 0], '#454b58');
  shape(box(-0.115, -0.83, { width: 0.23, height: 0.035 }), '#14161c');
  shape([-0.075, -0.83, -0.07, -0.97, 0.07, -0.97, 0.075, -0.83], '#14161c');
  fillShape(picture, placed(box(-0.055, -0.955, { width: 0.11, height: 0.11 }), place), { light: scaled(lamp, 1.6) });
  shape([-0.09, -0.965, 0, -1.07, 0.09, -0.965], '#14161c');
  shape([-0.45, 0.02, -0.45, -0.13, -0.34, -0.21, -0.22, -0.13, -0.22, 0.02], '#2b2f38');
  fillShape(picture, placed(box(-0.37, -0.1, { width: 0.06, height: 0.06 }), place), { light: colour('#ffb45c', 1.3) });
}

/** The two beams that go round, and the flash when one of them meets the eye. `turn` is in full circles. */
export function paintBeams(picture: Picture, at: Tower, { turn, strength }: { turn: number; strength: number }): void {
  const angle = turn * Math.PI * 2;
  const lampV = at.v - at.height * 0.9;
  const across = Math.cos(angle);
  const towards = Math.sin(angle);
  paint(picture, { step: 4 }, (u, v, ink) => {
    ink.a = 0;
    for (const side of [1, -1]) {
      const along = (u - at.u) * Math.sign(across) * side;
      if (along <= 0) continue;
      const facing = towards * side;
      const width = 0.008 + along * (0.05 + 0.12 * Math.max(0, facing));
      const aside = (v - lampV + along * 0.03) / width;
      const rain = 0.75 + 0.5 * noise(u * 5 - turn * 6, v * 12);
      const shine =
        Math.exp(-aside * aside - along / (0.25 + Math.abs(across) * 0.9)) * (0.35 + 0.65 * Math.max(0, facing)) * rain * strength;
      ink.r += lamp.r * shine;
      ink.g += lamp.g * shine;
      ink.b += lamp.b * shine;
    }
  });
  const flash = Math.max(0, Math.abs(towards)) ** 24;
  glow(picture, { u: at.u, v: lampV, radius: 0.25 + 0.5 * flash }, scaled(lamp, 2 + 5 * flash));
}
