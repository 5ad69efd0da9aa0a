import { Suspense } from 'react';
import { makeLazyPart } from '#web/ui/lazy-part.ts';
import type { Narrowing } from './narrowing.ts';

const FilterGroups = makeLazyPart(() => import('./filter-groups.tsx').then((part) => part.FilterGroups));

/** The filters beside the results, where there is room for them. */
export function FiltersRail({ narrowing }: { narrowing: Narrowing }) {
  const waits = narrowing.counts.state === 'none';
  return (
    <aside className="filters filters-rail" aria-label="Filters">
      <div className="filters-sticky">
        {/* One of its own for what waits for the connection: the skeleton would stay until the filters have come. */}
        <Suspense key={waits ? 'waits' : 'loads'} fallback={waits ? null : <RailSkeleton />}>
          {narrowing.counts.state === 'loading' ? <RailSkeleton /> : <FilterGroups narrowing={narrowing} />}
        </Suspense>
      </div>
    </aside>
  );
}

function RailSkeleton() {
  return (
    <div className="after-a-moment" aria-hidden="true">
      <div className="skeleton mt-7 mb-8 h-[38px] rounded-md" />
      {[70, 56, 62, 40].map((width) => (
        <div key={width} className="skeleton skeleton-line my-[18px]" style={{ width: `${width}%` }} />
      ))}
    </div>
  );
}
