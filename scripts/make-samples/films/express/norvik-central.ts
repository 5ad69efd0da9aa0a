import type { Shot } from '../../film.ts';
import { bloom } from '../../light/bloom.ts';
import { colour } from '../../light/colour.ts';
import { mix, rise } from '../../light/curves.ts';
import { fillShape } from '../../light/fill-shape.ts';
import { glow } from '../../light/glow.ts';
import { gradient } from '../../light/gradient.ts';
import { write } from '../../light/lettering.ts';
import { paint } from '../../light/paint.ts';
import type { Picture } from '../../light/picture.ts';
import { bar, box, ellipse } from '../../light/shapes.ts';
import { wearPrint } from '../../parts/old-print.ts';
import { paintPerson } from '../../parts/person.ts';
import { paintSnowfall } from '../../parts/snowfall.ts';
import { oldPrint } from './old-print-look.ts';
import { paintSteam } from './steam.ts';
import { paintTrain } from './steam-train.ts';

const platform = 0.84;
const rail = 0.8;
const tones = gradient([0, '#151515'], [0.6, '#2c2c2c'], [1, '#5c5c5c']);
const iron = colour('#0d0d0d');

/** Six minutes past six: lamps, snow, hats, and the engine comes in. */
export const norvikCentral: Shot = {
  lengthInSeconds: 10,
  print: oldPrint,
  draw(picture, seconds) {
    paint(picture, { step: 8 }, (_u, v, ink) => Object.assign(ink, tones(v / platform)));
    paintHall(picture);
    const front = (at: number) => mix(2.1, 0.62, rise(-3, 7, at));
    const speed = Math.max(0, 0.3 * (1 - seconds / 7));
    paintTrain(picture, { u: front(seconds), v: rail, scale: 0.62, carriages: 1, speed, seconds, mirrored: true });
    paintSteam(picture, { chimney: (at) => ({ u: front(at) + 0.165 * 0.62, v: rail - 0.46 * 0.62 }), seconds, size: 0.16, strength: 0.5 });
    paintRoofAndSign(picture);
    paintClock(picture, seconds);
    fillShape(picture, [-0.1, platform, 1.9, platform, 1.9, 1.1, -0.1, 1.1], { light: colour('#4a4a4a') });
    fillShape(picture, box(-0.1, platform, { width: 2, height: 0.008 }), { light: colour('#d8d8d8', 0.8) });
    for (const [u, height] of [
      [0.2, 0.4],
      [0.3, 0.37],
      [1.36, 0.41],
      [1.58, 0.39],
    ] as const) {
      paintPerson(picture, { u, foot: 0.975, height, seconds: seconds + u * 9 });
      paintHat(picture, { u: u + 0.004 * Math.sin((seconds + u * 9) * 0.9), top: 0.975 - height });
    }
    for (const u of [0.52, 1.2]) paintLamp(picture, u);
    paintSnowfall(picture, { seconds, count: 120, wind: -0.05, strength: 0.4 });
    bloom(picture, { strength: 0.5, radius: 0.035, from: 0.55 });
    wearPrint(picture, seconds + 20);
  },
};

function paintHall(picture: Picture): void {
  for (let arch = 0; arch < 6; arch++) {
    const u = 0.06 + arch * 0.3;
    const outline = [u, 0.7, u + 0.2, 0.7];
    for (let step = 0; step <= 12; step++) {
      const angle = (step / 12) * Math.PI;
      outline.push(u + 0.1 + Math.cos(angle) * 0.1, 0.4 - Math.sin(angle) * 0.1);
    }
    fillShape(picture, outline, { light: colour('#a8a8a8', 0.8) });
    for (const post of [0.066, 0.133]) fillShape(picture, box(u + post, 0.3, { width: 0.006, height: 0.4 }), { light: iron });
    for (const cross of [0.4, 0.5, 0.6]) fillShape(picture, box(u, cross, { width: 0.2, height: 0.006 }), { light: iron });
  }
}

function paintRoofAndSign(picture: Picture): void {
  fillShape(picture, [-0.1, -0.1, 1.9, -0.1, 1.9, 0.1, -0.1, 0.17], { light: iron });
  for (let beam = 0; beam < 10; beam++) fillShape(picture, bar([beam * 0.2, 0.1], [beam * 0.2 + 0.1, 0.16], 0.01), { light: iron });
  for (const u of [0.67, 1.11]) fillShape(picture, box(u, 0.1, { width: 0.008, height: 0.14 }), { light: iron });
  fillShape(picture, box(0.54, 0.215, { width: 0.7, height: 0.11 }), { light: colour('#f2f2f2', 0.95) });
  fillShape(picture, box(0.553, 0.228, { width: 0.674, height: 0.084 }), { light: colour('#1a1a1a') });
  write(
    picture,
    { words: 'NORVIK CENTRAL', face: 'sans', light: colour('#ffffff', 1.3) },
    { u: 0.89, v: 0.27, size: 0.064, anchor: 'middle' },
  );
}

function paintClock(picture: Picture, seconds: number): void {
  const at = { u: 1.48, v: 0.3 };
  fillShape(picture, box(at.u - 0.006, 0.08, { width: 0.012, height: 0.1 }), { light: iron });
  fillShape(picture, ellipse(at.u, at.v, { width: 0.23, height: 0.23 }), { light: iron });
  fillShape(picture, ellipse(at.u, at.v, { width: 0.205, height: 0.205 }), { light: colour('#fffbe8', 1.1) });
  const hand = (turn: number, length: number, thickness: number) => {
    const angle = turn * Math.PI * 2;
    fillShape(picture, bar([at.u, at.v], [at.u + Math.sin(angle) * length, at.v - Math.cos(angle) * length], thickness), { light: iron });
  };
  for (let hour = 0; hour < 12; hour++) {
    const angle = (hour / 12) * Math.PI * 2;
    const from: [number, number] = [at.u + Math.sin(angle) * 0.083, at.v - Math.cos(angle) * 0.083];
    fillShape(picture, bar(from, [at.u + Math.sin(angle) * 0.096, at.v - Math.cos(angle) * 0.096], 0.007), { light: iron });
  }
  hand((6 + 6 / 60) / 12, 0.055, 0.011);
  hand(6 / 60, 0.084, 0.008);
  hand((40 + Math.floor(seconds)) / 60, 0.09, 0.003);
}

function paintHat(picture: Picture, { u, top }: { u: number; top: number }): void {
  fillShape(picture, ellipse(u, top + 0.015, { width: 0.085, height: 0.016 }), { light: iron });
  fillShape(picture, box(u - 0.027, top - 0.02, { width: 0.054, height: 0.036 }), { light: iron });
}

function paintLamp(picture: Picture, u: number): void {
  fillShape(picture, box(u - 0.006, 0.42, { width: 0.012, height: 0.56 }), { light: iron });
  fillShape(picture, ellipse(u, 0.42, { width: 0.05, height: 0.06 }), { light: colour('#ffffff', 1.6) });
  glow(picture, { u, v: 0.42, radius: 0.4 }, colour('#ffffff', 1.6));
}
