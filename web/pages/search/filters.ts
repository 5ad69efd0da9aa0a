import { isMatchKind, type MatchKind, matchKinds } from '#contract/match-kinds.ts';
import type { FoundMoment } from '#web/components/results/found-moment.ts';
import type { FoundVideo } from '#web/components/results/found-video.ts';

export type LengthFilter = 'any' | 'under-10' | '10-60' | 'over-60';

/** What narrows the results on show; it lives in the address. */
export interface Filters {
  kinds: ReadonlySet<MatchKind>;
  length: LengthFilter;
  people: ReadonlySet<string>;
  labels: ReadonlySet<string>;
}

export const keyKinds: readonly MatchKind[] = Object.keys(matchKinds)
  .filter(isMatchKind)
  .filter((kind) => matchKinds[kind].inKey);
const lengths: readonly LengthFilter[] = ['any', 'under-10', '10-60', 'over-60'];

/** The filters that an address names; what makes no sense filters nothing. */
export function readFilters(params: URLSearchParams): Filters {
  return {
    kinds: new Set(params.getAll('kind').filter(isMatchKind)),
    length: lengths.find((length) => length === params.get('length')) ?? 'any',
    people: new Set(params.getAll('person')),
    labels: new Set(params.getAll('label')),
  };
}

/** The address with these filters instead of its own; whatever else it says stays. */
export function writeFilters(params: URLSearchParams, filters: Filters): URLSearchParams {
  const written = new URLSearchParams(params);
  for (const name of ['kind', 'length', 'person', 'label']) written.delete(name);
  for (const kind of filters.kinds) written.append('kind', kind);
  for (const person of filters.people) written.append('person', person);
  for (const label of filters.labels) written.append('label', label);
  if (filters.length !== 'any') written.set('length', filters.length);
  return written;
}

export const noFilters: Filters = { kinds: new Set(), length: 'any', people: new Set(), labels: new Set() };

/** How many filters are on. */
export function countFilters({ kinds, length, people, labels }: Filters): number {
  return kinds.size + people.size + labels.size + (length === 'any' ? 0 : 1);
}

/** The results that pass, each with the moments that pass. */
export function applyFilters(videos: readonly FoundVideo[], filters: Filters): FoundVideo[] {
  return videos
    .filter((video) => hasLength(video, filters.length) && hasNamed(video, filters))
    .flatMap((video) => narrow(video, filters.kinds));
}

function hasLength({ durationInSeconds }: FoundVideo, length: LengthFilter): boolean {
  const minutes = durationInSeconds / 60;
  if (length === 'under-10') return minutes < 10;
  if (length === '10-60') return minutes >= 10 && minutes <= 60;
  return length === 'any' || minutes > 60;
}

/** Any of the chosen people, and any of the chosen labels. */
function hasNamed({ moments }: FoundVideo, { people, labels }: Filters): boolean {
  const has = (kind: MatchKind, names: ReadonlySet<string>) =>
    names.size === 0 || moments.some((moment) => moment.kind === kind && names.has(moment.text));
  return has('Face', people) && has('Annotations', labels);
}

function narrow(video: FoundVideo, kinds: ReadonlySet<MatchKind>): FoundVideo[] {
  if (kinds.size === 0) return [video];
  const moments = video.moments.filter((moment: FoundMoment) => kinds.has(moment.kind));
  return moments.length > 0 ? [{ ...video, moments, momentsTotal: moments.length }] : [];
}
