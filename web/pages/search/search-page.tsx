/*
 * A search: its results (search-results), and the filters beside them, on a phone in a sheet; filters and sorting say how they stand in the address.
 */
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { limits } from '#contract/limits.ts';
import { type MatchKind, matchKinds } from '#contract/match-kinds.ts';
import { searchFacets } from '#web/api/search/search-facets.ts';
import type { SearchRequest } from '#web/api/search/search-request.ts';
import { Announcement, announcePage } from '#web/components/announcement.tsx';
import { Main } from '#web/components/frame/main.tsx';
import { PageHeading } from '#web/components/frame/page-heading.tsx';
import { PageTitle } from '#web/components/frame/page-title.tsx';
import { keepFocus } from '#web/components/keep-focus.ts';
import { ListWaits } from '#web/components/list-waits.tsx';
import { isTooLong, queryLength, readQuery } from '#web/components/read-query.ts';
import { kindIconOf } from '#web/components/results/kind-icon.ts';
import { listOrders, readOrder, resultOrders, writeOrder } from '#web/components/search-order.ts';
import { SortSelect } from '#web/components/sort-select.tsx';
import { LoadMore } from '#web/components/table/load-more.tsx';
import { formatCount } from '#web/components/text/count-wording.ts';
import { type FoundVideos, useFoundVideos } from '#web/components/use-found-videos.ts';
import { NoVideosYet, VideoGrid, VideoGridSkeleton } from '#web/components/video-grid.tsx';
import { filmsAreHere } from '#web/page-settings.ts';
import { paths } from '#web/paths.ts';
import { Icon } from '#web/ui/icon.tsx';
import { makeLazyPart } from '#web/ui/lazy-part.ts';
import { describeTotal } from './describe-filter.ts';
import { activeFiltersIn, countFilters, keyKinds, narrowedBy, readFilters, toggleValue, writeFilters } from './filters.ts';
import { FiltersRail } from './filters-rail.tsx';
import type { Counts, Narrowing } from './narrowing.ts';
import { SearchResults } from './search-results.tsx';
import type { Sorting } from './sorting.ts';

const NearestLinks = makeLazyPart(() => import('./search-tips.tsx').then((part) => part.NearestLinks));
const SearchTips = makeLazyPart(() => import('./search-tips.tsx').then((part) => part.SearchTips));

/** Everything that this page shows follows from its address: the query, where to start, the order and the filters. */
export function SearchPage() {
  const [params] = useSearchParams();
  const query = readQuery(params);
  return isTooLong(query) ? <TooLongQuery query={query} /> : <Answer query={query} />;
}

