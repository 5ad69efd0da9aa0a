import type { Shot } from '../../film.ts';
import { bloom } from '../../light/bloom.ts';
import { colour } from '../../light/colour.ts';
import { gradient } from '../../light/gradient.ts';
import { paintTerrain } from '../../light/terrain.ts';
import { burnInClock } from '../../parts/burned-in-clock.ts';
import { lowerThird } from '../../parts/lower-third.ts';
import { paintRain } from '../../parts/rain.ts';
import { paintSky } from '../../parts/sky.ts';
import { paintBeams, paintLighthouse } from './lighthouse.ts';
import { openSea } from './open-sea.ts';
import { paintSpray } from './spray.ts';

const horizon = 0.6;
const tones = gradient([0, '#0a1018'], [0.6, '#1d2a36'], [1, '#3a4a52']);

/** The station camera on a bad evening: beams through rain, seas over the rock. */
export const gale: Shot = {
  lengthInSeconds: 11,
  print: { vignette: 0.4 },
  draw(picture, seconds) {
    paintSky(picture, {
      horizon: horizon + 0.05,
      seconds,
      tones,
      sun: { u: 0.3, v: 0.5, reach: 0.4, light: colour('#4a5a5c', 0.3) },
      clouds: { amount: 0.9, drift: 0.09, light: colour('#0c1219'), lit: colour('#3d4c55'), seed: 15 },
    });
    const tower = { u: 1.22, v: 0.605, height: 0.36, brightness: 0.24 };
    paintBeams(picture, tower, { turn: seconds / 6 + 0.1, strength: 0.55 });
    paintLighthouse(picture, tower);
    paintSpray(picture, { u: 1.02, v: 0.69, seconds });
    const sea = {
      seconds: seconds * 1.5,
      swell: 0.17,
      deep: colour('#070f16'),
      sky: colour('#33464f'),
      foam: colour('#9fb0b4', 0.6),
      haze: colour('#2e3c44'),
      clarity: 0.045,
    };
    paintTerrain(picture, { x: 0, z: seconds * 0.05, height: 0.85, pitch: horizon, zoom: 1, reach: 26, stride: 0.011 }, openSea(sea));
    paintRain(picture, { seconds: seconds * 1.3, count: 170, slant: 0.5, strength: 0.16 });
    bloom(picture, { strength: 0.5, radius: 0.03, from: 0.5 });
    burnInClock(picture, { camera: 'NORVIK LIGHT', startsAt: 76447, seconds });
    lowerThird(picture, ['Gale warning', 'Sea area Norvik, force nine'], { seconds, from: 3, to: 8.5 });
  },
};
