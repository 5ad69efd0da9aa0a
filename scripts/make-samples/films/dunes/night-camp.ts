import type { Shot } from '../../film.ts';
import { bloom } from '../../light/bloom.ts';
import { colour } from '../../light/colour.ts';
import { fillShape } from '../../light/fill-shape.ts';
import { glow } from '../../light/glow.ts';
import { gradient } from '../../light/gradient.ts';
import { noise } from '../../light/noise.ts';
import { paint } from '../../light/paint.ts';
import type { Picture } from '../../light/picture.ts';
import { seededRandom } from '../../light/seeded-random.ts';
import { paintTerrain } from '../../light/terrain.ts';
import { paintStars, scatterStars } from '../../parts/stars.ts';
import { paintTraveller } from './camel.ts';
import { duneLand } from './dune-field.ts';

const horizon = 0.52;
const tones = gradient([0, '#050a1c'], [0.6, '#132346'], [1, '#3a4a72']);
const stars = scatterStars(1400, { width: 2, height: 0.62, seed: 99 });
const land = duneLand({
  lit: colour('#7d94c4', 0.7),
  shade: colour('#0c1226'),
  haze: colour('#2c3a60'),
  sun: [-0.7, 0.4, 0.3],
  clarity: 0.05,
});
const fire = { u: 1.2, v: 0.845 };

/** Night: tents, one fire, and more stars than anybody needs. */
export const nightCamp: Shot = {
  lengthInSeconds: 10,
  print: { vignette: 0.45 },
  draw(picture, seconds) {
    paint(picture, { step: 8 }, (_u, v, ink) => Object.assign(ink, tones(v / horizon)));
    paintMilkyWay(picture);
    const turn = seconds * 0.004;
    paintStars(
      picture,
      stars.map((star) => ({ ...star, u: star.u - turn, v: star.v + turn * 0.3 })),
      { seconds, strength: 1 },
    );
    paintTerrain(picture, { x: 14 + seconds * 0.02, z: 31, height: 2.4, pitch: horizon, zoom: 1, reach: 60, stride: 0.0065 }, land);
    paintTents(picture, seconds);
    paintFire(picture, seconds);
    bloom(picture, { strength: 0.6, radius: 0.05, from: 0.45 });
  },
};

function paintMilkyWay(picture: Picture): void {
  paint(picture, { bottom: 0.65, step: 4 }, (u, v, ink) => {
    const across = (u - 0.75) * 0.75 + (v - 0.3) * 0.95;
    const dust = noise(u * 6, v * 6) * 0.6 + noise(u * 14, v * 14) * 0.4;
    const band = Math.exp(-((across / 0.17) ** 2)) * dust * 0.055;
    ink.a = 0;
    ink.r = band * 0.85;
    ink.g = band * 0.9;
    ink.b = band * 1.3;
  });
}

function paintTents(picture: Picture, seconds: number): void {
  const flicker = 0.85 + 0.3 * noise(seconds * 5, 1);
  for (const [u, v, size] of [
    [0.94, 0.85, 0.15],
    [1.44, 0.86, 0.18],
    [0.7, 0.83, 0.1],
  ] as const) {
    const toFire = u < fire.u ? 1 : -1;
    fillShape(picture, [u - size, v, u, v - size * 0.9, u + size, v], { light: colour('#160f12') });
    fillShape(picture, [u, v - size * 0.9, u + size * toFire, v, u + size * 0.2 * toFire, v], { light: colour('#c8713a', 0.5 * flicker) });
    fillShape(picture, [u, v - size * 0.6, u + size * 0.14, v, u - size * 0.14, v], { light: colour('#ffb45c', 0.7 * flicker) });
  }
  for (const [u, height] of [
    [1.06, 0.085],
    [1.31, 0.08],
    [1.35, 0.09],
  ] as const)
    paintTraveller(picture, { u, v: 0.87, height, stride: 0.3 }, colour('#0c0809'));
}

function paintFire(picture: Picture, seconds: number): void {
  const flicker = 0.8 + 0.4 * noise(seconds * 6, 4);
  glow(picture, { ...fire, radius: 0.5 }, colour('#ff8a2e', 1.4 * flicker));
  for (let tongue = 0; tongue < 9; tongue++) {
    const lick = noise(seconds * 4 + tongue * 3, tongue);
    const u = fire.u + (tongue - 4) * 0.006;
    const height = 0.03 + 0.04 * lick - Math.abs(tongue - 4) * 0.006;
    fillShape(picture, [u - 0.009, fire.v + 0.01, u + 0.006 * (lick - 0.5), fire.v - height, u + 0.009, fire.v + 0.01], {
      light: colour('#ffc45a', 2),
    });
  }
  const random = seededRandom(17);
  for (let spark = 0; spark < 26; spark++) {
    const age = (seconds * (0.25 + random() * 0.2) + random()) % 1;
    const u = fire.u + (random() - 0.5) * 0.06 + 0.08 * (noise(age * 3 + spark, seconds * 0.4) - 0.4) * age * 2;
    glow(picture, { u, v: fire.v - 0.03 - age * 0.34, radius: 0.008 }, colour('#ff9a3d', 2.4 * (1 - age)));
  }
}
