import { type MouseEvent, useRef } from 'react';
import { tellOpened } from '#web/api/search/search-openings.ts';
import { ResultCard } from '#web/components/results/result-card.tsx';
import { LoadMore } from '#web/components/table/load-more.tsx';
import type { FoundVideos } from '#web/components/use-found-videos.ts';
import { FiltersRail } from './filters-rail.tsx';
import type { Narrowing } from './narrowing.ts';
import { opensVideo } from './opens-video.ts';
import { ResultsSkeleton } from './results-skeleton.tsx';
import { SearchWaits } from './search-waits.tsx';
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
  const hear = (event: MouseEvent) => {
    if (opensVideo(event)) tellOpened(narrowing.question.query);
  };
  return (
    <div className="results">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the links inside are what is pressed, by keys as well; this only hears of it */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a key that opens a link is a click */}
      <div ref={list} className={found.isRearranging ? 'results-rearranging' : undefined} onClick={hear} onAuxClick={hear}>
        {found.waits !== undefined && <SearchWaits why={found.waits} />}
        {found.isFirstLoading && found.waits === undefined && <ResultsSkeleton />}
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
