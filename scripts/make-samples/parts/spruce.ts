import { seededRandom } from '../light/seeded-random.ts';

/** The outline of a spruce with ragged boughs, one unit tall, standing at 0,0. Every seed is another tree. */
export function spruceOutline(seed: number, boughs: number): number[] {
  const random = seededRandom(seed);
  const trunk = 0.012;
  const outline: number[] = [0, -1];
  const boughAt = (bough: number, side: number) => {
    const down = bough / boughs;
    const half = 0.17 * down ** 0.85 * side;
    const v = -1 + down * 0.92;
    return [half * (0.75 + random() * 0.4), v + 0.02, half * (0.3 + random() * 0.2), v + 0.014];
  };
  for (let bough = 1; bough <= boughs; bough++) outline.push(...boughAt(bough, 1));
  outline.push(trunk, -0.06, trunk, 0, -trunk, 0, -trunk, -0.06);
  for (let bough = boughs; bough >= 1; bough--) {
    const [tipU = 0, tipV = 0, innerU = 0, innerV = 0] = boughAt(bough, -1);
    outline.push(innerU, innerV, tipU, tipV);
  }
  return outline;
}
