import type { Shot } from '../../film.ts';
import { bloom } from '../../light/bloom.ts';
import { colour } from '../../light/colour.ts';
import { fillShape } from '../../light/fill-shape.ts';
import { glow } from '../../light/glow.ts';
import { gradient } from '../../light/gradient.ts';
import type { Picture } from '../../light/picture.ts';
import { reflect } from '../../light/reflect.ts';
import { box, ellipse } from '../../light/shapes.ts';
import { lowerThird } from '../../parts/lower-third.ts';
import { paintRidge } from '../../parts/ridge.ts';
import { paintSky } from '../../parts/sky.ts';
import { paintStars, scatterStars } from '../../parts/stars.ts';
import { paintTug } from './tug-boat.ts';

const horizon = 0.58;
const tones = gradient([0, '#050a1f'], [0.6, '#10204a'], [1, '#2c477c']);
const stars = scatterStars(420, { width: 1.8, height: 0.52, seed: 5 });
const dark = colour('#05080f');

/** Night at the harbour mouth: the moon is up and the ferry leaves between the two pier lights. */
export const harbourMouth: Shot = {
  lengthInSeconds: 11,
  print: { vignette: 0.4 },
  draw(picture, seconds) {
    paintSky(picture, {
      horizon,
      seconds: seconds + 90,
      tones,
      sun: { u: 1.28, v: 0.2, reach: 0.3, light: colour('#6d8fd0', 0.4) },
      clouds: { amount: 0.35, drift: 0.02, light: colour('#121c3a'), lit: colour('#5b76ad'), seed: 11 },
    });
    paintStars(picture, stars, { seconds, strength: 0.6 });
    const moon = { u: 1.28, v: 0.2 - seconds * 0.002 };
    fillShape(picture, ellipse(moon.u, moon.v, { width: 0.075, height: 0.075 }), { light: colour('#fff6e2', 1.6) });
    glow(picture, { ...moon, radius: 0.4 }, colour('#a9c2ff', 0.5));
    paintRidge(picture, { base: horizon, rise: 0.06, width: 0.9, seed: 9, light: colour('#0d1730') });
    paintPierHead(picture, { u: 0.26, lamp: '#ff4438', seconds });
    paintPierHead(picture, { u: 1.52, lamp: '#35ff8c', seconds: seconds + 1.6 });
    paintFerry(picture, { u: 0.42 + seconds * 0.055, v: horizon + 0.01 });
    reflect(picture, {
      horizon,
      time: seconds * 0.7,
      ripple: 0.04,
      fineness: 6,
      depth: colour('#050b1c', 0.8),
      mirror: [0.85, 0.6],
      glitter: { u: 1.28, width: 0.09, light: colour('#9db8ee', 0.7) },
    });
    paintTug(picture, { u: 1.5 - seconds * 0.045, v: 0.78, length: 0.26, mirrored: true }, dark);
    bloom(picture, { strength: 0.6, radius: 0.035 });
    lowerThird(picture, ['Orion Line', 'Night ferry to the islands'], { seconds, from: 2, to: 7 });
  },
};

/** A pier light: three seconds dark, one and a half lit. */
function paintPierHead(picture: Picture, { u, lamp, seconds }: { u: number; lamp: string; seconds: number }): void {
  const outer = u < 0.9 ? -0.4 : 2.2;
  fillShape(picture, [outer, horizon + 0.01, outer, horizon - 0.03, u, horizon - 0.022, u + (u < 0.9 ? 0.02 : -0.02), horizon + 0.01], {
    light: dark,
  });
  fillShape(picture, box(u - 0.009, horizon - 0.13, { width: 0.018, height: 0.12 }), { light: dark });
  const lit = seconds % 4.5 > 3 ? Math.sin((((seconds % 4.5) - 3) / 1.5) * Math.PI) : 0.08;
  glow(picture, { u, v: horizon - 0.14, radius: 0.22 }, colour(lamp, 3.4 * lit));
}

function paintFerry(picture: Picture, { u, v }: { u: number; v: number }): void {
  fillShape(picture, [u - 0.19, v, u - 0.2, v - 0.045, u + 0.23, v - 0.05, u + 0.19, v], { light: dark });
  fillShape(picture, [u - 0.17, v - 0.045, u - 0.16, v - 0.105, u + 0.12, v - 0.105, u + 0.15, v - 0.045], { light: colour('#0d1424') });
  fillShape(picture, box(u - 0.08, v - 0.15, { width: 0.05, height: 0.05 }), { light: dark });
  for (let deck = 0; deck < 2; deck++) {
    for (let window = 0; window < 20; window++) {
      const at = box(u - 0.15 + window * 0.0135, v - 0.093 + deck * 0.03, { width: 0.009, height: 0.012 });
      fillShape(picture, at, { light: colour('#ffd890', 1.7) });
    }
  }
  glow(picture, { u: u + 0.02, v: v - 0.15, radius: 0.1 }, colour('#fff1d0', 2));
}
