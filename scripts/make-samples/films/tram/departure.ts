import type { Shot } from '../../film.ts';
import { bloom } from '../../light/bloom.ts';
import { colour } from '../../light/colour.ts';
import { rise } from '../../light/curves.ts';
import { fillShape } from '../../light/fill-shape.ts';
import { write } from '../../light/lettering.ts';
import type { Picture } from '../../light/picture.ts';
import { box } from '../../light/shapes.ts';
import { paintRain } from '../../parts/rain.ts';
import { paintHouses, paintWetRoad } from './old-street.ts';
import { paintLamps, paintRails, paintSign, paintWires } from './street-furniture.ts';
import { paintTramEnd } from './tram-end.ts';

/** The red lamps go away down the street; the windows go out behind them. */
export const departure: Shot = {
  lengthInSeconds: 11,
  print: { vignette: 0.45 },
  draw(picture, seconds) {
    const forward = 14.3;
    const power = rise(6.2, 6, seconds);
    paintHouses(picture, { seconds: seconds + 60, forward, awake: 0.9 - 0.6 * rise(2, 10, seconds) });
    paintWires(picture);
    paintSign(picture, { words: 'THEATRE', side: 1, depth: 2.2, up: 0.5, size: 0.12, hex: '#ff5a3c' }, { forward: 0, power });
    paintSign(
      picture,
      { words: 'RECORDS', side: -1, depth: 2.6, up: 0.24, size: 0.11, hex: '#4affc0' },
      { forward: 0, power: rise(8.2, 8, seconds) },
    );
    paintLamps(picture, { forward });
    paintWetRoad(picture, { seconds, forward });
    paintRails(picture);
    paintTramEnd(picture, { depth: 1.2 + 0.09 * seconds ** 1.95, end: 'back', display: '28', seconds });
    paintRain(picture, { seconds, count: 110, slant: 0.12, strength: 0.2 });
    paintBoard(picture, seconds);
    bloom(picture, { strength: 0.5, radius: 0.03, from: 0.5 });
  },
};

/** The board of the stop, close to the eye. */
function paintBoard(picture: Picture, seconds: number): void {
  const over = seconds > 4.5;
  fillShape(picture, box(0.08, 0.1, { width: 0.56, height: 0.2 }), { light: colour('#050608') });
  fillShape(picture, box(0.11, 0.3, { width: 0.03, height: 0.8 }), { light: colour('#050608') });
  const amber = colour('#ffb52e', 1.9);
  const first = over ? 'LINE 28' : 'LINE 28  00:48';
  const second = over ? 'NO MORE TRAMS TONIGHT' : 'LAST TRAM';
  write(picture, { words: first, face: 'mono', light: amber }, { u: 0.11, v: 0.16, size: 0.046 });
  write(picture, { words: second, face: 'mono', light: amber }, { u: 0.11, v: 0.24, size: 0.034 });
}
