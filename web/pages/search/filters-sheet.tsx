import type { FoundVideos } from '#web/components/use-found-videos.ts';
import { Button } from '#web/ui/button.tsx';
import { Modal } from '#web/ui/modal.tsx';
import { FilterGroups } from './filter-groups.tsx';
import { noFilters } from './filters.ts';
import type { Narrowing } from './narrowing.ts';

interface FiltersSheetProps {
  found: FoundVideos;
  shownCount: number;
  narrowing: Narrowing;
  onClose: () => void;
}

/** The filters where there is no room for them beside the results; they work at once. */
export function FiltersSheet({ found, shownCount, narrowing, onClose }: FiltersSheetProps) {
  return (
    <Modal title="Filters" place="side" onClose={onClose}>
      <div className="filters">
        <FilterGroups videos={found.videos} narrowing={narrowing} />
      </div>
      <div className="sheet-foot">
        <Button look="ghost" size="large" onClick={() => narrowing.onChange(noFilters)}>
          Clear
        </Button>
        <Button look="primary" size="large" onClick={onClose}>
          Show {shownCount} {shownCount === 1 ? 'video' : 'videos'}
        </Button>
      </div>
    </Modal>
  );
}
