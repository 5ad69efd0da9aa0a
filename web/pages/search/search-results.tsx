import { type MouseEvent, useRef } from 'react';
import { tellOpened } from '#web/api/search/search-openings.ts';
import { ResultCard } from '#web/components/results/result-card.tsx';
import { LoadMore } from '#web/components/table/load-more.tsx';
import type { FoundVideos } from '#web/components/use-found-videos.ts';
import { FiltersRail } from './filters-rail.tsx';
import type { Narrowing } from './narrowing.ts';
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

const secondaryButton = 2;

/** Whether a click somewhere in the results opens a video: by a link, also into another tab, or by the strip, which says so by taking the click. */
function opensVideo({ target, button, defaultPrevented }: MouseEvent): boolean {
  if (!(target instanceof Element) || button === secondaryButton) return false;
  if (target.closest('.strip')) return defaultPrevented;
  return target.closest('a')?.pathname.startsWith('/video/') ?? false;
}

const cards = [
  { title: 44, rows: [82, 64, 90] },
  { title: 58, rows: [70, 88, 52] },
  { title: 36, rows: [92, 60] },
];

/** The exact places of real cards, without their content. */
function ResultsSkeleton() {
  return (
    <div className="after-a-moment" aria-hidden="true">
      {cards.map(({ title, rows }) => (
        <div key={title} className="result">
          <div>
            <div className="frame skeleton" />
            <div className="strip" />
          </div>
          <div>
            <div className="skeleton skeleton-line h-[22px]" style={{ width: `${title}%` }} />
            <div className="skeleton skeleton-line w-[18%]" />
            {rows.map((row) => (
              <div key={row} className="grid grid-cols-[66px_18px_1fr] gap-3 py-[5px]">
                <div className="skeleton skeleton-line" />
                <div className="skeleton skeleton-line h-4 rounded-full" />
                <div className="skeleton skeleton-line" style={{ width: `${row}%` }} />
              </div>
            ))}
          </div>
        </div>
      ))}
    </div>
  );
}