function Answer({ query }: { query: string }) {
  const [params, setParams] = useSearchParams();
  // Another order or filter is another list, from its beginning, and a step back leads to the one before.
  const go = (next: URLSearchParams) => setParams(resetSkip(next));
  const filters = readFilters(params);
  const orders = query === '' ? listOrders : resultOrders;
  const order = readOrder(params, orders);
  const request = { query, ...(order === 'best' ? {} : { sort: order }), ...narrowedBy(filters) };
  const skip = readSkip(params);
  const found = useFoundVideos(request, skip);
  const counts = useCounts(request, found);
  const narrowing: Narrowing = { request, filters, counts, onChange: (next) => go(writeFilters(params, next)) };
  const sorting: Sorting = { orders, value: order, onChange: (next) => go(writeOrder(params, next)) };
  const { searchedFor, videos } = found;
  const isNarrowed = activeFiltersIn(filters).length > 0;
  const isEmpty = found.more === 'end' && videos.length === 0;
  const isPastEnd = isEmpty && skip > 0;
  const hasNothing = isEmpty && (query !== '' || isNarrowed || isPastEnd);
  // Whoever goes through the filters by keys stays among them.
  const keepsFilters = hasNothing && isNarrowed && !isPastEnd && filmsAreHere;
  const tips = hasNothing && !isPastEnd && (
    <Suspense>
      <SearchTips nearest={found.nearest} narrowing={narrowing} />
    </Suspense>
  );
  const shown = { found, narrowing, instead: keepsFilters && tips };
  return (
    <Main busy={found.isFirstLoading || found.isRearranging}>
      <PageTitle title={query || 'Showing all videos'} />
      <div className={keepsFilters ? 'no-matches no-matches-filtered' : hasNothing ? 'no-matches' : undefined}>
        <div className="results-head">
          <PageHeading page={`search ${query}`}>
            <SearchHeading query={searchedFor?.text ?? query} hasNo={isPastEnd ? 'more' : hasNothing ? 'any' : null} />
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
          {!hasNothing && found.nearest.length > 0 && (
            <Suspense>
              <p className="results-instead">
                Did you mean <NearestLinks nearest={found.nearest} />
              </p>
            </Suspense>
          )}
          {!hasNothing && <Total narrowing={narrowing} hasMeant={videos.some(({ isByMeaning }) => isByMeaning)} />}
        </div>
        <MatchKey narrowing={narrowing} sorting={sorting}>
          {(!hasNothing || order !== 'best') && filmsAreHere && <SortSelect {...sorting} />}
        </MatchKey>
        {isPastEnd && (
          <p className="no-matches-why" ref={() => keepFocus}>
            This address starts after the end of the list.{' '}
            <Link className="link" to={{ search: `?${resetSkip(new URLSearchParams(params))}` }}>
              Go to the first results
            </Link>
            .
          </p>
        )}
        {!keepsFilters && tips}
      </div>
      <Announcement text={announcePage(found)} />
      {(!hasNothing || keepsFilters) &&
        (query === '' ? <ListedVideos {...shown} /> : <SearchResults {...shown} query={query} isSorted={order !== 'best'} />)}
    </Main>
  );
}

function resetSkip(params: URLSearchParams): URLSearchParams {
  if (params.has('skip')) params.set('skip', '0');
  return params;
}

function readSkip(params: URLSearchParams): number {
  const skip = Number(params.get('skip') ?? 0);
  return Number.isInteger(skip) && skip >= 0 && skip <= limits.skipMax ? skip : 0;
}

/** What the search comes to: told again when a filter has changed it. Its line is there before the numbers are. */
function Total({ narrowing: { request, filters, counts }, hasMeant }: { narrowing: Narrowing; hasMeant: boolean }) {
  // That other filters left no words says nothing of these.
  const areOfUse = counts.state === 'counted' && !(counts.areOfBefore && counts.facets.videos === 0);
  return (
    <p className="results-total" role="status">
      {areOfUse && describeTotal({ ...counts.facets, query: request.query, hasMeant }, filters)}
    </p>
  );
}

/** A longer query may need several lines, on a phone sooner than on a desk, and a skewed block cannot follow it there. */
const oneLineCharacters = { phone: 16, desk: 40 };

/** What the search came to, in one line. */
function SearchHeading({ query, hasNo }: { query: string; hasNo: 'any' | 'more' | null }) {
  if (hasNo === 'more') return query === '' ? 'No more results' : `No more results for ${query}`;
  if (hasNo) return query === '' ? 'No matches found' : `No matches found for ${query}`;
  if (query === '') return 'Showing all videos';
  const { phone, desk } = oneLineCharacters;
  const length = query.length <= phone ? 'marker-short' : query.length <= desk ? 'marker-medium' : 'marker-long';
  return (
    <>
      Showing results for <span className={`marker ${length}`}>{query}</span>
    </>
  );
}

/** In place of an answer: such a query is not asked. It stands in the search box as it came. */
function TooLongQuery({ query }: { query: string }) {
  const count = (characters: number) => characters.toLocaleString('en');
  return (
    <Main>
      <PageTitle title="The query is too long" />
      <div className="no-matches">
        <div className="results-head">
          <PageHeading page={`search ${query}`}>No matches found: the query is too long</PageHeading>
        </div>
        <p className="no-matches-why">
          A query may have up to {count(limits.queryMaxCodePoints)} characters, and this one has {count(queryLength(query))}. Shorten it in
          the search box.
        </p>
      </div>
    </Main>
  );
}

