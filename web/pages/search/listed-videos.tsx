import { LoadMore } from '#web/components/table/load-more.tsx';
import type { FoundVideos } from '#web/components/use-found-videos.ts';
import { VideoGrid, VideoGridSkeleton } from '#web/components/video-grid.tsx';
import { FiltersRail } from './filters-rail.tsx';
import type { Narrowing } from './narrowing.ts';

/** Videos that nothing was searched in, and the filters beside. */
export function ListedVideos({ found, narrowing }: { found: FoundVideos; narrowing: Narrowing }) {
  return (
    <div className="results">
      <div className={found.isRearranging ? 'results-rearranging' : undefined}>
        {found.isFirstLoading ? <VideoGridSkeleton /> : <VideoGrid videos={found.videos} />}
        {!found.isFirstLoading && <LoadMore state={found.more} pageCount={found.pageCount} onLoad={found.load} />}
      </div>
      <FiltersRail narrowing={narrowing} />
    </div>
  );
}
