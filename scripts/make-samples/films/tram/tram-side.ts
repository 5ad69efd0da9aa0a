import { colour } from '../../light/colour.ts';
import { fillShape } from '../../light/fill-shape.ts';
import { glow } from '../../light/glow.ts';
import { write } from '../../light/lettering.ts';
import { scatter } from '../../light/noise.ts';
import type { Picture } from '../../light/picture.ts';
import { box, ellipse } from '../../light/shapes.ts';

const red = colour('#8c1f1c', 0.55);
const cream = colour('#d9c9a4', 0.36);
const dark = colour('#06070b');
const inside = colour('#ffd596', 1.15);
const length = 1.5;

/** The whole side of the tram with its passengers; `u` is its left end, `foot` the rail. */
export function paintTramSide(picture: Picture, tram: { u: number; foot: number; seconds: number }): void {
  const { u, foot } = tram;
  fillShape(picture, box(u + 0.02, foot - 0.03, { width: length - 0.04, height: 0.028 }), { light: dark });
  const roof = foot - 0.4;
  fillShape(
    picture,
    [u, foot - 0.02, u, roof + 0.06, u + 0.03, roof, u + length - 0.03, roof, u + length, roof + 0.06, u + length, foot - 0.02],
    { light: red },
  );
  fillShape(picture, box(u, roof + 0.06, { width: length, height: 0.19 }), { light: cream });
  fillShape(picture, box(u, foot - 0.13, { width: length, height: 0.008 }), { light: cream });
  for (let window = 0; window < 9; window++) {
    const left = u + 0.045 + window * 0.16;
    fillShape(picture, box(left, roof + 0.08, { width: 0.135, height: 0.15 }), { light: inside });
    if (scatter(window, 33) > 0.35) paintPassenger(picture, left + 0.035 + scatter(window, 3) * 0.06, roof + 0.23);
  }
  for (const bogie of [0.2, 0.34, 1.16, 1.3]) {
    fillShape(picture, ellipse(u + bogie, foot - 0.018, { width: 0.07, height: 0.07 }), { light: dark });
  }
  write(
    picture,
    { words: 'NORVIK CITY TRAM', face: 'sans', light: cream },
    { u: u + length / 2, v: foot - 0.087, size: 0.05, anchor: 'middle' },
  );
  fillShape(picture, box(u + 0.06, roof + 0.008, { width: 0.42, height: 0.055 }), { light: dark });
  write(
    picture,
    { words: '28 HARBOUR', face: 'sans', light: colour('#ffb52e', 2.4) },
    { u: u + 0.27, v: roof + 0.035, size: 0.044, anchor: 'middle' },
  );
  fillShape(picture, [u + 0.68, roof, u + 0.75, roof - 0.09, u + 0.82, roof, u + 0.81, roof, u + 0.75, roof - 0.08, u + 0.69, roof], {
    light: dark,
  });
  glow(picture, { u: u + 0.01, v: foot - 0.08, radius: 0.22 }, colour('#fff0cc', 2.6));
  if (tram.seconds > 1 && tram.seconds < 4.5 && Math.sin(tram.seconds * 17) > 0.9)
    glow(picture, { u: u + 0.75, v: roof - 0.09, radius: 0.2 }, colour('#8fd0ff', 5));
}

function paintPassenger(picture: Picture, u: number, foot: number): void {
  fillShape(picture, ellipse(u, foot - 0.078, { width: 0.036, height: 0.045 }), { light: dark });
  fillShape(picture, [u - 0.038, foot, u - 0.032, foot - 0.04, u, foot - 0.06, u + 0.032, foot - 0.04, u + 0.038, foot], { light: dark });
}
