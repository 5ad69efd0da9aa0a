export interface Tick {
  /** Where on the strip, 0 to 1. */
  fraction: number;
  /** The first of the moments that share this tick. */
  seconds: number;
}

const nearestPx = 3;

/** One tick per moment along the film, in time order; ticks nearer than 3 px become one. */
export function mergeTicks(
  seconds: readonly number[],
  { durationInSeconds, widthPx }: { durationInSeconds: number; widthPx: number },
): Tick[] {
  if (durationInSeconds <= 0) return [];
  const ticks: Tick[] = [];
  for (const second of seconds.toSorted((one, other) => one - other)) {
    const fraction = Math.min(1, Math.max(0, second / durationInSeconds));
    const last = ticks.at(-1);
    if (last && (fraction - last.fraction) * widthPx < nearestPx) continue;
    ticks.push({ fraction, seconds: second });
  }
  return ticks;
}
