import type { Shot } from '../../film.ts';
import { bloom } from '../../light/bloom.ts';
import { blend, type Colour, colour, scaled } from '../../light/colour.ts';
import { fillShape } from '../../light/fill-shape.ts';
import { glow } from '../../light/glow.ts';
import { gradient } from '../../light/gradient.ts';
import { write } from '../../light/lettering.ts';
import { noise } from '../../light/noise.ts';
import type { Picture } from '../../light/picture.ts';
import { bar, box } from '../../light/shapes.ts';
import { paintSpecks } from './drift.ts';
import { paintWaterBody } from './water-body.ts';

const tones = gradient([0, '#0f5d86'], [0.4, '#083f68'], [0.8, '#06264a'], [1, '#041a36']);
const jellies = [
  { u: 0.62, v: 0.86, size: 0.15, speed: 0.045, tint: '#ff9fc8' },
  { u: 0.98, v: 0.62, size: 0.1, speed: 0.035, tint: '#ffc79f' },
  { u: 0.42, v: 0.42, size: 0.07, speed: 0.03, tint: '#c9a8ff' },
  { u: 1.2, v: 0.96, size: 0.12, speed: 0.04, tint: '#ffa8e0' },
];

/** Deeper, where weed sways: jellyfish rise past the gauge on the last post. */
export const jellyfishGarden: Shot = {
  lengthInSeconds: 10,
  print: { vignette: 0.5 },
  draw(picture, seconds) {
    paintWaterBody(picture, { seconds: seconds + 50, tones, sun: { u: 0.35, v: -0.4 }, shafts: colour('#58b8e8', 0.4) });
    for (let weed = 0; weed < 22; weed++)
      paintWeed(picture, weed, { seconds, light: blend(colour('#042036'), colour('#0a4a6a'), (weed % 5) / 6) });
    paintGauge(picture);
    for (const jelly of jellies) paintJelly(picture, { ...jelly, v: jelly.v - seconds * jelly.speed }, seconds);
    paintSpecks(picture, { seconds: seconds + 20, light: colour('#bfe8ff', 0.8), count: 90 });
    bloom(picture, { strength: 0.6, radius: 0.04, from: 0.35 });
  },
};

function paintWeed(picture: Picture, weed: number, { seconds, light }: { seconds: number; light: Colour }): void {
  const u = ((weed * 0.618) % 1) * 1.9 - 0.05;
  const height = 0.2 + ((weed * 0.37) % 1) * 0.35;
  let from: [number, number] = [u, 1.02];
  for (let joint = 1; joint <= 9; joint++) {
    const up = joint / 9;
    const sway = 0.1 * up * Math.sin(seconds * 0.8 + weed + up * 2.2) * height + 0.04 * up * (noise(weed, up * 3) - 0.5);
    const to: [number, number] = [u + sway, 1.02 - height * up];
    fillShape(picture, bar(from, to, 0.014 * (1.15 - up)), { light });
    const side = joint % 2 ? 1 : -1;
    const leaf = 0.05 * (1.2 - up);
    fillShape(
      picture,
      [
        to[0],
        to[1],
        to[0] + side * leaf * 0.7,
        to[1] - leaf * 0.3,
        to[0] + side * leaf,
        to[1] - leaf,
        to[0] + side * leaf * 0.25,
        to[1] - leaf * 0.5,
      ],
      { light },
    );
    from = to;
  }
}

function paintGauge(picture: Picture): void {
  fillShape(picture, box(1.43, -0.1, { width: 0.2, height: 1.2 }), { light: colour('#04121f') });
  fillShape(picture, box(1.6, -0.1, { width: 0.03, height: 1.2 }), { light: colour('#0a2a40') });
  const paint = colour('#d8f0ee', 0.75);
  fillShape(picture, box(1.44, 0.14, { width: 0.18, height: 0.14 }), { light: paint });
  const ink = colour('#06202e');
  write(picture, { words: 'PIER 7', face: 'sans', light: ink }, { u: 1.53, v: 0.185, size: 0.052, anchor: 'middle' });
  write(picture, { words: 'KEEP CLEAR', face: 'sans', light: ink }, { u: 1.53, v: 0.245, size: 0.029, anchor: 'middle' });
  for (let mark = 0; mark < 4; mark++) {
    const v = 0.4 + mark * 0.16;
    fillShape(picture, box(1.44, v, { width: 0.05, height: 0.012 }), { light: paint });
    fillShape(picture, box(1.44, v + 0.08, { width: 0.028, height: 0.008 }), { light: paint });
    write(picture, { words: `${mark + 4} m`, face: 'mono', light: paint }, { u: 1.51, v: v + 0.006, size: 0.045 });
  }
}

function paintJelly(picture: Picture, jelly: { u: number; v: number; size: number; tint: string }, seconds: number): void {
  const beat = Math.sin(seconds * 2.1 + jelly.size * 60);
  const wide = jelly.size * (0.5 + 0.07 * beat);
  const high = jelly.size * (0.46 - 0.05 * beat);
  const tint = colour(jelly.tint);
  const u = jelly.u + 0.02 * Math.sin(seconds * 0.6 + jelly.size * 90);
  const v = jelly.v - 0.008 * beat;
  for (let arm = 0; arm < 9; arm++) {
    let from: [number, number] = [u + (arm - 4) * wide * 0.2, v];
    const length = jelly.size * (arm % 2 ? 1.7 : 1.15);
    for (let joint = 1; joint <= 10; joint++) {
      const down = joint / 10;
      const sway = 0.3 * jelly.size * down * Math.sin(seconds * 1.7 - down * 5 + arm * 0.7) * 0.6;
      const to: [number, number] = [u + (arm - 4) * wide * 0.2 * (1 - down * 0.35) + sway, v + length * down];
      fillShape(picture, bar(from, to, jelly.size * 0.022 * (1.1 - down)), { light: scaled(tint, 0.7), cover: 0.55 * (1 - down * 0.8) });
      from = to;
    }
  }
  for (const [scale, cover] of [
    [1, 0.3],
    [0.82, 0.25],
    [0.55, 0.3],
  ] as const)
    fillShape(picture, bell(u, v, { wide: wide * scale, high: high * scale }), { light: tint, cover });
  glow(picture, { u, v: v - high * 0.4, radius: jelly.size * 1.3 }, scaled(tint, 0.55));
}

function bell(u: number, v: number, { wide, high }: { wide: number; high: number }): number[] {
  const outline: number[] = [];
  for (let step = 0; step <= 20; step++) {
    const angle = Math.PI - (step / 20) * Math.PI;
    outline.push(u + Math.cos(angle) * wide, v - Math.sin(angle) ** 0.8 * high);
  }
  for (let scallop = 0; scallop <= 12; scallop++)
    outline.push(u + wide - (scallop / 12) * wide * 2, v + (scallop % 2 ? -0.1 : 0.06) * high);
  return outline;
}
