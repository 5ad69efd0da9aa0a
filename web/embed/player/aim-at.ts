const aimSeconds = 0.1;

/**
 * Where to begin so that a second of the film is seen. Begun in the middle, a stream is laid out by the sound of its first segment,
 * which may start up to a tenth of a second before its picture: aimed that much later, the picture is never of the second before.
 */
export function aimAt(seconds: number): number {
  return seconds > 0 ? seconds + aimSeconds : seconds;
}

/** What the browser has told of a film's frames, in seconds. */
export interface SeenFrames {
  /** Where the one on show begins. */
  readonly shownAt: number | null;
  /** How far it stands from the one on show before it. */
  readonly last: number | null;
  /** How far apart frames are. */
  readonly apart: number | null;
}

export const noFrames: SeenFrames = { shownAt: null, last: null, apart: null };

const apartMost = 0.2;
const apartWhereUntold = 1 / 25;

/**
 * What is known once another frame is on show. While a film plays, frames may be left out: the least distance is theirs. It counts once it
 * came twice in succession, as where two pieces of a stream meet one may be shorter.
 */
export function seeFrame({ shownAt, last, apart }: SeenFrames, mediaTime: number, isPlaying: boolean): SeenFrames {
  if (!isPlaying || shownAt === null) return { shownAt: mediaTime, last: null, apart };
  const distance = mediaTime - shownAt;
  const cameTwice = last !== null && Math.abs(distance - last) < last / 10;
  return { shownAt: mediaTime, last: distance, apart: cameTwice && distance < (apart ?? apartMost) ? distance : apart };
}

/** The middle of the frame before or behind the one on show; from the second of the film where it is not told which one that is. */
export function aimAtFrame({ shownAt, apart }: Pick<SeenFrames, 'shownAt' | 'apart'>, direction: 1 | -1, currentTime: number): number {
  const distance = apart ?? apartWhereUntold;
  const middle = (shownAt ?? Number.NaN) + (direction + 0.5) * distance;
  // Of frames at uneven distances the one on show may go on behind that middle: who was led there already is led further.
  const ahead = (middle - currentTime) * direction;
  const isBeside = ahead > distance / 4 && ahead < 3 * distance;
  return isBeside ? middle : currentTime + direction * distance;
}
