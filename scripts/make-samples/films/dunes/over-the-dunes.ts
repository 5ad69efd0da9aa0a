import type { Shot } from '../../film.ts';
import { bloom } from '../../light/bloom.ts';
import { colour } from '../../light/colour.ts';
import { fillShape } from '../../light/fill-shape.ts';
import { glow } from '../../light/glow.ts';
import { gradient } from '../../light/gradient.ts';
import { ellipse } from '../../light/shapes.ts';
import { paintTerrain } from '../../light/terrain.ts';
import { lowerThird } from '../../parts/lower-third.ts';
import { paintSky } from '../../parts/sky.ts';
import { paintBlownSand } from './blown-sand.ts';
import { duneLand } from './dune-field.ts';

const horizon = 0.42;
const tones = gradient([0, '#4f7fb0'], [0.5, '#b9b3a6'], [0.85, '#ffd79a'], [1, '#ffc27a']);
const land = duneLand({
  lit: colour('#f7b468', 1.1),
  shade: colour('#4a1f28'),
  haze: colour('#ffc68a', 0.8),
  sun: [-0.8, 0.36, 0.35],
  clarity: 0.055,
});

/** Low over the dunes towards evening, with the wind. */
export const overTheDunes: Shot = {
  lengthInSeconds: 11,
  print: { vignette: 0.35 },
  draw(picture, seconds) {
    paintSky(picture, {
      horizon: horizon + 0.08,
      seconds,
      tones,
      sun: { u: 0.36, v: 0.3, reach: 0.3, light: colour('#ffb45c', 0.7) },
      clouds: { amount: 0.25, drift: 0.02, light: colour('#c9a894'), lit: colour('#ffe2b8'), seed: 21 },
    });
    fillShape(picture, ellipse(0.36, 0.3, { width: 0.11, height: 0.11 }), { light: colour('#fff3d0', 2.4) });
    glow(picture, { u: 0.36, v: 0.3, radius: 0.9 }, colour('#ffb050', 1.2));
    const z = seconds * 0.34;
    paintTerrain(picture, { x: 3 + seconds * 0.08, z, height: 2.3, pitch: horizon, zoom: 0.95, reach: 60, stride: 0.0065 }, land);
    paintBlownSand(picture, { seconds, top: 0.45, light: colour('#ffd9a0', 0.8), strength: 0.34 });
    bloom(picture, { strength: 0.4, radius: 0.05, from: 0.7 });
    lowerThird(picture, ['Dunes in the wind', 'The salt road, day eleven'], { seconds, from: 1.5, to: 6.5 });
  },
};
