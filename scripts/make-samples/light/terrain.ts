import type { Colour } from './colour.ts';
import { clamp, mix } from './curves.ts';
import type { Picture } from './picture.ts';

/**
 * `pitch` is the row of the horizon; heights and depths are in the land's own measure. The eye walks out to `reach`; `stride` is the
 * length of a step at depth 1.
 */
export type View = { x: number; z: number; height: number; pitch: number; zoom: number; reach: number; stride: number };
/** How high the land is at a place, and what light comes from there (written into `light`, a million times a frame). */
export type Land = {
  heightAt: (x: number, z: number) => number;
  lightAt: (place: { x: number; z: number; depth: number }, light: Colour) => void;
};

const subRows = 3;
const crestParts = 7;

type Column = { rows: number; light: Float32Array; top: number };
type Strip = { y: number; light: Colour };

/** Draws land or sea over the sky, column by column from the feet to the horizon: what is nearer hides what is behind. */
export function paintTerrain(picture: Picture, view: View, land: Land): void {
  const rows = picture.height * subRows;
  const column: Column = { rows, light: new Float32Array(rows * 3), top: rows };
  for (let x = 0; x < picture.width; x++) {
    const slope = ((x + 0.5) / picture.height - picture.aspect / 2) / view.zoom;
    column.top = rows;
    drawColumn(column, { ...view, slope }, land);
    layColumn(picture, column, x);
  }
}

type Walk = View & { slope: number };

function drawColumn(column: Column, walk: Walk, land: Land): void {
  let last: Strip | undefined;
  let climb = 0;
  let depth = 0.35;
  while (depth < walk.reach && column.top > 0) {
    const spacing = Math.max(0.008, depth * walk.stride);
    const y = rowAt(column, { walk, depth }, land);
    // Where the land climbs less than just now a crest may lie in between; its exact place must not jump from column to column.
    if (last && (climb === 0 || last.y - y < climb * 0.6)) last = drawSpan(column, { walk, from: depth - spacing, to: depth, last }, land);
    const next = drawPlace(column, { walk, depth, y, last }, land);
    climb = next && last ? last.y - y : 0;
    last = next;
    depth += spacing;
  }
}

function drawSpan(column: Column, span: { walk: Walk; from: number; to: number; last: Strip }, land: Land): Strip {
  let last = span.last;
  for (let part = 1; part < crestParts; part++) {
    const depth = span.from + ((span.to - span.from) * part) / crestParts;
    const y = rowAt(column, { walk: span.walk, depth }, land);
    last = drawPlace(column, { walk: span.walk, depth, y, last }, land) ?? last;
  }
  return last;
}

function rowAt(column: Column, { walk, depth }: { walk: Walk; depth: number }, land: Land): number {
  const height = land.heightAt(walk.x + walk.slope * depth, walk.z + depth);
  return (walk.pitch + ((walk.height - height) * walk.zoom) / depth) * column.rows;
}

/** Fills up to the place and answers its strip; nothing when it lies hidden. */
function drawPlace(column: Column, at: { walk: Walk; depth: number; y: number; last: Strip | undefined }, land: Land): Strip | undefined {
  const { walk, depth, y, last } = at;
  if (y >= column.top) return undefined;
  const light: Colour = { r: 0, g: 0, b: 0 };
  land.lightAt({ x: walk.x + walk.slope * depth, z: walk.z + depth, depth }, light);
  const strip: Strip = { y, light };
  // After a hidden valley the light of the last visible place says nothing about this one.
  fillStrip(column, last ?? { y: column.top, light }, strip);
  return strip;
}

function fillStrip(column: Column, below: Strip, above: Strip): void {
  const end = Math.min(column.top, column.rows);
  const start = Math.max(0, Math.ceil(above.y));
  const span = Math.max(below.y - above.y, 0.001);
  for (let row = start; row < end; row++) {
    const share = clamp((below.y - row) / span);
    column.light[row * 3] = mix(below.light.r, above.light.r, share);
    column.light[row * 3 + 1] = mix(below.light.g, above.light.g, share);
    column.light[row * 3 + 2] = mix(below.light.b, above.light.b, share);
  }
  column.top = Math.min(column.top, start);
}

function layColumn(picture: Picture, column: Column, x: number): void {
  for (let y = Math.floor(column.top / subRows); y < picture.height; y++) {
    const at = (y * picture.width + x) * 3;
    const first = Math.max(y * subRows, column.top);
    const count = (y + 1) * subRows - first;
    for (let part = 0; part < 3; part++) {
      let sum = (picture.light[at + part] ?? 0) * (subRows - count);
      for (let row = first; row < first + count; row++) sum += column.light[row * 3 + part] ?? 0;
      picture.light[at + part] = sum / subRows;
    }
  }
}
