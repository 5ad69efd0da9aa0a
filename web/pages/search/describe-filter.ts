import { matchKinds } from '#contract/match-kinds.ts';
import type { LengthFilter } from '#contract/narrowing.ts';
import type { SearchFacets } from '#contract/search-facets.ts';
import { formatCount } from '#web/components/text/count-wording.ts';
import type { FilterName, Filters } from './filters.ts';

const lengths: Readonly<Record<LengthFilter, string>> = {
  'under-10': 'Less than 10 min',
  '10-60': '10–60 min',
  'over-60': '60+ min',
};

export const playableHere = 'Playable here';

/** What of a group of filters is on: `Written text and Title`. */
export function describeFilter(filters: Filters, name: FilterName): { label: string; isSeveral: boolean } {
  const labels = labelsOf(filters, name);
  const last = labels.at(-1) ?? '';
  const label = labels.length > 1 ? `${labels.slice(0, -1).join(', ')} and ${last}` : last;
  return { label, isSeveral: labels.length > 1 };
}

function labelsOf({ kind, length, playable, ...names }: Filters, name: FilterName): readonly string[] {
  if (name === 'kind') return kind.map((one) => matchKinds[one].wording);
  if (name === 'length') return length.map((one) => lengths[one]);
  if (name === 'playable') return playable.map(() => playableHere);
  return names[name];
}

/**
 * What a search that has results comes to: `1,000+ moments in 863 videos`; without a query, which no moment answers, its videos alone.
 * Only words are counted: where they find nothing, meaning did, and it may have found more than they did.
 */
export function describeTotal(
  { query, hasMeant, ...facets }: SearchFacets & { query: string; hasMeant: boolean },
  filters: Filters,
): string {
  if (query !== '' && facets.videos === 0 && facets.isAll) {
    const isFiltered = Object.values(filters).some((chosen) => chosen.length > 0);
    return `No words match${isFiltered ? ' within these filters' : ''}: these are closest by meaning`;
  }
  const videos = wordAmount(facets.videos, 'video', facets.isAll);
  if (query === '') return videos;
  const total = `${wordAmount(momentsOf(facets, filters), 'moment', facets.isAll)} in ${videos}`;
  return hasMeant ? `${total} by words, and more closest by meaning` : total;
}

/** What the search comes to without some filters: `Without it: 12 moments.` `others` are those that stay on. */
export function describeWithout(facets: SearchFacets, others: Filters, without: string): string {
  const moments = momentsOf(facets, others);
  const isFiltered = Object.values(others).some((chosen) => chosen.length > 0);
  // Without any filter meaning answers where no words do, and it is not counted.
  if (moments === 0) return facets.isAll && isFiltered ? `${without}: still nothing.` : '';
  return `${without}: ${wordAmount(moments, 'moment', facets.isAll)}.`;
}

/** Counts of kinds leave their own filter out. */
function momentsOf({ kinds }: SearchFacets, { kind: wanted }: Filters): number {
  const shown = wanted.length > 0 ? wanted.map((kind) => kinds[kind] ?? 0) : Object.values(kinds);
  return shown.reduce((sum, count) => sum + count, 0);
}

function wordAmount(count: number, noun: string, isAll: boolean): string {
  return `${formatCount(count, isAll)} ${noun}${count === 1 && isAll ? '' : 's'}`.trim();
}
