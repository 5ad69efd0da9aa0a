import { createStore, type Store } from '#web/ui/store.ts';

export type RangeEnd = 'in' | 'out';

/** A stretch of a film in whole seconds; null for an end that nobody has set, which is the film's own. */
export type LicenceRange = Readonly<Record<RangeEnd, number | null>>;

/** The stretch of a film that somebody asks for. */
export interface MarkedRange extends Store<LicenceRange> {
  /** Sets an end of it, anywhere in the film. */
  mark(end: RangeEnd, seconds: number): void;
  /** Means all of the film again. */
  clear(): void;
  /** False as long as all of the film is meant. */
  isMarked(): boolean;
  /** From where to where, in seconds, whoever has set them; without an end where nobody has set one and nobody knows how long the film is. */
  ends(): readonly [from: number, until: number | null];
}

const whole: LicenceRange = { in: null, out: null };

/** Where nothing is marked at first all of the film is meant. Of catalogue records the length may not be known: then it is 0. */
export function markRange(durationInSeconds: number, first: LicenceRange = whole): MarkedRange {
  const range = createStore(first);
  const last = Math.ceil(durationInSeconds) || Number.POSITIVE_INFINITY;
  return {
    ...range,
    mark: (end, seconds) => range.set(withEnd(range.read(), { end, seconds, last })),
    isMarked: () => range.read().in !== null || range.read().out !== null,
    clear: () => range.set(whole),
    ends: () => [range.read().in ?? 0, range.read().out ?? (Number.isFinite(last) ? last : null)],
  };
}

/** Begun seconds are part of the range. An end on the wrong side of the other begins another range, of which that one is no part. */
function withEnd(range: LicenceRange, { end, seconds, last }: { end: RangeEnd; seconds: number; last: number }): LicenceRange {
  const second = end === 'in' ? Math.min(Math.floor(seconds), last - 1) : Math.min(Math.ceil(seconds), last);
  const next = { ...range, [end]: Math.max(end === 'in' ? 0 : 1, second) };
  if (next.in === null || next.out === null || next.in < next.out) return next;
  if (next.in > next.out) return { ...whole, [end]: next[end] };
  return end === 'in' ? { ...next, out: next.in + 1 } : { ...next, in: next.out - 1 };
}
