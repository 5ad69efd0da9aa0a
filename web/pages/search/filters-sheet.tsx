import { useId } from 'react';
import { formatCount } from '#web/components/text/count-wording.ts';
import { Button } from '#web/ui/button.tsx';
import { Modal } from '#web/ui/modal.tsx';
import { FilterGroups } from './filter-groups.tsx';
import { noFilters } from './filters.ts';
import type { Counts, Narrowing } from './narrowing.ts';
import type { Sorting } from './sorting.ts';

interface FiltersSheetProps {
  narrowing: Narrowing;
  sorting: Sorting;
  onClose: () => void;
}

/** Order and filters where there is no room for them beside the results; they work at once. */
export function FiltersSheet({ narrowing, sorting, onClose }: FiltersSheetProps) {
  return (
    <Modal title="Filters" place="side" onClose={onClose}>
      <div className="filters">
        <SortChoice sorting={sorting} />
        <FilterGroups narrowing={narrowing} />
      </div>
      <div className="sheet-foot">
        {/* The kinds of match are chosen elsewhere, and stay. */}
        <Button look="ghost" size="large" onClick={() => narrowing.onChange({ ...noFilters, kind: narrowing.filters.kind })}>
          Clear
        </Button>
        <Button look="primary" size="large" onClick={onClose}>
          Show {videosOf(narrowing.counts)}
        </Button>
      </div>
    </Modal>
  );
}

function videosOf(counts: Counts): string {
  if (counts.state !== 'counted') return 'videos';
  const { videos, isAll } = counts.facets;
  return `${formatCount(videos, isAll)} ${videos === 1 && isAll ? 'video' : 'videos'}`.trim();
}

/** The order of the results on a narrow screen, where the row of chips has no room for it. */
function SortChoice({ sorting: { orders, value, onChange } }: { sorting: Sorting }) {
  const name = useId();
  return (
    <fieldset className="sort-choice">
      <legend>Sort by</legend>
      {orders.map((order) => (
        <label key={order.value} className="facet">
          <input type="radio" name={name} checked={order.value === value} onChange={() => onChange(order.value)} />
          <span className="facet-name">{order.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
