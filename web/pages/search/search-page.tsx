import { lazy, Suspense } from 'react';
import { Link, useSearchParams } from 'react-router';
import { limits } from '#contract/limits.ts';
import { Announcement, announcePage } from '#web/components/announcement.tsx';
import { Main } from '#web/components/frame/main.tsx';
import { PageHeading } from '#web/components/frame/page-heading.tsx';
import { PageTitle } from '#web/components/frame/page-title.tsx';
import { isTooLong, readQuery } from '#web/components/read-query.ts';
import { listOrders, readOrder, resultOrders, writeOrder } from '#web/components/search-order.ts';
import { SortSelect } from '#web/components/sort-select.tsx';
import { useFoundVideos } from '#web/components/use-found-videos.ts';
import { paths } from '#web/paths.ts';
import { activeFilters, narrowedBy, readFilters, writeFilters } from './filters.ts';
import { ListedVideos } from './listed-videos.tsx';
import { MatchKey } from './match-key.tsx';
import type { Narrowing } from './narrowing.ts';
import { SearchHeading } from './search-heading.tsx';
import { SearchResults } from './search-results.tsx';
import type { Sorting } from './sorting.ts';
import { TooLongQuery } from './too-long-query.tsx';
import { useCounts } from './use-counts.ts';

const SearchTips = lazy(() => import('./search-tips.tsx').then((module) => ({ default: module.SearchTips })));

/** Everything that this page shows follows from its address: the query, where to start, the order and the filters. */
export function SearchPage() {
  const [params] = useSearchParams();
  const query = readQuery(params);
  return isTooLong(query) ? <TooLongQuery query={query} /> : <Answer query={query} />;
}

function Answer({ query }: { query: string }) {
  const [params, setParams] = useSearchParams();
  // Another order or filter is another list, from its beginning.
  const replace = (next: URLSearchParams) => setParams(fromStart(next), { replace: true, preventScrollReset: true });
  const filters = readFilters(params);
  const orders = query === '' ? listOrders : resultOrders;
  const order = readOrder(params, orders);
  const question = { query, ...(order === 'best' ? {} : { sort: order }), ...narrowedBy(filters) };
  const found = useFoundVideos(question, readSkip(params));
  const counts = useCounts(question, found.hasAnswer);
  const narrowing: Narrowing = { question, filters, counts, onChange: (next) => replace(writeFilters(params, next)) };
  const sorting: Sorting = { orders, value: order, onChange: (next) => replace(writeOrder(params, next)) };
  const { searchedFor, videos } = found;
  const isNarrowed = activeFilters(filters).length > 0;
  const hasNothing = (query !== '' || isNarrowed) && found.more === 'end' && videos.length === 0;
  const isList = query === '' && !hasNothing;
  return (
    <Main busy={found.isFirstLoading || found.isRearranging}>
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
        <MatchKey narrowing={narrowing} sorting={sorting}>
          {!hasNothing && <SortSelect {...sorting} />}
        </MatchKey>
        {hasNothing && (
          <Suspense>
            <SearchTips nearest={found.nearest} narrowing={narrowing} />
          </Suspense>
        )}
      </div>
      <Announcement text={announcePage(found)} />
      {query !== '' && !hasNothing && (
        <SearchResults query={searchedFor?.text ?? query} found={found} narrowing={narrowing} isSorted={order !== 'best'} />
      )}
      {isList && <ListedVideos found={found} narrowing={narrowing} />}
    </Main>
  );
}

function fromStart(params: URLSearchParams): URLSearchParams {
  if (params.has('skip')) params.set('skip', '0');
  return params;
}

function readSkip(params: URLSearchParams): number {
  const skip = Number(params.get('skip') ?? 0);
  return Number.isInteger(skip) && skip >= 0 && skip <= limits.skipMax ? skip : 0;
}
