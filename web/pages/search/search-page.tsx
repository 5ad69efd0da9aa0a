import { Link, useSearchParams } from 'react-router';
import { limits } from '#contract/limits.ts';
import { Announcement, announcePage } from '#web/components/announcement.tsx';
import { LoadMore } from '#web/components/load-more.tsx';
import { Main } from '#web/components/main.tsx';
import { PageHeading } from '#web/components/page-heading.tsx';
import { PageTitle } from '#web/components/page-title.tsx';
import { useFoundVideos } from '#web/components/use-found-videos.ts';
import { VideoGrid, VideoGridSkeleton } from '#web/components/video-grid.tsx';
import { paths } from '#web/paths.ts';
import { applyFilters, type Filters, readFilters, writeFilters } from './filters.ts';
import { MatchKey } from './match-key.tsx';
import { SearchHeading } from './search-heading.tsx';
import { SearchResults } from './search-results.tsx';
import { SearchTips } from './search-tips.tsx';

/** Everything that this page shows follows from its address: the query, where to start, and the filters. */
export function SearchPage() {
  const [params, setParams] = useSearchParams();
  const query = (params.get('query') ?? '').trim();
  const found = useFoundVideos(query, readSkip(params));
  const filters = readFilters(params);
  const shown = applyFilters(found.videos, filters);
  const narrowing = {
    filters,
    onChange: (next: Filters) => setParams(writeFilters(params, next), { replace: true, preventScrollReset: true }),
  };
  const { searchedFor } = found;
  const hasNothing = query !== '' && found.more === 'end' && shown.length === 0;
  return (
    <Main busy={found.isFirstLoading}>
      <PageTitle title={query || 'Showing all videos'} />
      <div className={hasNothing ? 'no-matches' : undefined}>
        <div className="results-head">
          <PageHeading page={`search ${query}`}>
            <SearchHeading query={searchedFor?.text ?? query} hasNothing={hasNothing} />
          </PageHeading>
          {searchedFor && (
            <p className="results-instead">
              Search instead for{' '}
              <Link className="link" to={paths.search(searchedFor.literally)}>
                {query}
              </Link>
              .
            </p>
          )}
        </div>
        <MatchKey found={found} shownCount={shown.length} narrowing={narrowing} />
        {hasNothing && <SearchTips query={query} narrowing={narrowing} />}
      </div>
      <Announcement text={announcePage(found)} />
      {query !== '' && !hasNothing && (
        <SearchResults query={searchedFor?.text ?? query} found={found} shown={shown} narrowing={narrowing} />
      )}
      {query === '' && (found.isFirstLoading ? <VideoGridSkeleton /> : <VideoGrid videos={shown} />)}
      {query === '' && !found.isFirstLoading && <LoadMore state={found.more} pageCount={found.pageCount} onLoad={found.load} />}
    </Main>
  );
}

function readSkip(params: URLSearchParams): number {
  const skip = Number(params.get('skip') ?? 0);
  return Number.isInteger(skip) && skip >= 0 && skip <= limits.skipMax ? skip : 0;
}
