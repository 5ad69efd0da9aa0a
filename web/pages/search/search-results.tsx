import { LoadMore } from '#web/components/load-more.tsx';
import type { FoundVideo } from '#web/components/results/found-video.ts';
import { ResultCard } from '#web/components/results/result-card.tsx';
import type { FoundVideos } from '#web/components/use-found-videos.ts';
import { FiltersRail } from './filters-rail.tsx';
import type { Narrowing } from './narrowing.ts';
import { ResultsSkeleton } from './results-skeleton.tsx';

interface SearchResultsProps {
  query: string;
  found: FoundVideos;
  shown: FoundVideo[];
  narrowing: Narrowing;
}

/** Cards with their moments, the way to more of them, and the filters beside. */
export function SearchResults({ query, found, shown, narrowing }: SearchResultsProps) {
  // Filters that let hardly anything pass would otherwise load every page of the search in one go.
  const isWorthIt = shown.length >= found.pageCount;
  return (
    <div className="results">
      <div>
        {found.isFirstLoading && <ResultsSkeleton />}
        {shown.map((video) => (
          <ResultCard key={video.id} video={video} query={query} />
        ))}
        {!found.isFirstLoading && <LoadMore state={found.more} pageCount={found.pageCount} onLoad={found.load} bySight={isWorthIt} />}
      </div>
      <FiltersRail found={found} narrowing={narrowing} />
    </div>
  );
}
