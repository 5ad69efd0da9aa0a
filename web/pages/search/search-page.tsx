import { useSearchParams } from 'react-router';
import { limits } from '#contract/limits.ts';
import { Main } from '#web/components/main.tsx';
import { PageTitle } from '#web/components/page-title.tsx';
import { useFoundVideos } from '#web/components/use-found-videos.ts';
import { AllVideos } from './all-videos.tsx';
import { applyFilters, readFilters, writeFilters } from './filters.ts';
import { NoMatches } from './no-matches.tsx';
import { SearchResults } from './search-results.tsx';

/** Everything that this page shows follows from its address: the query, where to start, and the filters. */
export function SearchPage() {
  const [params, setParams] = useSearchParams();
  const query = (params.get('query') ?? '').trim();
  const found = useFoundVideos(query, readSkip(params));
  const filters = readFilters(params);
  const shown = applyFilters(found.videos, filters);
  const narrowing = {
    filters,
    onChange: (next: typeof filters) => setParams(writeFilters(params, next), { replace: true, preventScrollReset: true }),
  };
  const hasNothing = found.more === 'end' && shown.length === 0;
  return (
    <Main busy={found.isFirstLoading}>
      <PageTitle title={query || 'Showing all videos'} />
      {query === '' ? (
        <AllVideos found={found} shown={shown} narrowing={narrowing} />
      ) : hasNothing ? (
        <NoMatches query={query} found={found} narrowing={narrowing} />
      ) : (
        <SearchResults query={query} found={found} shown={shown} narrowing={narrowing} />
      )}
    </Main>
  );
}

function readSkip(params: URLSearchParams): number {
  const skip = Number(params.get('skip') ?? 0);
  return Number.isInteger(skip) && skip >= 0 && skip <= limits.skipMax ? skip : 0;
}
