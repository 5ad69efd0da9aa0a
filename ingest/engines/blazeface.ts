import type { Place } from '#domain/moments/faces.ts';
import type { Look } from './graph-model.ts';

/** A face in a square picture of `blazeFaceSide` pixels, in those. */
export interface FoundFace {
  readonly place: Place;
  /** 0 to 1. */
  readonly score: number;
  /** How far its eyes lie off the horizontal, in radians. */
  readonly turned: number;
}

export const blazeFaceSide = 256;

/** Where the model looks, in the order of its answers: two boxes in each place of a fine grid, six in each of a coarse one. */
const places = [
  { step: 16, boxes: 2 },
  { step: 32, boxes: 6 },
].flatMap(({ step, boxes }) => {
  const along = blazeFaceSide / step;
  return Array.from({ length: along * along * boxes }, (_, n) => {
    const place = Math.floor(n / boxes);
    return { x: ((place % along) + 0.5) * step, y: (Math.floor(place / along) + 0.5) * step };
  });
});
const [fine, coarse] = [512, 384];
/** Of a box: its middle and its size, then both eyes and four more points of the face. */
const numbersPerBox = 16;

/** Finds faces in a cut of `blazeFaceSide` pixels; the same one may be found several times. */
export function findFacesIn(look: Look, cut: Float32Array, scoreMin: number): FoundFace[] {
  const found = look(cut.map((value) => value / 127.5 - 0.5));
  const logits = join(found.get(fine), found.get(coarse));
  const boxes = join(found.get(fine * numbersPerBox), found.get(coarse * numbersPerBox));
  return places.flatMap(({ x, y }, n) => {
    const score = 1 / (1 + Math.exp(-(logits[n] ?? 0)));
    if (score < scoreMin) return [];
    const [dx = 0, dy = 0, width = 0, height = 0, rightX = 0, rightY = 0, leftX = 0, leftY = 0] = boxes.subarray(n * numbersPerBox);
    const turned = Math.atan2(leftY - rightY, leftX - rightX);
    return [{ place: [x + dx - width / 2, y + dy - height / 2, width, height], score, turned }];
  });
}

function join(first: Float32Array | undefined, second: Float32Array | undefined): Float32Array {
  if (!first || !second) throw new Error('the model of faces answers in another shape');
  const both = new Float32Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
