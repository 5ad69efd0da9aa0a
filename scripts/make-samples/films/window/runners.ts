import { noise } from '../../light/noise.ts';
import { seededRandom } from '../../light/seeded-random.ts';
import type { Drop } from './drop.ts';

export type Runner = { u: number; radius: number; phase: number; secondsDown: number; seed: number };

const random = seededRandom(606);

/** Drops that run down the pane, over and over. */
export const runners: Runner[] = Array.from({ length: 15 }, (_, seed) => ({
  u: 0.02 + random() * 0.52,
  radius: 0.006 + random() * 0.0065,
  phase: random() * 20,
  secondsDown: 5 + random() * 9,
  seed,
}));

/** Drops that hang where they fell; the more rain, the more of them. */
export const beads: Array<Drop & { from: number }> = Array.from({ length: 620 }, () => ({
  u: random() * 0.5625,
  v: random(),
  radius: 0.0012 + random() ** 4 * 0.0095,
  tall: 1 + random() * 0.25,
  from: random() * 0.8,
}));

/** Where the drop is: it hangs, gives way, hangs again, and sways a little on the way. */
export function runnerPlace(runner: Runner, seconds: number): { u: number; v: number } {
  const turn = (seconds + runner.phase) / runner.secondsDown;
  const along = turn - Math.floor(turn);
  const halting = along - (0.9 * Math.sin(along * 5 * Math.PI * 2)) / (5 * Math.PI * 2);
  const v = -0.05 + halting * 1.12;
  return { u: runner.u + 0.035 * (noise(v * 6, runner.seed * 3.7) - 0.5), v };
}
