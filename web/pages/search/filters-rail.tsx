import type { FoundVideos } from '#web/components/use-found-videos.ts';
import { FilterGroups } from './filter-groups.tsx';
import type { Narrowing } from './narrowing.ts';

/** The filters beside the results, where there is room for them. */
export function FiltersRail({ found, narrowing }: { found: FoundVideos; narrowing: Narrowing }) {
  return (
    <aside className="filters filters-rail" aria-label="Filters">
      <div className="filters-sticky">
        {found.isFirstLoading ? <RailSkeleton /> : <FilterGroups videos={found.videos} narrowing={narrowing} />}
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
