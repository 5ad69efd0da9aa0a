import type { Shot } from '../../film.ts';
import { bloom } from '../../light/bloom.ts';
import { colour } from '../../light/colour.ts';
import { fillShape } from '../../light/fill-shape.ts';
import { glow } from '../../light/glow.ts';
import { gradient } from '../../light/gradient.ts';
import { write } from '../../light/lettering.ts';
import { noise, scatter } from '../../light/noise.ts';
import { paint } from '../../light/paint.ts';
import type { Picture } from '../../light/picture.ts';
import { bar, box, ellipse, placed } from '../../light/shapes.ts';
import { wearPrint } from '../../parts/old-print.ts';
import { paintRidge } from '../../parts/ridge.ts';
import { paintSnowfall } from '../../parts/snowfall.ts';
import { spruceOutline } from '../../parts/spruce.ts';
import { oldPrint } from './old-print-look.ts';

const tones = gradient([0, '#6a6a6a'], [0.6, '#a8a8a8'], [1, '#d8d8d8']);
const trees = Array.from({ length: 16 }, (_, tree) => spruceOutline(tree + 700, 16));
const shade = colour('#0b0b0b');
const pane = { left: 0.34, right: 1.62, top: 0.1, bottom: 0.74 };

/** A window seat: the valley goes by, near things fast and far things slowly. */
export const windowSeat: Shot = {
  lengthInSeconds: 10,
  print: oldPrint,
  draw(picture, seconds) {
    const sway = 0.003 * (noise(seconds * 5, 2) - 0.5);
    paint(picture, { step: 8 }, (_u, v, ink) => Object.assign(ink, tones(v / 0.6)));
    paintRidge(picture, {
      base: 0.58,
      rise: 0.24,
      width: 0.7,
      seed: 61,
      light: colour('#9c9c9c'),
      foot: colour('#c4c4c4'),
      shift: seconds * 0.03,
    });
    paintRidge(picture, {
      base: 0.64,
      rise: 0.16,
      width: 0.5,
      seed: 66,
      light: colour('#707070'),
      foot: colour('#b0b0b0'),
      shift: seconds * 0.09,
    });
    paintRidge(picture, {
      base: 0.78,
      rise: 0.2,
      width: 0.8,
      seed: 71,
      light: colour('#dcdcdc'),
      foot: colour('#bdbdbd'),
      shift: seconds * 0.24,
      octaves: 3,
    });
    paintPassing(picture, seconds);
    paintSnowfall(picture, { seconds, count: 90, wind: -0.9, strength: 0.4 });
    paintCompartment(picture, sway);
    paintPassenger(picture, seconds);
    bloom(picture, { strength: 0.35, radius: 0.03, from: 0.6 });
    wearPrint(picture, seconds + 40);
  },
};

function paintPassing(picture: Picture, seconds: number): void {
  trees.forEach((tree, index) => {
    const u = ((((index * 0.21 + scatter(index, 4) * 0.1 - seconds * 0.42) % 3.2) + 3.2) % 3.2) - 0.5;
    fillShape(picture, placed(tree, { u, v: 0.72, scale: 0.12 + scatter(index, 8) * 0.2 }), { light: colour('#2e2e2e') });
  });
  for (let pole = 0; pole < 2; pole++) {
    const u = 2.4 - ((seconds * 1.15 + pole * 1.5) % 3);
    fillShape(picture, bar([u, 0], [u, 0.9], 0.022), { light: shade, cover: 0.85 });
    fillShape(picture, bar([u - 0.1, 0.18], [u + 0.1, 0.18], 0.016), { light: shade, cover: 0.85 });
  }
  for (const wire of [0.15, 0.19]) {
    const sag = 0.03 * Math.sin(seconds * 1.15 * 2.1);
    fillShape(picture, [0, wire, 0.9, wire + 0.03 + sag, 1.8, wire, 1.8, wire + 0.003, 0.9, wire + 0.033 + sag, 0, wire + 0.003], {
      light: shade,
      cover: 0.7,
    });
  }
}

