import { Announcement, announcePage } from '#web/components/announcement.tsx';
import { LoadMore } from '#web/components/load-more.tsx';
import { PageHeading } from '#web/components/page-heading.tsx';
import type { FoundVideo } from '#web/components/results/found-video.ts';
import { ResultCard } from '#web/components/results/result-card.tsx';
import type { FoundVideos } from '#web/components/use-found-videos.ts';
import { FiltersRail } from './filters-rail.tsx';
import { MatchKey } from './match-key.tsx';
import type { Narrowing } from './narrowing.ts';
import { ResultsSkeleton } from './results-skeleton.tsx';

interface SearchResultsProps {
  query: string;
  found: FoundVideos;
  shown: FoundVideo[];
  narrowing: Narrowing;
}

/** A query longer than this may need several lines, where a skewed block cannot follow. */
const markerCharacters = 40;

export function SearchResults({ query, found, shown, narrowing }: SearchResultsProps) {
  return (
    <>
      <div className="results-head">
        <PageHeading page={`search ${query}`}>
          Showing results for <span className={`marker ${query.length > markerCharacters ? 'marker-long' : 'marker-short'}`}>{query}</span>
        </PageHeading>
      </div>
      <MatchKey found={found} shownCount={shown.length} narrowing={narrowing} />
      <div className="results">
        <div>
          <Announcement text={announcePage(found)} />
          {found.isFirstLoading && <ResultsSkeleton />}
          {shown.map((video) => (
            <ResultCard key={video.id} video={video} query={query} />
          ))}
          {!found.isFirstLoading && <LoadMore state={found.more} pageCount={found.pageCount} onLoad={found.load} />}
        </div>
        <FiltersRail found={found} narrowing={narrowing} />
      </div>
    </>
  );
}
