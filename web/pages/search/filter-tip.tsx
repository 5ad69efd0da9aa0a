import { useQuery } from '@tanstack/react-query';
import { searchFacets } from '#web/api/search/search-facets.ts';
import { Icon } from '#web/ui/icon.tsx';
import { describeFilter, describeWithout } from './describe-filter.ts';
import { type FilterName, type Filters, narrowedBy, noFilters } from './filters.ts';
import type { Narrowing } from './narrowing.ts';

/** A filter that excludes everything, what the others would leave without it, and a button that takes it off. */
export function FilterTip({ name, narrowing }: { name: FilterName; narrowing: Narrowing }) {
  const { filters, onChange } = narrowing;
  const others = { ...filters, [name]: noFilters[name] };
  const { label, isSeveral } = describeFilter(filters, name);
  return (
    <li>
      <Icon name="sliders-horizontal" />
      <span>
        <bdi>{label}</bdi> {isSeveral ? 'are' : 'is'} on.{' '}
        <Without narrowing={narrowing} others={others} without={isSeveral ? 'Without them' : 'Without it'} />
        <button type="button" className="link" onClick={() => onChange(others)}>
          Take off <bdi>{label}</bdi>
        </button>
      </span>
    </li>
  );
}

/** The same for all filters at once. */
export function ClearTip({ narrowing }: { narrowing: Narrowing }) {
  return (
    <li>
      <Icon name="x" />
      <span>
        <Without narrowing={narrowing} others={noFilters} without="Without any filter" />
        <button type="button" className="link" onClick={() => narrowing.onChange(noFilters)}>
          Clear filters
        </button>
      </span>
    </li>
  );
}

function Without({ narrowing, others, without }: { narrowing: Narrowing; others: Filters; without: string }) {
  const { query } = narrowing.question;
  // Without a query there are no moments to count.
  const { data } = useQuery({ ...searchFacets({ query, ...narrowedBy(others) }), enabled: query !== '' });
  return data && `${describeWithout(data, others, without)} `;
}
