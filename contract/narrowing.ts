/** Orders of a list of videos. `best` is the order of a search, and for a list without a query the newest first. */
export const searchOrders = ['best', 'newest', 'longest', 'moments'] as const;
export type SearchOrder = (typeof searchOrders)[number];

/** Lengths of videos in minutes: below 10, from 10 to 60, above 60. */
export const lengthFilters = ['under-10', '10-60', 'over-60'] as const;
export type LengthFilter = (typeof lengthFilters)[number];

/** Which of these lengths a video has. */
export function lengthOf(durationInSeconds: number): LengthFilter {
  if (durationInSeconds < 600) return 'under-10';
  return durationInSeconds <= 3_600 ? '10-60' : 'over-60';
}