/** Videos that nothing was searched in, or what stands instead of them, and the filters beside. */
function ListedVideos({ found, narrowing, instead }: { found: FoundVideos; narrowing: Narrowing; instead: ReactNode }) {
  const isEmpty = found.hasAnswer && found.videos.length === 0;
  return (
    <div className="results">
      <div className={found.isRearranging ? 'results-rearranging' : undefined}>
        {(found.isFirstLoading || found.isRearranging) && found.waits && <ListWaits waits={found.waits} />}
        {found.isFirstLoading ? !found.waits && <VideoGridSkeleton /> : <VideoGrid videos={found.videos} heading="h2" />}
        {isEmpty && (instead || <NoVideosYet />)}
        {!found.isFirstLoading && !isEmpty && <LoadMore state={found.more} waits={found.moreWaits} onLoad={found.load} />}
      </div>
      {filmsAreHere && <FiltersRail narrowing={narrowing} />}
    </div>
  );
}

/** What a search comes to. Asked after its first page, which is what somebody waits for; while a filter changes, the counts before stay. */
function useCounts(request: SearchRequest, { hasAnswer, waits }: FoundVideos): Counts {
  const { data, failureReason, isPlaceholderData } = useQuery({
    ...searchFacets(request),
    enabled: hasAnswer && filmsAreHere,
    placeholderData: (before, other) => (other?.queryKey[1] === request.query ? before : undefined),
  });
  if (data) return { state: 'counted', facets: data, areOfBefore: isPlaceholderData };
  return { state: failureReason || waits || !filmsAreHere ? 'none' : 'loading' };
}

const FiltersSheet = makeLazyPart(() => import('./filters-sheet.tsx').then((part) => part.FiltersSheet));

interface MatchKeyProps {
  narrowing: Narrowing;
  sorting: Sorting;
  /** At the end of the row. */
  children?: ReactNode;
}

/** The key to the icons and a filter in one: no kind pressed means all. Where another service finds the films it filters nothing, and is a key alone. */
function MatchKey({ narrowing, sorting, children }: MatchKeyProps) {
  const [isSheetOpen, setSheetOpen] = useState(false);
  const { request, filters, onChange, counts } = narrowing;
  const others = countFilters({ ...filters, kind: [] });
  return (
    <div className="match-key">
      {/* biome-ignore lint/a11y/useSemanticElements: a row of toggles is no fieldset of a form */}
      <div className="contents" role="group" aria-label="Match types">
        {keyKinds.map((kind) =>
          filmsAreHere ? (
            <button
              key={kind}
              type="button"
              className="chip"
              aria-pressed={filters.kind.includes(kind)}
              onClick={() => onChange({ ...filters, kind: toggleValue(filters.kind, kind) })}
            >
              <KindName kind={kind} />
              {request.query !== '' && <KindCount kind={kind} counts={counts} />}
            </button>
          ) : (
            <span key={kind} className="chip">
              <KindName kind={kind} />
            </span>
          ),
        )}
      </div>
      {filmsAreHere && (
        <button type="button" className="chip filters-button" aria-haspopup="dialog" onClick={() => setSheetOpen(true)}>
          <Icon name="sliders-horizontal" size={16} />
          Filters
          {others > 0 && <span className="chip-count">{others}</span>}
        </button>
      )}
      {children}
      {isSheetOpen && (
        <Suspense>
          <FiltersSheet narrowing={narrowing} sorting={sorting} onClose={() => setSheetOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}

function KindName({ kind }: { kind: MatchKind }) {
  return (
    <>
      <Icon name={kindIconOf(kind)} size={16} />
      {matchKinds[kind].wording}
    </>
  );
}

function KindCount({ kind, counts }: { kind: MatchKind; counts: Counts }) {
  if (counts.state === 'none') return null;
  if (counts.state === 'loading') return <span className="skeleton h-2.5 w-4" />;
  const { kinds, isAll } = counts.facets;
  const count = formatCount(kinds[kind] ?? 0, isAll);
  return count && <span className="chip-count">{count}</span>;
}
