import type { Shot } from '../../film.ts';
import { bloom } from '../../light/bloom.ts';
import { blend, colour } from '../../light/colour.ts';
import { bump } from '../../light/curves.ts';
import { fillShape } from '../../light/fill-shape.ts';
import { glow } from '../../light/glow.ts';
import { gradient } from '../../light/gradient.ts';
import { write } from '../../light/lettering.ts';
import type { Picture } from '../../light/picture.ts';
import { seededRandom } from '../../light/seeded-random.ts';
import { bar, box, ellipse, placed } from '../../light/shapes.ts';
import { paintTerrain } from '../../light/terrain.ts';
import { burnInClock } from '../../parts/burned-in-clock.ts';
import { paintRain } from '../../parts/rain.ts';
import { paintSky } from '../../parts/sky.ts';
import { openSea, waveHeight } from './open-sea.ts';

const horizon = 0.5;
const tones = gradient([0, '#0b0f1c'], [0.6, '#1a2236'], [1, '#36405a']);
const strikes = [2.1, 5.6, 5.85];

/** A buoy rides the swell; lightning shows how big the sea is. */
export const bellBuoy: Shot = {
  lengthInSeconds: 9,
  print: { vignette: 0.45 },
  draw(picture, seconds) {
    const flash = strikes.reduce((sum, at) => sum + (seconds < at ? 0 : Math.exp(-(seconds - at) * 5)), 0);
    const lit = Math.min(1, flash);
    paintSky(picture, {
      horizon: horizon + 0.06,
      seconds: seconds + 30,
      tones,
      sun: { u: 0.5, v: 0.25, reach: 0.5, light: colour('#8fa8ff', lit * 0.5) },
      clouds: {
        amount: 0.85,
        drift: 0.07,
        light: blend(colour('#0a0d18'), colour('#4a567e'), lit),
        lit: blend(colour('#2a3248'), colour('#c9d6ff'), lit),
        seed: 31,
      },
    });
    for (const at of strikes) paintBolt(picture, { seed: at * 10, strength: bump(at + 0.05, 0.09, seconds) });
    const motion = { seconds: seconds * 1.3, swell: 0.2 };
    const sky = blend(colour('#2c3852'), colour('#8fa2d6'), lit * 0.7);
    const sea = {
      ...motion,
      deep: colour('#060a14'),
      sky,
      foam: colour('#a4b0c4', 0.5 + lit * 0.4),
      haze: blend(colour('#2b3450'), colour('#7f90c0'), lit * 0.6),
      clarity: 0.05,
    };
    paintTerrain(picture, { x: 20, z: 5, height: 0.9, pitch: horizon, zoom: 1, reach: 26, stride: 0.011 }, openSea(sea));
    const ride = waveHeight(19.9, 6.6, motion);
    const lean = (waveHeight(20.4, 6.6, motion) - ride) * 1.3;
    paintBuoy(picture, { u: 0.84, v: 0.79 - ride * 0.4, lean, seconds });
    paintRain(picture, { seconds: seconds * 1.2, count: 120, slant: 0.35, strength: 0.14 });
    bloom(picture, { strength: 0.5, radius: 0.03, from: 0.5 });
    burnInClock(picture, { camera: 'BUOY CAM', startsAt: 77712, seconds });
  },
};

function paintBolt(picture: Picture, { seed, strength }: { seed: number; strength: number }): void {
  if (strength < 0.05) return;
  const random = seededRandom(seed);
  const light = colour('#dfe6ff', 4 * strength);
  let from: [number, number] = [0.4 + random() * 0.9, 0];
  while (from[1] < horizon) {
    const to: [number, number] = [from[0] + (random() - 0.5) * 0.07, from[1] + 0.02 + random() * 0.04];
    fillShape(picture, bar(from, to, 0.0035), { light });
    if (random() > 0.72) fillShape(picture, bar(to, [to[0] + (random() - 0.5) * 0.16, to[1] + 0.06], 0.0016), { light });
    from = to;
  }
}

function paintBuoy(picture: Picture, at: { u: number; v: number; lean: number; seconds: number }): void {
  const place = { u: at.u, v: at.v, scale: 0.3, turn: at.lean };
  const shape = (outline: number[], hex: string) => fillShape(picture, placed(outline, place), { light: colour(hex, 0.6) });
  shape([-0.34, 0.02, -0.33, 0.12, 0, 0.17, 0.33, 0.12, 0.34, 0.02], '#4a1512');
  glow(picture, { u: at.u, v: at.v + 0.045, radius: 0.16, stretch: 0.25 }, colour('#8fa0c0', 0.5));
  shape(ellipse(0, 0.02, { width: 0.68, height: 0.14 }), '#7d2a22');
  shape(bar([-0.22, 0], [-0.07, -0.75], 0.035), '#15171c');
  shape(bar([0.22, 0], [0.07, -0.75], 0.035), '#15171c');
  shape(bar([-0.17, -0.25], [0.17, -0.25], 0.025), '#15171c');
  shape([-0.22, -0.3, -0.19, -0.6, 0.19, -0.6, 0.22, -0.3], '#8c2f25');
  shape(box(-0.08, -0.8, { width: 0.16, height: 0.06 }), '#15171c');
  const lampOn = at.seconds % 2.5 < 0.6 ? 1 : 0.06;
  const top = { u: at.u + Math.sin(at.lean) * 0.27, v: at.v - Math.cos(at.lean) * 0.27 };
  write(
    picture,
    { words: 'B7', face: 'sans', light: colour('#fff3e0', 0.9) },
    { u: at.u + Math.sin(at.lean) * 0.135, v: at.v - 0.135, size: 0.075, anchor: 'middle' },
  );
  glow(picture, { ...top, radius: 0.28 }, colour('#ff4a32', 4 * lampOn));
}
