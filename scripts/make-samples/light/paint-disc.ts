import type { Colour } from './colour.ts';
import { clamp } from './curves.ts';
import type { Picture } from './picture.ts';

/** A lamp far out of focus: an even disc with a slightly brighter rim. A small disc holds the same light, so it is brighter. */
export function paintDisc(picture: Picture, at: { u: number; v: number; radius: number }, light: Colour): void {
  const { width, height } = picture;
  const radius = at.radius * height;
  const cx = at.u * height;
  const cy = at.v * height;
  const soft = Math.max(1.5, radius * 0.1);
  for (let y = Math.max(0, Math.floor(cy - radius)); y < Math.min(height, cy + radius); y++) {
    for (let x = Math.max(0, Math.floor(cx - radius)); x < Math.min(width, cx + radius); x++) {
      const distance = Math.hypot(x + 0.5 - cx, y + 0.5 - cy);
      if (distance >= radius) continue;
      const rim = distance / radius;
      const strength = clamp((radius - distance) / soft) * (0.72 + 0.45 * rim * rim * rim);
      const to = (y * width + x) * 3;
      picture.light[to] = (picture.light[to] ?? 0) + light.r * strength;
      picture.light[to + 1] = (picture.light[to + 1] ?? 0) + light.g * strength;
      picture.light[to + 2] = (picture.light[to + 2] ?? 0) + light.b * strength;
    }
  }
}
