import { useQuery } from '@tanstack/react-query';
import { searchFacets } from '#web/api/search-facets.ts';
import { Icon } from '#web/ui/icon.tsx';
import { describeFilter, describeWithout } from './describe-filter.ts';
import { type FilterName, narrowedBy, noFilters } from './filters.ts';
import type { Narrowing } from './narrowing.ts';

/** A filter that excludes everything, what the others would leave without it, and a button that takes it off. */
export function FilterTip({ name, narrowing }: { name: FilterName; narrowing: Narrowing }) {
  const { filters, question, onChange } = narrowing;
  const others = { ...filters, [name]: noFilters[name] };
  const { data } = useQuery({ ...searchFacets({ query: question.query, ...narrowedBy(others) }), enabled: question.query !== '' });
  const { label, isSeveral } = describeFilter(filters, name);
  return (
    <li>
      <Icon name="sliders-horizontal" />
      <span>
        {label} {isSeveral ? 'are' : 'is'} on. {data && `${describeWithout(data, others, isSeveral)} `}
        <button type="button" className="link" aria-label={`Take off ${label}`} onClick={() => onChange(others)}>
          Take {isSeveral ? 'them' : 'it'} off
        </button>
      </span>
    </li>
  );
}
