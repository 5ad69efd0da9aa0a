import type { Shot } from '../../film.ts';
import { bloom } from '../../light/bloom.ts';
import { paintRain } from '../../parts/rain.ts';
import { paintHouses, paintWetRoad } from './old-street.ts';
import { paintLamps, paintRails, paintSign, paintWires, type Sign } from './street-furniture.ts';
import { paintTramEnd } from './tram-end.ts';

const signs: Sign[] = [
  { words: 'HOTEL', side: 1, depth: 3.3, up: 0.62, size: 0.15, hex: '#7a5cff' },
  { words: 'BAKERY', side: -1, depth: 3.4, up: 0.14, size: 0.1, hex: '#ffb03a' },
  { words: 'BOOKS', side: 1, depth: 2.4, up: 0.2, size: 0.11, hex: '#35d6ff' },
  { words: 'CAFE ORION', side: -1, depth: 1.75, up: 0.38, size: 0.105, hex: '#ff3d7f' },
];

/** Rain in the old street; far away the headlamps of the last tram. */
export const arrival: Shot = {
  lengthInSeconds: 11,
  print: { vignette: 0.4 },
  draw(picture, seconds) {
    const forward = seconds * 0.02;
    paintHouses(picture, { seconds, forward, awake: 1 });
    paintWires(picture);
    for (const sign of signs)
      paintSign(picture, sign, { forward, power: sign.words === 'BAKERY' && Math.sin(seconds * 23) > 0.93 ? 0.3 : 1 });
    paintLamps(picture, { forward });
    paintWetRoad(picture, { seconds, forward });
    paintRails(picture);
    paintTramEnd(picture, { depth: 1.25 + 9 * (1 - seconds / 11) ** 1.6, end: 'front', display: '28 HARBOUR', seconds });
    paintRain(picture, { seconds, count: 150, slant: 0.12, strength: 0.22 });
    bloom(picture, { strength: 0.5, radius: 0.03, from: 0.5 });
  },
};
