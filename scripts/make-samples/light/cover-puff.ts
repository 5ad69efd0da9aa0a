import { type Colour, scaled } from './colour.ts';
import type { Picture } from './picture.ts';

/** A soft ball of steam or spray. Unlike a lamp it hides what is behind it, and it is lighter above than below. */
export function coverPuff(
  picture: Picture,
  at: { u: number; v: number; radius: number },
  { light, cover }: { light: Colour; cover: number },
): void {
  const { width, height } = picture;
  const radius = at.radius * height;
  const cx = at.u * height;
  const cy = at.v * height;
  for (let y = Math.max(0, Math.floor(cy - radius)); y < Math.min(height, cy + radius); y++) {
    const shade = scaled(light, 1 - ((y - cy) / radius) * 0.4);
    for (let x = Math.max(0, Math.floor(cx - radius)); x < Math.min(width, cx + radius); x++) {
      const distance = ((x - cx) ** 2 + (y - cy) ** 2) / (radius * radius);
      if (distance >= 1) continue;
      const share = cover * (1 - distance) ** 2;
      const to = (y * width + x) * 3;
      picture.light[to] = (picture.light[to] ?? 0) * (1 - share) + shade.r * share;
      picture.light[to + 1] = (picture.light[to + 1] ?? 0) * (1 - share) + shade.g * share;
      picture.light[to + 2] = (picture.light[to + 2] ?? 0) * (1 - share) + shade.b * share;
    }
  }
}
