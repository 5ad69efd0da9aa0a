import type { FoundMoment } from '../found-moment.ts';

export interface Tick {
  readonly found: FoundMoment;
  /** Where it stands on the strip, 0 to 1. */
  readonly share: number;
}

const mergeWithinPx = 3;
const snapWithinPx = 12;

/** Where the found moments stand on a strip; those too near to tell apart become one. */
export function placeTicks(found: readonly FoundMoment[], strip: { durationInSeconds: number; widthPx: number }): Tick[] {
  if (strip.durationInSeconds <= 0) return [];
  const ticks: Tick[] = [];
  for (const each of found) {
    const share = Math.min(1, each.startInSeconds / strip.durationInSeconds);
    const before = ticks.at(-1);
    if (before && (share - before.share) * strip.widthPx < mergeWithinPx) continue;
    ticks.push({ found: each, share });
  }
  return ticks;
}

/** The tick that a pointer means, if it is near enough to one. */
export function nearestTick(ticks: readonly Tick[], pointer: { share: number; widthPx: number }): Tick | null {
  let nearest: Tick | null = null;
  let nearestPx = snapWithinPx;
  for (const tick of ticks) {
    const distancePx = Math.abs(tick.share - pointer.share) * pointer.widthPx;
    if (distancePx > nearestPx) continue;
    nearest = tick;
    nearestPx = distancePx;
  }
  return nearest;
}

/** Where the playhead stands among the found moments: the number of the last one reached, and the neighbours to go to. */
export function matchesAround(found: readonly FoundMoment[], seconds: number) {
  const starts = found.map(({ startInSeconds }) => startInSeconds);
  // A seek lands a little beside its second, and whoever goes back right after a match means the one before.
  const reached = starts.filter((start) => start <= seconds + 0.4).length;
  return {
    number: reached,
    previous: starts.findLast((start) => start < seconds - 1.5),
    next: starts.find((start) => start > seconds + 0.4),
  };
}
