import type { Shot } from '../../film.ts';
import { bloom } from '../../light/bloom.ts';
import { colour, scaled } from '../../light/colour.ts';
import { mix, rise } from '../../light/curves.ts';
import { fillShape } from '../../light/fill-shape.ts';
import { glow } from '../../light/glow.ts';
import { gradient } from '../../light/gradient.ts';
import { write } from '../../light/lettering.ts';
import { scatter } from '../../light/noise.ts';
import type { Picture } from '../../light/picture.ts';
import { reflect } from '../../light/reflect.ts';
import { box } from '../../light/shapes.ts';
import { paintSky } from '../../parts/sky.ts';
import { paintCrane } from './gantry-crane.ts';

const horizon = 0.74;
const tones = gradient([0, '#0b1433'], [0.5, '#243068'], [0.82, '#6d4b7d'], [1, '#d9805f']);
const steel = colour('#0a0e1a');
const boxes = ['#7c2f2a', '#25506b', '#8a6a2c', '#2f5a45', '#5d5f68'].map((hex) => colour(hex));

/** Under the big crane: the last container of the day goes down beside the lit sign of its maker. */
export const containerCrane: Shot = {
  lengthInSeconds: 9,
  print: { vignette: 0.45 },
  draw(picture, seconds) {
    paintSky(picture, {
      horizon,
      seconds: seconds + 40,
      tones,
      sun: { u: 0.3, v: horizon, reach: 0.3, light: colour('#ff8b4a', 0.4) },
      clouds: { amount: 0.5, drift: 0.03, light: colour('#262a55'), lit: colour('#b46a72'), seed: 7.7 },
    });
    paintStacks(picture);
    paintShed(picture, seconds);
    paintCrane(
      picture,
      { u: 1.34, v: horizon + 0.01, height: 0.72 },
      { light: steel, trolley: mix(0.25, 0.75, rise(0, 7, seconds)), rope: mix(0.12, 0.42, rise(1, 9, seconds)) },
    );
    paintFloodLights(picture, seconds);
    reflect(picture, { horizon, time: seconds * 0.6, ripple: 0.035, fineness: 4, depth: colour('#0a1226', 0.8), mirror: [0.8, 0.6] });
    bloom(picture, { strength: 0.6, radius: 0.035 });
  },
};

function paintStacks(picture: Picture): void {
  for (let column = 0; column < 11; column++) {
    const height = 1 + Math.floor(scatter(column, 31) * 4);
    for (let level = 0; level < height; level++) {
      const paintwork = boxes[Math.floor(scatter(column, level + 40) * boxes.length)] ?? steel;
      const at = box(0.66 + column * 0.105, horizon - 0.044 * (level + 1), { width: 0.1, height: 0.042 });
      fillShape(picture, at, { light: scaled(paintwork, 0.16 + 0.1 * scatter(level, column)) });
    }
  }
}

function paintShed(picture: Picture, seconds: number): void {
  fillShape(picture, [-0.1, horizon, -0.1, 0.42, 0.3, 0.36, 0.62, 0.42, 0.62, horizon], { light: colour('#10141f') });
  for (let row = 0; row < 2; row++) {
    for (let column = 0; column < 9; column++) {
      const lit = scatter(column, row + 70) > 0.4 && seconds > scatter(row, column) * 5;
      const pane = lit ? colour('#ffc778', 0.9) : colour('#1a2133');
      fillShape(picture, box(0.03 + column * 0.063, 0.57 + row * 0.07, { width: 0.045, height: 0.04 }), { light: pane });
    }
  }
  const lit = seconds > 1.2 && (seconds > 1.5 || seconds < 1.32);
  const neon = lit ? colour('#ffe9c4', 2.6) : colour('#39404f');
  fillShape(picture, box(0.03, 0.435, { width: 0.56, height: 0.1 }), { light: lit ? colour('#3a1c10') : colour('#141926') });
  write(picture, { words: 'NORVIK CRANES', face: 'sans', light: neon }, { u: 0.31, v: 0.485, size: 0.068, anchor: 'middle' });
}

function paintFloodLights(picture: Picture, seconds: number): void {
  for (const [u, v, from] of [
    [1.22, 0.3, 0.4],
    [1.46, 0.3, 0.8],
    [0.9, 0.31, 2.2],
    [1.42, 0.03, 3],
  ] as const) {
    if (seconds > from) glow(picture, { u, v, radius: 0.2 }, colour('#ffe2b0', 3.2));
  }
}
