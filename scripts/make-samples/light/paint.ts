import type { Picture } from './picture.ts';

/** What a brush leaves at a place: light to add, and in `a` how much of the light beneath is covered first. */
export type Ink = { r: number; g: number; b: number; a: number };
export type Brush = (u: number, v: number, ink: Ink) => void;
/** Rows from `top` to `bottom`; a `step` of 4 asks the brush at every fourth pixel and fills in smoothly: enough for skies. */
export type Area = { top?: number; bottom?: number; step?: number };

/** Runs the brush over the area. The ink arrives empty with `a` at 1. */
export function paint(picture: Picture, area: Area, brush: Brush): void {
  const firstRow = Math.max(0, Math.floor((area.top ?? 0) * picture.height));
  const endRow = Math.min(picture.height, Math.ceil((area.bottom ?? 1) * picture.height));
  if (endRow <= firstRow) return;
  const step = area.step ?? 1;
  if (step === 1) paintFinely(picture, { firstRow, endRow }, brush);
  else paintCoarsely(picture, { firstRow, endRow, step }, brush);
}

function paintFinely(picture: Picture, rows: { firstRow: number; endRow: number }, brush: Brush): void {
  const { width, height, light } = picture;
  const ink: Ink = { r: 0, g: 0, b: 0, a: 1 };
  for (let y = rows.firstRow; y < rows.endRow; y++) {
    let at = y * width * 3;
    for (let x = 0; x < width; x++, at += 3) {
      clean(ink);
      brush((x + 0.5) / height, (y + 0.5) / height, ink);
      const kept = 1 - ink.a;
      light[at] = (light[at] ?? 0) * kept + ink.r;
      light[at + 1] = (light[at + 1] ?? 0) * kept + ink.g;
      light[at + 2] = (light[at + 2] ?? 0) * kept + ink.b;
    }
  }
}

function paintCoarsely(picture: Picture, rows: { firstRow: number; endRow: number; step: number }, brush: Brush): void {
  const { firstRow, endRow, step } = rows;
  const columns = Math.ceil(picture.width / step) + 1;
  let above = sampleRow(picture, { y: firstRow, step, columns }, brush);
  for (let y = firstRow; y < endRow; y += step) {
    const below = sampleRow(picture, { y: y + step, step, columns }, brush);
    for (let row = y; row < Math.min(y + step, endRow); row++) {
      fillRow(picture, { row, step, share: (row - y) / step }, { above, below });
    }
    above = below;
  }
}

function sampleRow(picture: Picture, at: { y: number; step: number; columns: number }, brush: Brush): Float32Array {
  const samples = new Float32Array(at.columns * 4);
  const ink: Ink = { r: 0, g: 0, b: 0, a: 1 };
  for (let column = 0; column < at.columns; column++) {
    clean(ink);
    brush((column * at.step + 0.5) / picture.height, (at.y + 0.5) / picture.height, ink);
    samples[column * 4] = ink.r;
    samples[column * 4 + 1] = ink.g;
    samples[column * 4 + 2] = ink.b;
    samples[column * 4 + 3] = ink.a;
  }
  return samples;
}

function fillRow(
  picture: Picture,
  at: { row: number; step: number; share: number },
  { above, below }: { above: Float32Array; below: Float32Array },
): void {
  const { width, light } = picture;
  const line = new Float32Array(above.length);
  for (let i = 0; i < line.length; i++) line[i] = (above[i] ?? 0) * (1 - at.share) + (below[i] ?? 0) * at.share;
  let to = at.row * width * 3;
  for (let x = 0; x < width; x++, to += 3) {
    const cell = (x / at.step) | 0;
    const right = x / at.step - cell;
    const left = 1 - right;
    const i = cell * 4;
    const kept = 1 - (line[i + 3] ?? 0) * left - (line[i + 7] ?? 0) * right;
    light[to] = (light[to] ?? 0) * kept + (line[i] ?? 0) * left + (line[i + 4] ?? 0) * right;
    light[to + 1] = (light[to + 1] ?? 0) * kept + (line[i + 1] ?? 0) * left + (line[i + 5] ?? 0) * right;
    light[to + 2] = (light[to + 2] ?? 0) * kept + (line[i + 2] ?? 0) * left + (line[i + 6] ?? 0) * right;
  }
}

function clean(ink: Ink): void {
  ink.r = 0;
  ink.g = 0;
  ink.b = 0;
  ink.a = 1;
}
