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

/** What an answer can be narrowed to: each filter, and what names it in a request. Whoever asks for one pays for a survey. */
export const narrowings = [
  { group: 'kinds', parameter: 'matchKind' },
  { group: 'length', parameter: 'length' },
  { group: 'playable', parameter: 'playable' },
  { group: 'people', parameter: 'person' },
  { group: 'labels', parameter: 'label' },
  { group: 'brands', parameter: 'brand' },
] as const;
export type NarrowingGroup = (typeof narrowings)[number]['group'];

/** Everything in a request that arranges an answer anew. */
export type ArrangingParameter = (typeof narrowings)[number]['parameter'] | 'sort';
export const arrangingParameters: readonly ArrangingParameter[] = ['sort', ...narrowings.map(({ parameter }) => parameter)];
