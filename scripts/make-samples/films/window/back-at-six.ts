import type { Shot } from '../../film.ts';
import { bloom } from '../../light/bloom.ts';
import { colour } from '../../light/colour.ts';
import { rise } from '../../light/curves.ts';
import { fillShape } from '../../light/fill-shape.ts';
import { write } from '../../light/lettering.ts';
import type { Picture } from '../../light/picture.ts';
import { bar } from '../../light/shapes.ts';
import { paintStreet } from './street.ts';
import { paintGlass } from './wet-glass.ts';

const clear = colour('#ffffff');

/** Night behind a misted pane; somebody has written on it with a finger. */
export const backAtSix: Shot = {
  lengthInSeconds: 10,
  print: { vignette: 0.3 },
  draw(picture, seconds) {
    const lamps = ['#ffb14a', '#ff6b4a', '#ffd28a', '#5ab0ff', '#ff9a3d', '#4ae0b5'];
    paintStreet(picture, { seconds, above: '#0b1230', below: '#241a2c', lamps, blur: 1, strength: 1 });
    const fog = { thickness: 0.62, light: colour('#7c88b4', 0.6) };
    paintGlass(picture, { seconds, fog, rain: 1, wipe: (mask) => wipeWords(mask, seconds) });
    bloom(picture, { strength: 0.35, radius: 0.02, from: 0.5 });
  },
};

/** Three words, one after the other, and the water that gathers and runs from them. */
function wipeWords(mask: Picture, seconds: number): void {
  const lines = [
    { words: 'BACK', v: 0.13, from: 1 },
    { words: 'AT SIX', v: 0.235, from: 2.2 },
  ];
  for (const { words, v, from } of lines) {
    write(
      mask,
      { words, face: 'sans', light: clear },
      { u: 0.28, v, size: 0.115, anchor: 'middle', cover: rise(from, from + 0.8, seconds) },
    );
  }
  for (const [u, v, from] of [
    [0.165, 0.168, 3.2],
    [0.315, 0.272, 4],
    [0.41, 0.272, 5.5],
  ] as const) {
    const length = 0.09 * rise(from, from + 4, seconds);
    fillShape(mask, bar([u, v], [u + 0.002, v + length], 0.006), { light: clear, cover: 0.85 });
  }
}
