import type { Shot } from '../../film.ts';
import { bloom } from '../../light/bloom.ts';
import { type Colour, colour, scaled } from '../../light/colour.ts';
import { mix, rise } from '../../light/curves.ts';
import { fillShape } from '../../light/fill-shape.ts';
import { glow } from '../../light/glow.ts';
import { write } from '../../light/lettering.ts';
import { noise, scatter } from '../../light/noise.ts';
import { paint } from '../../light/paint.ts';
import type { Picture } from '../../light/picture.ts';
import { reflect } from '../../light/reflect.ts';
import { bar, box } from '../../light/shapes.ts';
import { paintPerson } from '../../parts/person.ts';
import { paintRain } from '../../parts/rain.ts';
import { paintTramSide } from './tram-side.ts';

const street = 0.8;
const fronts: Array<{ u: number; width: number; words: string; hex: string }> = [
  { u: 0.02, width: 0.5, words: 'BOOKS', hex: '#35d6ff' },
  { u: 0.56, width: 0.62, words: 'CAFE ORION', hex: '#ff3d7f' },
  { u: 1.22, width: 0.52, words: 'FLOWERS', hex: '#7dff9a' },
];

/** Across the street: the tram slides in between the shops and the people who wait. */
export const atTheStop: Shot = {
  lengthInSeconds: 10,
  print: { vignette: 0.4 },
  draw(picture, seconds) {
    paintWall(picture);
    for (const front of fronts) paintShopFront(picture, front);
    paintTramSide(picture, { u: mix(1.95, 0.12, rise(0.5, 6.5, seconds)), foot: street, seconds });
    reflect(picture, { horizon: street, time: seconds * 1.4, ripple: 0.02, fineness: 7, depth: colour('#07070d'), mirror: [0.6, 0.42] });
    fillShape(picture, bar([-0.1, street + 0.035], [1.9, street + 0.035], 0.006), { light: colour('#c9b8a8', 0.3) });
    paintPerson(picture, { u: 0.3, foot: 0.985, height: 0.42, umbrella: '#7d1f2c', seconds });
    paintPerson(picture, { u: 1.42, foot: 0.97, height: 0.39, umbrella: '#1f3f6d', seconds: seconds + 2 });
    paintPerson(picture, { u: 1.55, foot: 0.985, height: 0.43, seconds: seconds + 4 });
    paintRain(picture, { seconds, count: 130, slant: 0.1, strength: 0.2 });
    bloom(picture, { strength: 0.5, radius: 0.03, from: 0.5 });
  },
};

function paintWall(picture: Picture): void {
  paint(picture, { bottom: street + 0.01, step: 4 }, (u, v, ink) => {
    const stone = 0.7 + 0.4 * noise(u * 9, v * 9);
    ink.r = 0.02 * stone * (0.4 + v);
    ink.g = 0.015 * stone * (0.4 + v);
    ink.b = 0.034 * stone * (0.4 + v);
  });
  for (let column = 0; column < 11; column++) {
    for (let row = 0; row < 2; row++) {
      const lit = scatter(column, row + 140) < 0.45;
      const light: Colour = lit ? colour('#ffbe78', 0.28 + scatter(column, row) * 0.3) : colour('#0c0e1a');
      fillShape(picture, box(0.05 + column * 0.16, -0.06 + row * 0.17, { width: 0.075, height: 0.12 }), { light });
      if (lit && scatter(column, row + 9) > 0.5)
        fillShape(picture, box(0.085 + column * 0.16, -0.06 + row * 0.17, { width: 0.005, height: 0.12 }), { light: colour('#1a1208') });
    }
  }
}

function paintShopFront(picture: Picture, front: { u: number; width: number; words: string; hex: string }): void {
  const light = colour(front.hex);
  const middle = front.u + front.width / 2;
  fillShape(picture, box(front.u, 0.27, { width: front.width, height: 0.1 }), { light: colour('#0b0a14') });
  for (let pane = 0; pane < 3; pane++) {
    const width = front.width / 3 - 0.015;
    const left = front.u + pane * (front.width / 3);
    fillShape(picture, box(left, 0.39, { width, height: 0.38 }), { light: scaled(colour('#ffcf94'), 0.35) });
    for (let shelf = 0; shelf < 18; shelf++) {
      const at = box(left + scatter(shelf, pane + 5) * width * 0.85, 0.44 + (shelf % 4) * 0.085, { width: 0.016, height: 0.05 });
      fillShape(picture, at, { light: scaled(blended(light, shelf), 0.16) });
    }
  }
  glow(picture, { u: middle, v: 0.32, radius: front.width * 0.6, stretch: 0.6 }, scaled(light, 0.5));
  const tube = { r: 0.5 + light.r * 1.8, g: 0.5 + light.g * 1.8, b: 0.5 + light.b * 1.8 };
  write(picture, { words: front.words, face: 'sans', light: tube }, { u: middle, v: 0.32, size: 0.068, anchor: 'middle' });
}

function blended(light: Colour, shelf: number): Colour {
  return shelf % 2 ? light : { r: light.g, g: light.b * 0.6, b: light.r };
}
