import { colour } from '../../light/colour.ts';
import { bump, clamp } from '../../light/curves.ts';
import { cloudNoise, noise } from '../../light/noise.ts';
import { paint } from '../../light/paint.ts';
import type { Picture } from '../../light/picture.ts';

const green = colour('#2fff9c');
const violet = colour('#8a4dff');
const rose = colour('#ff5f9e');

/** Curtains of northern light: sharp at the lower hem, fading upwards in rays from green through violet. */
export function paintCurtains(
  picture: Picture,
  { seconds, bottom, strength }: { seconds: number; bottom: number; strength: number },
): void {
  paint(picture, { bottom, step: 2 }, (u, v, ink) => {
    ink.a = 0;
    for (let fold = 0; fold < 3; fold++) {
      const sway = cloudNoise(u * 0.9 + fold * 7.3 + seconds * 0.035, fold * 3.1 + seconds * 0.05, 3);
      const hem = bottom * (0.98 - fold * 0.2) - sway * 0.42 * bottom;
      const height = (hem - v) / bottom;
      if (height < -0.06) continue;
      const bend = u + 0.16 * (noise(u * 2.2 + fold * 5 + seconds * 0.06, seconds * 0.09) - 0.5);
      const rays = noise(bend * 26 + fold * 40, seconds * 0.45) * 0.55 + noise(bend * 9 - seconds * 0.12, fold * 9 + seconds * 0.2) * 0.75;
      const lit = clamp(noise(u * 1.1 + fold * 2.7 - seconds * 0.06, 4.4 + fold + seconds * 0.07) * 2 - 0.45);
      const body = height < 0 ? bump(0, 0.022, height) : Math.exp(-height * (3.6 + fold * 0.6));
      const shine = body * rays * lit * strength * (fold === 0 ? 1.25 : 0.7);
      const low = bump(0, 0.05, height) * 0.28;
      const high = clamp(height * 2.1);
      ink.r += shine * (green.r * (1 - high) + violet.r * high * 0.9 + rose.r * low);
      ink.g += shine * (green.g * (1 - high) + violet.g * high * 0.9);
      ink.b += shine * (green.b * (1 - high) + violet.b * high * 0.9 + rose.b * low * 0.6);
    }
  });
}
