import type { Shot } from '../../film.ts';
import { bloom } from '../../light/bloom.ts';
import { type Colour, colour } from '../../light/colour.ts';
import { rise } from '../../light/curves.ts';
import { fillShape } from '../../light/fill-shape.ts';
import { gradient } from '../../light/gradient.ts';
import { write } from '../../light/lettering.ts';
import { scatter } from '../../light/noise.ts';
import type { Picture } from '../../light/picture.ts';
import { box, placed } from '../../light/shapes.ts';
import { wearPrint } from '../../parts/old-print.ts';
import { crest, paintRidge, type Ridge } from '../../parts/ridge.ts';
import { paintSky } from '../../parts/sky.ts';
import { paintSnowfall } from '../../parts/snowfall.ts';
import { spruceOutline } from '../../parts/spruce.ts';
import { oldPrint } from './old-print-look.ts';
import { paintSteam } from './steam.ts';
import { paintTrain } from './steam-train.ts';

const rail = 0.56;
const scale = 0.22;
const tones = gradient([0, '#3c3c3c'], [0.5, '#6f6f6f'], [1, '#b4b4b4']);
const slope: Ridge = { base: 1.02, rise: 0.26, width: 0.9, seed: 23, light: colour('#d2d2d2', 0.85), foot: colour('#8a8a8a') };
const trees = Array.from({ length: 26 }, (_, tree) => spruceOutline(tree + 500, 14));

/** The express crosses the viaduct in snow; the title stands over the valley. */
export const overTheViaduct: Shot = {
  lengthInSeconds: 11,
  print: oldPrint,
  draw(picture, seconds) {
    paintSky(picture, {
      horizon: 0.66,
      seconds,
      tones,
      sun: { u: 1.3, v: 0.5, reach: 0.4, light: colour('#ffffff', 0.14) },
      clouds: { amount: 0.6, drift: 0.02, light: colour('#4c4c4c'), lit: colour('#a8a8a8'), seed: 51 },
    });
    const pan = seconds * 0.012;
    paintRidge(picture, {
      base: 0.7,
      rise: 0.36,
      width: 0.7,
      seed: 41,
      light: colour('#8f8f8f'),
      foot: colour('#b4b4b4'),
      shift: pan * 0.3,
    });
    paintRidge(picture, {
      base: 0.8,
      rise: 0.25,
      width: 0.6,
      seed: 27,
      light: colour('#6f6f6f'),
      foot: colour('#a0a0a0'),
      shift: pan * 0.6,
    });
    const front = (at: number) => -0.1 + at * 0.235;
    paintViaduct(picture, pan);
    paintTrain(picture, { u: front(seconds), v: rail, scale, carriages: 5, speed: 0.235, seconds });
    paintSteam(picture, {
      chimney: (at) => ({ u: front(at) - 0.165 * scale, v: rail - 0.46 * scale }),
      seconds,
      size: 0.095,
      strength: 0.85,
    });
    paintRidge(picture, { ...slope, shift: pan * 2 });
    paintTrees(picture, pan * 2);
    paintSnowfall(picture, { seconds, count: 130, wind: -0.12, strength: 0.5 });
    bloom(picture, { strength: 0.3, radius: 0.03, from: 0.7 });
    paintTitle(picture, seconds);
    wearPrint(picture, seconds);
  },
};

function paintViaduct(picture: Picture, pan: number): void {
  const stone: Colour = colour('#3d3d3d');
  fillShape(picture, box(-0.1, rail, { width: 2.1, height: 0.035 }), { light: stone });
  fillShape(picture, box(-0.1, rail - 0.004, { width: 2.1, height: 0.007 }), { light: colour('#dedede', 0.9) });
  for (let arch = -1; arch < 11; arch++) {
    const u = arch * 0.19 - pan;
    const outline = [u, rail + 0.03, u, 1, u + 0.035, 1];
    for (let step = 0; step <= 12; step++) {
      const angle = Math.PI - (step / 12) * Math.PI;
      outline.push(u + 0.1125 + Math.cos(angle) * 0.0775, rail + 0.12 - Math.sin(angle) * 0.0775);
    }
    outline.push(u + 0.19, 1, u + 0.19, rail + 0.03);
    fillShape(picture, outline, { light: stone });
  }
}

function paintTrees(picture: Picture, shift: number): void {
  trees.forEach((tree, index) => {
    const u = index * 0.085 + scatter(index, 5) * 0.05 - shift;
    const v = crest({ ...slope, shift }, u) + 0.015;
    fillShape(picture, placed(tree, { u, v, scale: 0.06 + scatter(index, 9) * 0.13 }), { light: colour('#1e1e1e') });
  });
}

function paintTitle(picture: Picture, seconds: number): void {
  const shown = rise(0.8, 1.6, seconds) * rise(5.4, 4.6, seconds);
  if (shown === 0) return;
  const light = colour('#ffffff', 1.6);
  write(picture, { words: 'EVENING EXPRESS', face: 'serif', light }, { u: 0.89, v: 0.17, size: 0.1, anchor: 'middle', cover: shown });
  write(
    picture,
    { words: 'NORVIK STATE RAILWAYS  1969', face: 'serif', light },
    { u: 0.89, v: 0.27, size: 0.046, anchor: 'middle', cover: shown },
  );
}
