/** Outlines for fillShape: u, v, u, v, … */
export function box(u: number, v: number, size: { width: number; height: number }): number[] {
  return [u, v, u + size.width, v, u + size.width, v + size.height, u, v + size.height];
}

export function ellipse(u: number, v: number, size: { width: number; height: number; turn?: number }): number[] {
  const cos = Math.cos(size.turn ?? 0);
  const sin = Math.sin(size.turn ?? 0);
  return Array.from({ length: 40 }, (_, corner) => {
    const angle = (corner / 40) * Math.PI * 2;
    const x = (Math.cos(angle) * size.width) / 2;
    const y = (Math.sin(angle) * size.height) / 2;
    return [u + x * cos - y * sin, v + x * sin + y * cos];
  }).flat();
}

/** A bar of the given thickness between two places. */
export function bar(from: [u: number, v: number], to: [u: number, v: number], thickness: number): number[] {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
  const du = (-(to[1] - from[1]) / length) * (thickness / 2);
  const dv = ((to[0] - from[0]) / length) * (thickness / 2);
  return [from[0] + du, from[1] + dv, to[0] + du, to[1] + dv, to[0] - du, to[1] - dv, from[0] - du, from[1] - dv];
}

/** The same outline moved, scaled about its own origin and, with a negative `width`, mirrored. */
export function placed(outline: number[], at: { u: number; v: number; scale: number; mirrored?: boolean; turn?: number }): number[] {
  const cos = Math.cos(at.turn ?? 0);
  const sin = Math.sin(at.turn ?? 0);
  const side = at.mirrored ? -1 : 1;
  const result: number[] = [];
  for (let i = 0; i < outline.length; i += 2) {
    const x = (outline[i] ?? 0) * at.scale * side;
    const y = (outline[i + 1] ?? 0) * at.scale;
    result.push(at.u + x * cos - y * sin, at.v + x * sin + y * cos);
  }
  return result;
}
