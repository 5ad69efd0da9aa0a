import type { Shot } from '../../film.ts';
import { bloom } from '../../light/bloom.ts';
import { blend, colour } from '../../light/colour.ts';
import { mix, rise } from '../../light/curves.ts';
import { fillShape } from '../../light/fill-shape.ts';
import { glow } from '../../light/glow.ts';
import { write } from '../../light/lettering.ts';
import { paintDisc } from '../../light/paint-disc.ts';
import type { Picture } from '../../light/picture.ts';
import { box } from '../../light/shapes.ts';
import { paintStreet } from './street.ts';
import { paintGlass } from './wet-glass.ts';

/** The focus goes through the pane to the hotel across the street, and a tram passes below it. */
export const hotelOrion: Shot = {
  lengthInSeconds: 9,
  print: { vignette: 0.3 },
  draw(picture, seconds) {
    const blur = mix(1, 0.12, rise(0.8, 3.4, seconds));
    const lamps = ['#ff5fa8', '#5ad1ff', '#ffd28a', '#a77bff', '#ff8a5a'];
    paintStreet(picture, { seconds: seconds + 30, above: '#0d0f2c', below: '#2a1636', lamps, blur, strength: 0.9 });
    paintHotel(picture, blur, seconds);
    paintTram(picture, blur, seconds);
    paintGlass(picture, { seconds: seconds + 40, fog: { thickness: 0.1 + blur * 0.25, light: colour('#4a4574', 0.5) }, rain: 0.75 });
    bloom(picture, { strength: 0.5, radius: 0.02, from: 0.5 });
  },
};

function paintHotel(picture: Picture, blur: number, seconds: number): void {
  const sharp = rise(0.55, 0.2, blur);
  fillShape(picture, box(0.13, 0.18, { width: 0.3, height: 0.56 }), { light: colour('#14122c'), cover: sharp * 0.9 });
  for (let row = 0; row < 6; row++) {
    for (let column = 0; column < 4; column++) {
      const lit = (row * 3 + column * 5) % 7 < 3;
      const pane = box(0.155 + column * 0.068, 0.34 + row * 0.06, { width: 0.045, height: 0.036 });
      fillShape(picture, pane, { light: lit ? colour('#ffc27a', 1.1) : colour('#1d1c3c'), cover: sharp });
    }
  }
  const flicker = seconds > 4.4 && seconds < 4.55 ? 0.3 : 1;
  const neon = blend(colour('#ff2f7d'), colour('#ffd9e8'), 0.6);
  const light = { r: neon.r * 2.6 * flicker, g: neon.g * 2.6 * flicker, b: neon.b * 2.6 * flicker };
  for (const [words, v] of [
    ['HOTEL', 0.225],
    ['ORION', 0.29],
  ] as const) {
    glow(picture, { u: 0.28, v, radius: 0.18 }, colour('#ff2f7d', 0.6 * flicker));
    write(picture, { words, face: 'sans', light }, { u: 0.28, v, size: 0.07, anchor: 'middle', cover: sharp });
    if (blur > 0.4)
      for (let disc = 0; disc < 5; disc++) paintDisc(picture, { u: 0.19 + disc * 0.045, v, radius: 0.05 * blur }, colour('#ff2f7d', 0.3));
  }
}

function paintTram(picture: Picture, blur: number, seconds: number): void {
  const left = mix(0.7, -1.6, rise(3.5, 9.5, seconds));
  if (left > 0.6) return;
  fillShape(picture, box(left, 0.7, { width: 0.95, height: 0.12 }), { light: colour('#1a1024'), cover: 0.9 });
  for (let window = 0; window < 9; window++) {
    const pane = box(left + 0.025 + window * 0.102, 0.717, { width: 0.085, height: 0.05 });
    fillShape(picture, pane, { light: colour('#ffe0a6', 1.3), cover: 1 - blur * 0.4 });
  }
  fillShape(picture, box(left, 0.79, { width: 0.95, height: 0.012 }), { light: colour('#b8322a', 0.8) });
}
