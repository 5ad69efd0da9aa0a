import type { Colour } from './colour.ts';
import type { Picture } from './picture.ts';

/** Adds a round glow: a hot middle that falls off like a lamp in damp air. `stretch` above 1 makes it taller. */
export function glow(picture: Picture, at: { u: number; v: number; radius: number; stretch?: number }, light: Colour): void {
  const { width, height } = picture;
  const radius = at.radius * height;
  const tall = radius * (at.stretch ?? 1);
  const cx = at.u * height;
  const cy = at.v * height;
  for (let y = Math.max(0, Math.floor(cy - tall)); y < Math.min(height, cy + tall); y++) {
    for (let x = Math.max(0, Math.floor(cx - radius)); x < Math.min(width, cx + radius); x++) {
      const dx = (x + 0.5 - cx) / radius;
      const dy = (y + 0.5 - cy) / tall;
      const distance = dx * dx + dy * dy;
      if (distance >= 1) continue;
      const strength = ((1 - distance) * (1 - distance)) / (1 + 140 * distance);
      const to = (y * width + x) * 3;
      picture.light[to] = (picture.light[to] ?? 0) + light.r * strength;
      picture.light[to + 1] = (picture.light[to + 1] ?? 0) + light.g * strength;
      picture.light[to + 2] = (picture.light[to + 2] ?? 0) + light.b * strength;
    }
  }
}
