const aimSeconds = 0.1;

/**
 * Where to begin so that a second of the film is seen. Begun in the middle, a stream is laid out by the sound of its first segment,
 * which may start up to a tenth of a second before its picture: aimed that much later, the picture is never of the second before.
 */
export function aimAt(seconds: number): number {
  return seconds > 0 ? seconds + aimSeconds : seconds;
}
