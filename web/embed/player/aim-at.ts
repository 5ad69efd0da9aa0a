const aimSeconds = 0.1;

/**
 * Where to begin so that a second of the film is seen. Begun in the middle, a stream is laid out by the sound of its first segment,
 * which may start up to a tenth of a second before its picture: aimed that much later, the picture is never of the second before.
 */
export function aimAt(seconds: number): number {
  return seconds > 0 ? seconds + aimSeconds : seconds;
}

/** What the browser has told of a film's frames, in seconds: where the one on show begins, and how far apart two of them stood at the least. */
export interface SeenFrames {
  readonly shownAt: number | null;
  readonly apart: number | null;
}

const apartMost = 0.2;
const apartWhereUntold = 1 / 25;

/** What is known once another frame is on show. One may be left out between two, or many: only the least distance is theirs. */
export function seeFrame({ shownAt, apart }: SeenFrames, mediaTime: number): SeenFrames {
  const distance = Math.abs(mediaTime - (shownAt ?? mediaTime));
  return { shownAt: mediaTime, apart: distance > 0 && distance < (apart ?? apartMost) ? distance : apart };
}

/** The middle of the frame before or behind the one on show; from the second of the film where it is not told which one that is. */
export function aimAtFrame({ shownAt, apart }: SeenFrames, direction: 1 | -1, currentTime: number): number {
  const distance = apart ?? apartWhereUntold;
  const middle = (shownAt ?? Number.NaN) + (direction + 0.5) * distance;
  // Of frames at uneven distances the next one may lie further on than the least of them.
  const isBeside = Math.sign(middle - currentTime) === direction && Math.abs(middle - currentTime) < 3 * distance;
  return isBeside ? middle : currentTime + direction * distance;
}
