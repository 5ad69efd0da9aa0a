import type { Colour } from '../../light/colour.ts';
import { mix } from '../../light/curves.ts';
import { fillShape } from '../../light/fill-shape.ts';
import { noise } from '../../light/noise.ts';
import { Picture } from '../../light/picture.ts';
import { bar } from '../../light/shapes.ts';
import { type Drop, paintDrop } from './drop.ts';
import { beads, type Runner, runnerPlace, runners } from './runners.ts';

const clear: Colour = { r: 1, g: 1, b: 1 };

export type Glass = {
  seconds: number;
  /** How much of the street the breath on the pane hides, and its own light. */
  fog: { thickness: number; light: Colour };
  rain: number;
  /** Wipes places of the pane clear: a finger, a sleeve. */
  wipe?: (mask: Picture) => void;
};

/** Lays a misted, wet pane over what has been painted. */
export function paintGlass(picture: Picture, glass: Glass): void {
  const street = picture.light.slice();
  const mask = new Picture(picture.width, picture.height);
  const running = runners.slice(0, Math.round(runners.length * glass.rain));
  for (const runner of running) wipeTrail(mask, runner, glass.seconds);
  glass.wipe?.(mask);
  mist(picture, mask, glass);
  for (const bead of beads) if (bead.from < glass.rain) paintDrop(picture, street, bead);
  for (const runner of running) {
    for (const drop of dropsOf(runner, glass.seconds)) paintDrop(picture, street, drop);
  }
}

function wipeTrail(mask: Picture, runner: Runner, seconds: number): void {
  for (let piece = 0; piece < 14; piece++) {
    const later = runnerPlace(runner, seconds - piece * 0.22);
    const sooner = runnerPlace(runner, seconds - (piece + 1) * 0.22);
    if (sooner.v > later.v) return;
    fillShape(mask, bar([sooner.u, sooner.v - 0.001], [later.u, later.v], runner.radius * (1.5 - piece * 0.05)), {
      light: clear,
      cover: 0.9 - piece * 0.055,
    });
  }
}

function* dropsOf(runner: Runner, seconds: number): Generator<Drop> {
  const head = runnerPlace(runner, seconds);
  for (let left = 0; left < 6; left++) {
    const place = runnerPlace(runner, Math.floor((seconds + runner.phase) * 1.6 - left) / 1.6 - runner.phase);
    if (place.v < head.v - 0.015) yield { ...place, radius: runner.radius * (0.42 - left * 0.04), tall: 1.15 };
  }
  yield { ...head, radius: runner.radius, tall: 1.45 };
}

function mist(picture: Picture, mask: Picture, { fog }: Glass): void {
  const { width, height, light } = picture;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 3;
      const uneven = 0.8 + 0.35 * noise((x / height) * 9, (y / height) * 6);
      const cover = fog.thickness * uneven * (1 - (mask.light[at] ?? 0));
      light[at] = mix(light[at] ?? 0, fog.light.r, cover);
      light[at + 1] = mix(light[at + 1] ?? 0, fog.light.g, cover);
      light[at + 2] = mix(light[at + 2] ?? 0, fog.light.b, cover);
    }
  }
}
