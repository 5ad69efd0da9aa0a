import type { Colour } from './colour.ts';
import type { Picture } from './picture.ts';

const subRows = 4;

/** Fills a closed outline (u, v, u, v, …) with smooth edges. */
export function fillShape(picture: Picture, outline: number[], { light, cover = 1 }: { light: Colour; cover?: number }): void {
  const scale = picture.height;
  const rows = outline.filter((_, index) => index % 2 === 1).map((v) => v * scale);
  const first = Math.max(0, Math.floor(Math.min(...rows)));
  const end = Math.min(picture.height, Math.ceil(Math.max(...rows)));
  const coverage = new Float32Array(picture.width);
  for (let y = first; y < end; y++) {
    coverage.fill(0);
    for (let sub = 0; sub < subRows; sub++) {
      const crossings = findCrossings(outline, { scale, y: y + (sub + 0.5) / subRows });
      for (let i = 0; i + 1 < crossings.length; i += 2) addSpan(coverage, crossings[i] ?? 0, crossings[i + 1] ?? 0);
    }
    layRow(picture, y, { coverage, light, cover });
  }
}

function findCrossings(outline: number[], { scale, y }: { scale: number; y: number }): number[] {
  const crossings: number[] = [];
  for (let i = 0; i < outline.length; i += 2) {
    const next = (i + 2) % outline.length;
    const y0 = (outline[i + 1] ?? 0) * scale;
    const y1 = (outline[next + 1] ?? 0) * scale;
    if (y0 <= y === y1 <= y) continue;
    const x0 = (outline[i] ?? 0) * scale;
    const x1 = (outline[next] ?? 0) * scale;
    crossings.push(x0 + ((y - y0) / (y1 - y0)) * (x1 - x0));
  }
  return crossings.sort((a, b) => a - b);
}

function addSpan(coverage: Float32Array, from: number, to: number): void {
  const left = Math.max(from, 0);
  const right = Math.min(to, coverage.length);
  for (let x = Math.floor(left); x < right; x++) {
    coverage[x] = (coverage[x] ?? 0) + (Math.min(x + 1, right) - Math.max(x, left)) / subRows;
  }
}

function layRow(picture: Picture, y: number, ink: { coverage: Float32Array; light: Colour; cover: number }): void {
  const { width, light } = picture;
  for (let x = 0; x < width; x++) {
    const share = (ink.coverage[x] ?? 0) * ink.cover;
    if (share === 0) continue;
    const at = (y * width + x) * 3;
    light[at] = (light[at] ?? 0) * (1 - share) + ink.light.r * share;
    light[at + 1] = (light[at + 1] ?? 0) * (1 - share) + ink.light.g * share;
    light[at + 2] = (light[at + 2] ?? 0) * (1 - share) + ink.light.b * share;
  }
}
