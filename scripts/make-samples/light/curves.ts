export const clamp = (value: number, low = 0, high = 1): number => (value < low ? low : value > high ? high : value);

export const mix = (first: number, second: number, share: number): number => first + (second - first) * share;

/** 0 before `from`, 1 after `to`, an easy slope between; `from` may lie after `to`. */
export function rise(from: number, to: number, value: number): number {
  const share = clamp((value - from) / (to - from));
  return share * share * (3 - 2 * share);
}

/** A soft bump of the given half width around a centre. */
export function bump(centre: number, halfWidth: number, value: number): number {
  const distance = (value - centre) / halfWidth;
  return Math.exp(-distance * distance);
}
