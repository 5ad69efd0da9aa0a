import { type Colour, colour } from '../light/colour.ts';
import type { Picture } from '../light/picture.ts';
import { seededRandom } from '../light/seeded-random.ts';

export type Star = { u: number; v: number; strength: number; phase: number };

const white: Colour = colour('#dfe8ff');

export function scatterStars(count: number, area: { width: number; height: number; seed: number }): Star[] {
  const random = seededRandom(area.seed);
  return Array.from({ length: count }, () => ({
    u: random() * area.width,
    v: random() * area.height,
    strength: 0.08 + random() ** 6 * 1.6,
    phase: random() * 6.28,
  }));
}

/** Stars, each spread over the four nearest pixels so that they drift without jumping. */
export function paintStars(picture: Picture, stars: Star[], { seconds, strength }: { seconds: number; strength: number }): void {
  const { width, height, light } = picture;
  for (const star of stars) {
    const x = star.u * height;
    const y = star.v * height;
    const left = Math.floor(x);
    const top = Math.floor(y);
    if (left < 0 || top < 0 || left + 1 >= width || top + 1 >= height) continue;
    const shine = strength * star.strength * (0.8 + 0.2 * Math.sin(seconds * 2.4 + star.phase));
    for (const [dx, dy] of [
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
    ] as const) {
      const share = shine * (dx ? x - left : 1 - x + left) * (dy ? y - top : 1 - y + top);
      const at = ((top + dy) * width + left + dx) * 3;
      light[at] = (light[at] ?? 0) + white.r * share;
      light[at + 1] = (light[at + 1] ?? 0) + white.g * share;
      light[at + 2] = (light[at + 2] ?? 0) + white.b * share;
    }
  }
}
