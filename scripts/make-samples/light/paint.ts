import type { Picture } from './picture.ts';

/** What a brush leaves at a place: light to add, and in `a` how much of the light beneath is covered first. */
export type Ink = { r: number; g: number; b: number; a: number };
export type Brush = (u: number, v: number, ink: Ink) => void;
/** The whole picture unless told; a `step` of 4 asks the brush at every fourth pixel and fills in smoothly: enough for skies. */
export type Area = { top?: number; bottom?: number; left?: number; right?: number; step?: number };

type Pixels = { top: number; bottom: number; left: number; right: number };

/** Runs the brush over the area. The ink arrives empty with `a` at 1. */
export function paint(picture: Picture, area: Area, brush: Brush): void {
  const { width, height } = picture;
  const pixels = {
    top: Math.max(0, Math.floor((area.top ?? 0) * height)),
    bottom: Math.min(height, Math.ceil((area.bottom ?? 1) * height)),
    left: Math.max(0, Math.floor((area.left ?? 0) * height)),
    right: Math.min(width, Math.ceil((area.right ?? picture.aspect) * height)),
  };
  if (pixels.bottom <= pixels.top || pixels.right <= pixels.left) return;
  const step = area.step ?? 1;
  if (step === 1) paintFinely(picture, pixels, brush);
  else paintCoarsely(picture, { ...pixels, step }, brush);
}

function paintFinely(picture: Picture, pixels: Pixels, brush: Brush): void {
  const { width, height, light } = picture;
  const ink: Ink = { r: 0, g: 0, b: 0, a: 1 };
  for (let y = pixels.top; y < pixels.bottom; y++) {
    let at = (y * width + pixels.left) * 3;
    for (let x = pixels.left; x < pixels.right; x++, at += 3) {
      clean(ink);
      brush((x + 0.5) / height, (y + 0.5) / height, ink);
      const kept = 1 - ink.a;
      light[at] = (light[at] ?? 0) * kept + ink.r;
      light[at + 1] = (light[at + 1] ?? 0) * kept + ink.g;
      light[at + 2] = (light[at + 2] ?? 0) * kept + ink.b;
    }
  }
}

type CoarsePixels = Pixels & { step: number };

function paintCoarsely(picture: Picture, pixels: CoarsePixels, brush: Brush): void {
  const { step } = pixels;
  const sample = (y: number) => sampleRow(y, { ...pixels, height: picture.height }, brush);
  let above = sample(pixels.top);
  for (let y = pixels.top; y < pixels.bottom; y += step) {
    const below = sample(y + step);
    for (let row = y; row < Math.min(y + step, pixels.bottom); row++) {
      fillRow(picture, { ...pixels, row }, blendRows(above, below, (row - y) / step));
    }
    above = below;
  }
}

function sampleRow(y: number, { left, right, step, height }: CoarsePixels & { height: number }, brush: Brush): Float32Array {
  const columns = Math.ceil((right - left) / step) + 1;
  const samples = new Float32Array(columns * 4);
  const ink: Ink = { r: 0, g: 0, b: 0, a: 1 };
  for (let column = 0; column < columns; column++) {
    clean(ink);
    brush((left + column * step + 0.5) / height, (y + 0.5) / height, ink);
    samples[column * 4] = ink.r;
    samples[column * 4 + 1] = ink.g;
    samples[column * 4 + 2] = ink.b;
    samples[column * 4 + 3] = ink.a;
  }
  return samples;
}

function blendRows(above: Float32Array, below: Float32Array, share: number): Float32Array {
  const line = new Float32Array(above.length);
  for (let i = 0; i < line.length; i++) line[i] = (above[i] ?? 0) * (1 - share) + (below[i] ?? 0) * share;
  return line;
}

function fillRow(picture: Picture, { row, left, right, step }: CoarsePixels & { row: number }, line: Float32Array): void {
  const { width, light } = picture;
  let to = (row * width + left) * 3;
  for (let x = 0; x < right - left; x++, to += 3) {
    const cell = (x / step) | 0;
    const after = x / step - cell;
    const before = 1 - after;
    const i = cell * 4;
    const kept = 1 - (line[i + 3] ?? 0) * before - (line[i + 7] ?? 0) * after;
    light[to] = (light[to] ?? 0) * kept + (line[i] ?? 0) * before + (line[i + 4] ?? 0) * after;
    light[to + 1] = (light[to + 1] ?? 0) * kept + (line[i + 1] ?? 0) * before + (line[i + 5] ?? 0) * after;
    light[to + 2] = (light[to + 2] ?? 0) * kept + (line[i + 2] ?? 0) * before + (line[i + 6] ?? 0) * after;
  }
}

function clean(ink: Ink): void {
  ink.r = 0;
  ink.g = 0;
  ink.b = 0;
  ink.a = 1;
}
