import { clamp } from '../../light/curves.ts';
import type { Picture } from '../../light/picture.ts';

export type Drop = { u: number; v: number; radius: number; tall: number };

/** A drop is a small lens: it shows a wide piece of the street upside down, dark at its upper rim and bright at its lower. */
export function paintDrop(picture: Picture, street: Float32Array, drop: Drop): void {
  const { width, height, light } = picture;
  const radius = drop.radius * height;
  const tall = radius * drop.tall;
  const cx = drop.u * height;
  const cy = drop.v * height;
  const reach = 0.16 * height;
  for (let y = Math.max(0, Math.floor(cy - tall)); y < Math.min(height, cy + tall); y++) {
    for (let x = Math.max(0, Math.floor(cx - radius)); x < Math.min(width, cx + radius); x++) {
      const dy = (y + 0.5 - cy) / tall;
      // Narrower above than below, as a drop hangs.
      const dx = (x + 0.5 - cx) / (radius * (0.86 + 0.14 * dy));
      const out = dx * dx + dy * dy;
      if (out >= 1) continue;
      const cover = clamp((1 - Math.sqrt(out)) * radius * 0.9);
      const bend = 0.35 + out;
      const sx = Math.round(clamp(cx - dx * bend * reach, 0, width - 1));
      const sy = Math.round(clamp(cy - dy * bend * reach * 1.2, 0, height - 1));
      const from = (sy * width + sx) * 3;
      const rim = 1 - out * out * 0.75 + Math.max(0, dy) * out * 0.9;
      const gleam = 0.5 * Math.exp(-((dx + 0.35) ** 2 + (dy + 0.45) ** 2) * 26);
      const at = (y * width + x) * 3;
      for (let part = 0; part < 3; part++) {
        const behind = light[at + part] ?? 0;
        const seen = ((street[from + part] ?? 0) * 0.95 + behind * 0.45) * rim + gleam * 0.3;
        light[at + part] = behind + (seen - behind) * cover;
      }
    }
  }
}
