import type { Colour } from '../../light/colour.ts';
import { fillShape } from '../../light/fill-shape.ts';
import type { Picture } from '../../light/picture.ts';
import { bar, ellipse, placed } from '../../light/shapes.ts';

const torso = [-0.42, -0.66, -0.36, -0.8, -0.16, -0.86, -0.02, -1.04, 0.12, -0.87, 0.32, -0.8, 0.4, -0.66, 0.3, -0.56, -0.3, -0.55];
const neck = [0.28, -0.76, 0.44, -0.7, 0.56, -0.84, 0.62, -1.1, 0.56, -1.12, 0.5, -0.92, 0.42, -0.82];
const head = [0.54, -1.1, 0.58, -1.18, 0.72, -1.14, 0.8, -1.07, 0.76, -1.03, 0.62, -1.04];
const load = [-0.24, -0.84, -0.3, -0.62, -0.14, -0.56, 0.1, -0.56, 0.24, -0.62, 0.2, -0.84, 0, -0.98];

type Walker = { u: number; v: number; height: number; stride: number };

/** A loaded camel that walks to the right, seen against the light. */
export function paintCamel(picture: Picture, { u, v, height, stride }: Walker, light: Colour): void {
  const at = { u, v: v - 0.012 * height * Math.abs(Math.sin(stride)), scale: height / 1.18 };
  for (const part of [torso, neck, head, load]) fillShape(picture, placed(part, at), { light });
  for (const [hip, phase] of [
    [-0.32, 0],
    [-0.24, 2.6],
    [0.22, 1.4],
    [0.3, 4],
  ] as const) {
    const swing = 0.11 * Math.sin(stride + phase);
    const lift = 0.04 * Math.max(0, Math.cos(stride + phase));
    fillShape(picture, placed(bar([hip, -0.62], [hip + swing * 0.5, -0.3], 0.075), at), { light });
    fillShape(picture, placed(bar([hip + swing * 0.5, -0.32], [hip + swing, -lift], 0.045), at), { light });
  }
  fillShape(picture, placed(bar([-0.4, -0.72], [-0.47, -0.42], 0.025), at), { light });
}

/** Someone in a long robe with a staff. */
export function paintTraveller(picture: Picture, { u, v, height, stride }: Walker, light: Colour): void {
  const at = { u, v, scale: height };
  const swing = 0.05 * Math.sin(stride);
  fillShape(picture, placed([-0.13 - swing, 0, -0.1, -0.6, -0.06, -0.8, 0.06, -0.8, 0.1, -0.6, 0.12 + swing, 0], at), { light });
  fillShape(picture, placed(ellipse(0.01, -0.9, { width: 0.15, height: 0.19 }), at), { light });
  fillShape(picture, placed(bar([0.06, -0.62], [0.22, -0.5], 0.05), at), { light });
  fillShape(picture, placed(bar([0.2 + swing, -0.95], [0.26 - swing, 0], 0.02), at), { light });
}
