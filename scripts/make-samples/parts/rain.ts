import { type Colour, colour } from '../light/colour.ts';
import { fillShape } from '../light/fill-shape.ts';
import type { Picture } from '../light/picture.ts';
import { seededRandom } from '../light/seeded-random.ts';
import { bar } from '../light/shapes.ts';

const grey: Colour = colour('#b8c4dc');

/** Falling rain as short streaks. `slant` is the wind: how far a streak leans for its length. */
export function paintRain(picture: Picture, rain: { seconds: number; count: number; slant: number; strength: number }): void {
  const random = seededRandom(58);
  for (let drop = 0; drop < rain.count; drop++) {
    const near = 0.4 + random() * 0.6;
    const fallen = (random() + rain.seconds * 1.9 * near) % 1.15;
    const u = ((random() + rain.seconds * 0.05) * 2.2 + fallen * rain.slant) % 2.1;
    const length = 0.055 * near;
    const from: [number, number] = [u - 0.1, fallen - 0.1];
    fillShape(picture, bar(from, [from[0] + length * rain.slant, from[1] + length], 0.0016 * near), {
      light: grey,
      cover: rain.strength * near,
    });
  }
}
