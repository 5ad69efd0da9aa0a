import { type Colour, colour, scaled } from '../../light/colour.ts';
import { fillShape } from '../../light/fill-shape.ts';
import { glow } from '../../light/glow.ts';
import { measure, write } from '../../light/lettering.ts';
import type { Picture } from '../../light/picture.ts';
import { bar, box } from '../../light/shapes.ts';
import { ground, vanishing } from './old-street.ts';

const iron = colour('#07070c');

export type Sign = { words: string; side: -1 | 1; depth: number; up: number; size: number; hex: string };

/** A neon sign that stands out from the wall and faces the eye. */
export function paintSign(picture: Picture, sign: Sign, { forward, power }: { forward: number; power: number }): void {
  const depth = sign.depth - forward;
  if (depth < 0.75) return;
  const size = sign.size / depth;
  const light = colour(sign.hex);
  const u = vanishing.u + (sign.side * 0.62) / depth;
  const v = vanishing.v - sign.up / depth;
  const width = measure(picture, { words: sign.words, face: 'sans' }, size);
  const board = box(u - width / 2 - size * 0.35, v - size * 0.8, { width: width + size * 0.7, height: size * 1.6 });
  fillShape(picture, board, { light: colour('#0a0a14') });
  glow(picture, { u, v, radius: width * 0.9 }, scaled(light, 0.45 * power));
  const tube: Colour = { r: 0.5 + light.r * 1.8, g: 0.5 + light.g * 1.8, b: 0.5 + light.b * 1.8 };
  write(picture, { words: sign.words, face: 'sans', light: scaled(tube, 0.08 + 0.92 * power) }, { u, v, size, anchor: 'middle' });
}

/** Lamps on both pavements, near ones last. */
export function paintLamps(picture: Picture, { forward }: { forward: number }): void {
  for (let lamp = 9; lamp >= 0; lamp--) {
    const depth = 1.2 + lamp * 1.5 - (forward % 1.5);
    if (depth < 0.8) continue;
    for (const side of [-1, 1]) {
      const u = vanishing.u + (side * 0.56) / depth;
      const top = vanishing.v - 0.62 / depth;
      fillShape(picture, bar([u, top], [u, vanishing.v + ground / depth], 0.014 / depth), { light: iron });
      fillShape(picture, bar([u, top], [u - (side * 0.09) / depth, top - 0.02 / depth], 0.01 / depth), { light: iron });
      glow(picture, { u: u - (side * 0.09) / depth, v: top, radius: 0.42 / depth }, colour('#ffbf78', 2.2));
    }
  }
}

export function paintWires(picture: Picture): void {
  for (const [u, v] of [
    [0.6, 0],
    [1.12, 0],
    [0.3, 0],
  ] as const) {
    fillShape(picture, bar([vanishing.u, vanishing.v - 0.02], [u, v], 0.0022), { light: iron, cover: 0.9 });
  }
}

export function paintRails(picture: Picture): void {
  for (const gauge of [-0.16, 0.16]) {
    const near = ground / (1.02 - vanishing.v);
    const far = 14;
    const foot: [number, number] = [vanishing.u + gauge / near, 1.02];
    const end: [number, number] = [vanishing.u + gauge / far, vanishing.v + ground / far];
    const half = 0.006;
    fillShape(picture, [foot[0] - half, foot[1], end[0], end[1], foot[0] + half, foot[1]], { light: colour('#c9b8a8', 0.35) });
  }
}
