import { type MouseEvent, type ReactNode, type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { tellOpened } from '#web/api/search/search-openings.ts';
import { ListWaits } from '#web/components/list-waits.tsx';
import { ResultCard } from '#web/components/results/result-card.tsx';
import { LoadMore } from '#web/components/table/load-more.tsx';
import type { FoundVideos } from '#web/components/use-found-videos.ts';
import { filmsAreHere } from '#web/page-settings.ts';
import { isSilent, keyNameOf } from '#web/ui/letter-keys.tsx';
import { FiltersRail } from './filters-rail.tsx';
import type { Narrowing } from './narrowing.ts';

interface SearchResultsProps {
  query: string;
  found: FoundVideos;
  narrowing: Narrowing;
  isSorted: boolean;
  /** What stands in their place where filters leave none. */
  instead: ReactNode;
}

/** Cards with their moments, the way to more of them, and the filters beside. */
export function SearchResults({ query, found, narrowing, isSorted, instead }: SearchResultsProps) {
  const list = useRef<HTMLDivElement>(null);
  useMomentKeys(list, found);
  const { arrangedAmong } = found;
  const hear = (event: MouseEvent) => {
    if (opensVideo(event)) tellOpened(narrowing.request.query);
  };
  return (
    <div className="results">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the links inside are what is pressed, by keys as well; this only hears of it */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a key that opens a link is a click */}
      <div ref={list} className={found.isRearranging ? 'results-rearranging' : undefined} onClick={hear} onAuxClick={hear}>
        {(found.isFirstLoading || found.isRearranging) && found.waits && <ListWaits waits={found.waits} />}
        {found.isFirstLoading && !found.waits && <ResultsSkeleton />}
        {arrangedAmong !== undefined && (
          <p className="results-among">
            {isSorted ? 'Sorted' : 'Filtered'} among the best {arrangedAmong.toLocaleString('en')} videos.
          </p>
        )}
        {found.videos.map((video) => (
          <ResultCard key={video.id} video={video} query={query} />
        ))}
        {instead}
        {!found.isFirstLoading && !instead && <LoadMore state={found.more} waits={found.moreWaits} onLoad={found.load} />}
      </div>
      {filmsAreHere && <FiltersRail narrowing={narrowing} />}
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

type Step = -1 | 1;

/** Arrow keys, and `n` with Shift or without, walk from moment to moment over the cards of a list, and load its next page at the end. */
function useMomentKeys(list: RefObject<HTMLElement | null>, { more, load, videos }: FoundVideos): void {
  /** Where somebody stood who wanted to go on before the next page was there. */
  const waitsAt = useRef<Element | null>(null);
  const walk = useEffectEvent((event: KeyboardEvent) => {
    const step = stepOf(event);
    if (step === null || isElsewhere(event.target) || !list.current) return;
    const moments = [...list.current.querySelectorAll<HTMLElement>('a.moment')];
    if (moments.length === 0) return;
    event.preventDefault();
    const next = nextMomentIn(moments, step);
    waitsAt.current = null;
    if (next) return goTo(next);
    if (step === -1 || more === 'end') return;
    waitsAt.current = document.activeElement;
    load();
  });
  useEffect(() => {
    const hear = (event: KeyboardEvent) => walk(event);
    document.addEventListener('keydown', hear);
    return () => document.removeEventListener('keydown', hear);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: further videos are what was waited for
  useEffect(() => {
    const stood = waitsAt.current;
    waitsAt.current = null;
    // Whoever has gone elsewhere meanwhile stays there.
    if (!stood || stood !== document.activeElement) return;
    const next = nextMomentIn([...(list.current?.querySelectorAll<HTMLElement>('a.moment') ?? [])], 1);
    if (next) goTo(next);
  }, [videos, list]);
}

function stepOf({ key, code, shiftKey, ctrlKey, metaKey, altKey, defaultPrevented }: KeyboardEvent): Step | null {
  if (ctrlKey || metaKey || altKey || defaultPrevented || isSilent(key)) return null;
  if (keyNameOf({ key, code }) === 'n') return shiftKey ? -1 : 1;
  if (shiftKey) return null;
  return key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : null;
}

/** In a field, a menu or a window these keys have another meaning, and under a window the list is out of reach. */
function isElsewhere(target: EventTarget | null): boolean {
  if (document.getElementById('root')?.hasAttribute('inert') || !(target instanceof HTMLElement)) return true;
  return target.isContentEditable || target.closest('input, textarea, select, [role=menu], [role=dialog]') !== null;
}

/** The moment after or before the one with the focus; without one, the next from the top of what is on the screen. */
function nextMomentIn(moments: readonly HTMLElement[], step: Step): HTMLElement | undefined {
  const focused = document.activeElement;
  const first = moments[0];
  const isInList = focused !== null && first?.closest('.results')?.firstElementChild?.contains(focused);
  const headerBottom = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0;
  const isAfter = (moment: HTMLElement) =>
    isInList
      ? (focused.compareDocumentPosition(moment) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
      : moment.getBoundingClientRect().top >= headerBottom;
  if (step === 1) return moments.find(isAfter);
  return moments.findLast((moment) => moment !== focused && !isAfter(moment));
}

/** Its `scroll-margin` keeps it clear of the header. */
function goTo(moment: HTMLElement): void {
  moment.focus({ preventScroll: true });
  moment.scrollIntoView({ block: 'nearest' });
}
