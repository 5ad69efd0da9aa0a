import type { Picture } from './picture.ts';

const shrink = 4;

/** Lets bright places spill over their edges as they do in a lens. */
export function bloom(picture: Picture, { strength, radius, from = 0.6 }: { strength: number; radius: number; from?: number }): void {
  const small = brightParts(picture, from);
  const reach = Math.max(1, Math.round((radius * picture.height) / shrink));
  for (let pass = 0; pass < 2; pass++) {
    smear(small, { along: 3, across: small.width * 3, count: small.width, lines: small.height, reach });
    smear(small, { along: small.width * 3, across: 3, count: small.height, lines: small.width, reach });
  }
  addBack(picture, small, strength);
}

type Small = { width: number; height: number; light: Float32Array };

function brightParts(picture: Picture, from: number): Small {
  const width = Math.ceil(picture.width / shrink);
  const height = Math.ceil(picture.height / shrink);
  const light = new Float32Array(width * height * 3);
  for (let y = 0; y < picture.height; y++) {
    for (let x = 0; x < picture.width; x++) {
      const at = (y * picture.width + x) * 3;
      const to = (Math.floor(y / shrink) * width + Math.floor(x / shrink)) * 3;
      for (let part = 0; part < 3; part++) {
        const over = Math.min((picture.light[at + part] ?? 0) - from, 6);
        if (over > 0) light[to + part] = (light[to + part] ?? 0) + over / (shrink * shrink);
      }
    }
  }
  return { width, height, light };
}

function smear(small: Small, way: { along: number; across: number; count: number; lines: number; reach: number }): void {
  const line = new Float32Array(way.count);
  const span = way.reach * 2 + 1;
  for (let index = 0; index < way.lines; index++) {
    for (let part = 0; part < 3; part++) {
      const start = index * way.across + part;
      for (let i = 0; i < way.count; i++) line[i] = small.light[start + i * way.along] ?? 0;
      let sum = 0;
      for (let i = 0; i < Math.min(way.reach, way.count); i++) sum += line[i] ?? 0;
      for (let i = 0; i < way.count; i++) {
        sum += (line[i + way.reach] ?? 0) - (line[i - way.reach - 1] ?? 0);
        small.light[start + i * way.along] = sum / span;
      }
    }
  }
}

function addBack(picture: Picture, small: Small, strength: number): void {
  for (let y = 0; y < picture.height; y++) {
    const sy = Math.max(0, Math.min(small.height - 1.001, (y + 0.5) / shrink - 0.5));
    const top = Math.floor(sy);
    const down = sy - top;
    const above = top * small.width * 3;
    const below = Math.min(top + 1, small.height - 1) * small.width * 3;
    for (let x = 0; x < picture.width; x++) {
      const sx = Math.max(0, Math.min(small.width - 1.001, (x + 0.5) / shrink - 0.5));
      const left = Math.floor(sx);
      const across = sx - left;
      const at = (y * picture.width + x) * 3;
      for (let part = 0; part < 3; part++) {
        const i = left * 3 + part;
        const upper = (small.light[above + i] ?? 0) * (1 - across) + (small.light[above + i + 3] ?? 0) * across;
        const lower = (small.light[below + i] ?? 0) * (1 - across) + (small.light[below + i + 3] ?? 0) * across;
        picture.light[at + part] = (picture.light[at + part] ?? 0) + (upper * (1 - down) + lower * down) * strength;
      }
    }
  }
}
