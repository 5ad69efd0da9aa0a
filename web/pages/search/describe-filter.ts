import { matchKinds } from '#contract/match-kinds.ts';
import type { LengthFilter } from '#contract/narrowing.ts';
import type { SearchFacets } from '#contract/search-facets.ts';
import { wordCount } from '#web/components/text/count-wording.ts';
import type { FilterName, Filters } from './filters.ts';

const lengths: Readonly<Record<LengthFilter, string>> = {
  'under-10': 'Less than 10 min',
  '10-60': '10–60 min',
  'over-60': '60+ min',
};

/** What of a group of filters is on: `Written text and Title`. */
export function describeFilter(filters: Filters, name: FilterName): { label: string; isSeveral: boolean } {
  const labels = labelsOf(filters, name);
  const last = labels.at(-1) ?? '';
  const label = labels.length > 1 ? `${labels.slice(0, -1).join(', ')} and ${last}` : last;
  return { label, isSeveral: labels.length > 1 };
}

function labelsOf({ kind, length, ...names }: Filters, name: FilterName): readonly string[] {
  if (name === 'kind') return kind.map((one) => matchKinds[one].wording);
  if (name === 'length') return length.map((one) => lengths[one]);
  return names[name];
}

/** What the search comes to without some filters: `Without it: 12 moments.` `others` are those that stay on. */
export function describeWithout({ kinds, isAll }: SearchFacets, others: Filters, without: string): string {
  // Counts of kinds leave their own filter out.
  const shown = others.kind.length > 0 ? others.kind.map((kind) => kinds[kind] ?? 0) : Object.values(kinds);
  const moments = shown.reduce((sum, count) => sum + count, 0);
  if (moments === 0 && isAll) return `${without}: nothing either.`;
  return `${without}: ${wordCount(moments, isAll)} ${moments === 1 && isAll ? 'moment' : 'moments'}.`;
}
