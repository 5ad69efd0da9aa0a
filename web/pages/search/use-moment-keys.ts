import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import type { FoundVideos } from '#web/components/use-found-videos.ts';

type Step = -1 | 1;

/** Arrow keys, and `n` with Shift or without, walk from moment to moment over the cards of a list, and load its next page at the end. */
export function useMomentKeys(list: RefObject<HTMLElement | null>, { more, load, videos }: FoundVideos): void {
  /** Where somebody stood who wanted to go on before the next page was there. */
  const waitsAt = useRef<Element | null>(null);
  const walk = useEffectEvent((event: KeyboardEvent) => {
    const step = stepOf(event);
    if (step === null || isElsewhere(event.target) || !list.current) return;
    const moments = [...list.current.querySelectorAll<HTMLElement>('a.moment')];
    if (moments.length === 0) return;
    event.preventDefault();
    const next = nextMoment(moments, step);
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
    const next = nextMoment([...(list.current?.querySelectorAll<HTMLElement>('a.moment') ?? [])], 1);
    if (next) goTo(next);
  }, [videos, list]);
}

function stepOf({ key, shiftKey, ctrlKey, metaKey, altKey, defaultPrevented }: KeyboardEvent): Step | null {
  if (ctrlKey || metaKey || altKey || defaultPrevented) return null;
  if (key.toLowerCase() === 'n') return shiftKey ? -1 : 1;
  if (shiftKey) return null;
  return key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : null;
}

/** In a field, a menu or a window these keys have another meaning, and under a window the list is out of reach. */
function isElsewhere(target: EventTarget | null): boolean {
  if (document.getElementById('root')?.hasAttribute('inert') || !(target instanceof HTMLElement)) return true;
  return target.isContentEditable || target.closest('input, textarea, select, [role=menu], [role=dialog]') !== null;
}

/** The moment after or before the one with the focus; without one, the next from the top of what is on the screen. */
function nextMoment(moments: readonly HTMLElement[], step: Step): HTMLElement | undefined {
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
