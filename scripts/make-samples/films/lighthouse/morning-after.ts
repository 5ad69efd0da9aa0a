import type { Shot } from '../../film.ts';
import { bloom } from '../../light/bloom.ts';
import { colour } from '../../light/colour.ts';
import { fillShape } from '../../light/fill-shape.ts';
import { glow } from '../../light/glow.ts';
import { gradient } from '../../light/gradient.ts';
import type { Picture } from '../../light/picture.ts';
import { reflect } from '../../light/reflect.ts';
import { ellipse } from '../../light/shapes.ts';
import { burnInClock } from '../../parts/burned-in-clock.ts';
import { paintRidge } from '../../parts/ridge.ts';
import { paintSky } from '../../parts/sky.ts';
import { paintLighthouse } from './lighthouse.ts';

const horizon = 0.62;
const tones = gradient([0, '#5f8fc4'], [0.5, '#b9cfd8'], [0.85, '#ffe3b0'], [1, '#ffd08a']);

/** The morning after: the same rock, a flat sea and gulls. */
export const morningAfter: Shot = {
  lengthInSeconds: 10,
  print: { vignette: 0.3 },
  draw(picture, seconds) {
    const sun = { u: 0.5, v: 0.54 - seconds * 0.006 };
    paintSky(picture, {
      horizon,
      seconds,
      tones,
      sun: { ...sun, reach: 0.3, light: colour('#ffb25c', 0.6) },
      clouds: { amount: 0.4, drift: 0.012, light: colour('#9fb0c4'), lit: colour('#fff0d8'), seed: 44 },
    });
    fillShape(picture, ellipse(sun.u, sun.v, { width: 0.075, height: 0.075 }), { light: colour('#fff6da', 2.6) });
    glow(picture, { ...sun, radius: 0.8 }, colour('#ffc070', 1.3));
    paintRidge(picture, { base: horizon, rise: 0.05, width: 0.8, seed: 19, light: colour('#8fa3b4') });
    paintLighthouse(picture, { u: 1.25, v: horizon - 0.03, height: 0.3, brightness: 0.85 });
    reflect(picture, {
      horizon,
      time: seconds * 0.5,
      ripple: 0.03,
      fineness: 6,
      depth: colour('#1c3a4a', 0.5),
      mirror: [0.9, 0.62],
      glitter: { u: sun.u, width: 0.08, light: colour('#ffd79a', 1) },
    });
    for (let gull = 0; gull < 9; gull++) paintGull(picture, gull, seconds);
    bloom(picture, { strength: 0.45, radius: 0.04, from: 0.7 });
    burnInClock(picture, { camera: 'NORVIK LIGHT', startsAt: 28335, seconds });
  },
};

function paintGull(picture: Picture, gull: number, seconds: number): void {
  const size = 0.016 + (gull % 4) * 0.007;
  const u = ((gull * 0.37 + seconds * (0.03 + (gull % 3) * 0.012)) % 2) - 0.1;
  const v = 0.2 + ((gull * 0.23) % 0.24) + 0.02 * Math.sin(seconds * 0.7 + gull * 2);
  const beat = (gull % 3 === 0 ? 0.25 : 1) * Math.sin(seconds * 6 + gull * 1.7);
  const tip = -0.3 - 0.75 * beat;
  const outline = [
    -1,
    tip,
    -0.5,
    -0.35 - 0.3 * beat,
    0,
    0,
    0.5,
    -0.35 - 0.3 * beat,
    1,
    tip,
    0.5,
    -0.18 - 0.3 * beat,
    0.08,
    0.22,
    -0.08,
    0.22,
    -0.5,
    -0.18 - 0.3 * beat,
  ];
  fillShape(
    picture,
    outline.map((place, index) => (index % 2 ? v : u) + place * size),
    { light: colour('#3a4654') },
  );
}
