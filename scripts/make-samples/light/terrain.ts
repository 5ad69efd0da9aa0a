import type { Colour } from './colour.ts';
import { clamp, mix } from './curves.ts';
import type { Picture } from './picture.ts';

/** `pitch` is the row of the horizon; heights and depths are in the land's own measure. */
export type View = { x: number; z: number; height: number; pitch: number; zoom: number; reach: number };
/** How high the land is at a place, and what light comes from there (written into `light`, a million times a frame). */
export type Land = {
  heightAt: (x: number, z: number) => number;
  lightAt: (place: { x: number; z: number; depth: number }, light: Colour) => void;
};

const subRows = 3;

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

function drawColumn(column: Column, view: View & { slope: number }, land: Land): void {
  let last: Strip | undefined;
  let depth = 0.35;
  let spacing = 0.006;
  while (depth < view.reach && column.top > 0) {
    const place = { x: view.x + view.slope * depth, z: view.z + depth, depth };
    const y = (view.pitch + ((view.height - land.heightAt(place.x, place.z)) * view.zoom) / depth) * column.rows;
    if (y < column.top) {
      const light: Colour = { r: 0, g: 0, b: 0 };
      land.lightAt(place, light);
      const strip: Strip = { y, light };
      // After a hidden valley the light of the last visible place says nothing about this one.
      fillStrip(column, last && last.y <= column.top + 1 ? last : { y: column.top, light }, strip);
      last = strip;
    } else last = undefined;
    depth += spacing;
    spacing = Math.max(0.006, depth * 0.0065);
  }
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
