import { colour } from '../light/colour.ts';
import { fillShape } from '../light/fill-shape.ts';
import { measure, write } from '../light/lettering.ts';
import type { Picture } from '../light/picture.ts';
import { box } from '../light/shapes.ts';

const white = colour('#ffffff', 1.5);
const size = 0.04;

/** The name of a camera and its running clock in the upper left corner. `startsAt` is in seconds of the day. */
export function burnInClock(picture: Picture, { camera, startsAt, seconds }: { camera: string; startsAt: number; seconds: number }): void {
  const words = `${camera}  ${timeOfDay(startsAt + Math.floor(seconds))}`;
  const width = measure(picture, { words, face: 'mono' }, size);
  fillShape(picture, box(0.05, 0.05, { width: width + 0.04, height: 0.07 }), { light: colour('#05070a'), cover: 0.7 });
  write(picture, { words, face: 'mono', light: white }, { u: 0.07, v: 0.085, size });
}

function timeOfDay(second: number): string {
  const two = (value: number) => `${value}`.padStart(2, '0');
  return `${two(Math.floor(second / 3600) % 24)}:${two(Math.floor(second / 60) % 60)}:${two(second % 60)}`;
}
