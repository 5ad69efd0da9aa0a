import { blend, type Colour, colour } from './colour.ts';

/** Colours along 0…1, looked up from a table because skies ask for them a million times a frame. */
export function gradient(...stops: Array<[at: number, hex: string]>): (at: number) => Colour {
  const colours = stops.map(([at, hex]) => ({ at, light: colour(hex) }));
  const table = Array.from({ length: 512 }, (_, step) => between(colours, step / 511));
  const last: Colour = table[511] ?? { r: 0, g: 0, b: 0 };
  return (at) => table[Math.round(Math.min(Math.max(at, 0), 1) * 511)] ?? last;
}

function between(stops: Array<{ at: number; light: Colour }>, at: number): Colour {
  const after = stops.findIndex((stop) => stop.at >= at);
  const right = stops.at(after === -1 ? -1 : after);
  const left = after > 0 ? stops[after - 1] : right;
  if (!left || !right) throw new Error('A gradient needs at least one stop');
  const span = right.at - left.at;
  return blend(left.light, right.light, span > 0 ? (at - left.at) / span : 0);
}