function paintCompartment(picture: Picture, sway: number): void {
  const { left, right, top, bottom } = pane;
  const wood = colour('#1c1c1c');
  fillShape(picture, box(-0.1, -0.1, { width: left + 0.1, height: 1.2 }), { light: wood });
  fillShape(picture, box(right, -0.1, { width: 0.4, height: 1.2 }), { light: wood });
  fillShape(picture, box(left - 0.01, -0.1, { width: right - left + 0.02, height: top + 0.1 }), { light: wood });
  fillShape(picture, box(left - 0.01, bottom, { width: right - left + 0.02, height: 0.4 }), { light: wood });
  for (const edge of [
    box(left, top, { width: right - left, height: 0.012 }),
    box(left, bottom - 0.012, { width: right - left, height: 0.012 }),
  ]) {
    fillShape(picture, edge, { light: colour('#8a8a8a') });
  }
  for (const u of [left, right - 0.012, 0.97])
    fillShape(picture, box(u, top, { width: 0.012, height: bottom - top }), { light: colour('#6a6a6a') });
  fillShape(picture, box(1.02, 0.79, { width: 0.56, height: 0.085 }), { light: colour('#e6e6e6', 0.9) });
  write(picture, { words: 'DO NOT LEAN OUT', face: 'sans', light: colour('#101010') }, { u: 1.3, v: 0.832, size: 0.05, anchor: 'middle' });
  fillShape(
    picture,
    [left - 0.02, top - 0.03, left + 0.2 + sway, top - 0.03, left + 0.1 + sway, 0.4, left + 0.03, 0.46, left - 0.02, 0.5],
    { light: colour('#5a5a5a') },
  );
  for (let fold = 0; fold < 4; fold++) {
    const u = left + 0.02 + fold * 0.045;
    fillShape(picture, bar([u, top - 0.03], [left + 0.01 + fold * 0.022 + sway, 0.44], 0.008), { light: colour('#3a3a3a'), cover: 0.7 });
  }
  glow(picture, { u: 0.12, v: 0.14, radius: 0.4 }, colour('#ffffff', 0.9));
  fillShape(picture, [0.04, 0.16, 0.08, 0.08, 0.16, 0.08, 0.2, 0.16], { light: colour('#f0f0f0', 1.2) });
}

const profile = [
  0.02, 1.05, -0.3, 1.05, -0.29, 0.84, -0.24, 0.72, -0.12, 0.655, -0.1, 0.6, -0.135, 0.55, -0.14, 0.47, -0.1, 0.41, -0.03, 0.395, 0.03,
  0.42, 0.05, 0.46, 0.053, 0.49, 0.08, 0.54, 0.058, 0.553, 0.063, 0.575, 0.05, 0.588, 0.055, 0.605, 0.03, 0.635, -0.01, 0.64, -0.015, 0.67,
  0.07, 0.73, 0.12, 0.86, 0.13, 1.05,
];

/** Somebody in a hat who looks out, and now and then turns a page. */
function paintPassenger(picture: Picture, seconds: number): void {
  const at = { u: 0.52, v: 0.002 * Math.sin(seconds * 1.4), scale: 1, turn: 0.004 * Math.sin(seconds * 0.8) };
  fillShape(picture, placed(profile, at), { light: shade });
  fillShape(picture, placed(ellipse(-0.035, 0.43, { width: 0.3, height: 0.035, turn: 0.08 }), at), { light: shade });
  fillShape(picture, placed([-0.15, 0.43, -0.135, 0.34, -0.03, 0.32, 0.05, 0.35, 0.06, 0.44], at), { light: shade });
  const page = 0.02 * Math.max(0, Math.sin(seconds * 0.9));
  fillShape(picture, [0.6, 0.86, 0.78, 0.8 - page, 0.97, 0.84 - page, 0.95, 1.02, 0.62, 1.05], { light: colour('#b8b8b8', 0.8) });
  for (let line = 0; line < 6; line++) {
    fillShape(picture, bar([0.65, 0.885 + line * 0.022], [0.9, 0.865 + line * 0.022 - page], 0.006), {
      light: colour('#3a3a3a'),
      cover: 0.7,
    });
  }
  fillShape(picture, ellipse(0.62, 0.95, { width: 0.1, height: 0.07, turn: -0.4 }), { light: shade });
}
