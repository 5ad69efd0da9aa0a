import { useRef } from 'react';
import { LoadMore } from '#web/components/load-more.tsx';
import { ResultCard } from '#web/components/results/result-card.tsx';
import type { FoundVideos } from '#web/components/use-found-videos.ts';
import { FiltersRail } from './filters-rail.tsx';
import type { Narrowing } from './narrowing.ts';
import { ResultsSkeleton } from './results-skeleton.tsx';
import { useMomentKeys } from './use-moment-keys.ts';

interface SearchResultsProps {
  query: string;
  found: FoundVideos;
  narrowing: Narrowing;
  isSorted: boolean;
}

/** Cards with their moments, the way to more of them, and the filters beside. */
export function SearchResults({ query, found, narrowing, isSorted }: SearchResultsProps) {
  const list = useRef<HTMLDivElement>(null);
  useMomentKeys(list, found);
  const { arrangedAmong } = found;
  return (
    <div className="results">
      <div ref={list} className={found.isRearranging ? 'results-rearranging' : undefined}>
        {found.isFirstLoading && <ResultsSkeleton />}
        {arrangedAmong !== undefined && (
          <p className="results-among">
            {isSorted ? 'Sorted' : 'Filtered'} among the best {arrangedAmong.toLocaleString('en')} videos.
          </p>
        )}
        {found.videos.map((video) => (
          <ResultCard key={video.id} video={video} query={query} />
        ))}
        {!found.isFirstLoading && <LoadMore state={found.more} pageCount={found.pageCount} onLoad={found.load} />}
      </div>
      <FiltersRail narrowing={narrowing} />
    </div>
  );
}
