import { type Colour, colour } from '../../light/colour.ts';
import { fillShape } from '../../light/fill-shape.ts';
import { glow } from '../../light/glow.ts';
import { scatter } from '../../light/noise.ts';
import type { Picture } from '../../light/picture.ts';
import { bar, box, ellipse, placed } from '../../light/shapes.ts';

const iron = colour('#16181b');
const sheen = colour('#4a4e54');
const rim = colour('#7d8288');
const window = colour('#fff6e0', 1.6);
const drivers = [-0.33, -0.5, -0.67];

/** `u` is the buffer at the front, `v` the rail, `scale` the length of the engine. It runs to the right unless mirrored. */
export type Train = { u: number; v: number; scale: number; carriages: number; speed: number; seconds: number; mirrored?: boolean };

/** An express engine with its tender and lit carriages. */
export function paintTrain(picture: Picture, train: Train): void {
  const at = { u: train.u, v: train.v, scale: train.scale, mirrored: train.mirrored };
  const shape = (outline: number[], light: Colour) => fillShape(picture, placed(outline, at), { light });
  for (let carriage = 0; carriage < train.carriages; carriage++) paintCarriage(shape, { left: -2.6 - carriage * 1.22, carriage });
  paintTender(shape);
  paintEngine(shape);
  paintWheels(shape, (train.seconds * train.speed) / (train.scale * 0.085));
  const side = train.mirrored ? -1 : 1;
  glow(
    picture,
    { u: train.u - 0.03 * train.scale * side, v: train.v - 0.29 * train.scale, radius: 0.5 * train.scale },
    colour('#ffffff', 3.5),
  );
}

type Shape = (outline: number[], light: Colour) => void;

function paintEngine(shape: Shape): void {
  shape([-0.86, -0.13, -0.86, -0.16, -0.06, -0.16, -0.02, -0.1, -0.06, -0.06, -0.1, -0.12], iron);
  shape([-0.68, -0.15, -0.68, -0.37, -0.1, -0.37, -0.07, -0.33, -0.07, -0.18, -0.1, -0.15], iron);
  shape(box(-0.68, -0.345, { width: 0.58, height: 0.02 }), sheen);
  shape([-0.19, -0.36, -0.2, -0.46, -0.13, -0.46, -0.14, -0.36], iron);
  shape(box(-0.21, -0.475, { width: 0.09, height: 0.02 }), iron);
  shape(ellipse(-0.42, -0.375, { width: 0.11, height: 0.1 }), iron);
  shape([-0.9, -0.13, -0.9, -0.46, -0.66, -0.46, -0.66, -0.13], iron);
  shape([-0.94, -0.45, -0.92, -0.485, -0.68, -0.485, -0.64, -0.45], iron);
  shape(box(-0.83, -0.41, { width: 0.1, height: 0.09 }), window);
  shape([-0.06, -0.1, 0.03, -0.015, -0.1, -0.015, -0.12, -0.1], iron);
}

function paintTender(shape: Shape): void {
  shape([-1.34, -0.08, -1.34, -0.34, -0.98, -0.34, -0.98, -0.08], iron);
  shape([-1.3, -0.34, -1.2, -0.4, -1.06, -0.39, -1, -0.34], iron);
  shape(box(-0.99, -0.13, { width: 0.1, height: 0.03 }), iron);
  for (const wheel of [-1.26, -1.15, -1.04]) shape(ellipse(wheel, -0.055, { width: 0.1, height: 0.1 }), iron);
}

function paintWheels(shape: Shape, turn: number): void {
  for (const middle of drivers) {
    shape(ellipse(middle, -0.085, { width: 0.17, height: 0.17 }), rim);
    shape(ellipse(middle, -0.085, { width: 0.145, height: 0.145 }), iron);
    for (let spoke = 0; spoke < 4; spoke++) {
      const angle = turn + (spoke * Math.PI) / 4;
      const x = Math.cos(angle) * 0.07;
      const y = Math.sin(angle) * 0.07;
      shape(bar([middle - x, -0.085 - y], [middle + x, -0.085 + y], 0.007), sheen);
    }
  }
  for (const small of [-0.16, -0.82]) shape(ellipse(small, -0.05, { width: 0.095, height: 0.095 }), iron);
  const pin = { x: Math.cos(turn) * 0.045, y: Math.sin(turn) * 0.045 };
  shape(bar([-0.67 + pin.x, -0.085 + pin.y], [-0.33 + pin.x, -0.085 + pin.y], 0.018), rim);
  shape(bar([-0.5 + pin.x, -0.085 + pin.y], [-0.14, -0.1], 0.012), rim);
  shape(box(-0.22, -0.14, { width: 0.13, height: 0.075 }), iron);
}

function paintCarriage(shape: Shape, { left, carriage }: { left: number; carriage: number }): void {
  shape([left, -0.08, left, -0.36, left + 0.03, -0.41, left + 1.17, -0.41, left + 1.2, -0.36, left + 1.2, -0.08], iron);
  shape(box(left, -0.185, { width: 1.2, height: 0.012 }), sheen);
  for (let pane = 0; pane < 8; pane++) {
    const lit = scatter(pane, carriage + 60) > 0.12 ? window : sheen;
    shape(box(left + 0.06 + pane * 0.14, -0.33, { width: 0.095, height: 0.115 }), lit);
    if (scatter(pane, carriage + 20) > 0.5) shape(ellipse(left + 0.1 + pane * 0.14, -0.235, { width: 0.04, height: 0.06 }), iron);
  }
  for (const wheel of [0.12, 0.24, 0.96, 1.08]) shape(ellipse(left + wheel, -0.05, { width: 0.09, height: 0.09 }), iron);
}
