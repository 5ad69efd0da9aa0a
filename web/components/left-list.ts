import { useEffect, useLayoutEffect } from 'react';
import { useLocation } from 'react-router';
import { inStorage } from '#web/ui/in-storage.ts';

/** Where React Router keeps how far every history entry of this tab was scrolled, in pixels by its key. */
export const scrollStorageKey = 'rushes-scroll';

/** How many pages a list had when this history entry was left or reloaded; one for an entry that is new. */
export function readLeftPages(): number {
  return readNumber(window.history.state, 'pages') ?? 1;
}

/** The row of a list that this history entry was left from. */
export function readNotedRow(): unknown {
  return window.history.state?.row;
}

/** Keeps it there, or forgets it. */
export function noteRow(row: string | undefined): void {
  window.history.replaceState({ ...window.history.state, row }, '');
}

/** Keeps in the history entry how many pages its list has: the entry outlives the document, and a new visit is another one. */
export function useNotedPages(pageCount: number): void {
  useEffect(() => {
    if (pageCount > 0 && pageCount !== readLeftPages()) window.history.replaceState({ ...window.history.state, pages: pageCount }, '');
  }, [pageCount]);
}

/** While the pages of a list are asked for again, the page is as long as it takes to stand where it was left. */
export function useHeldPlace(isRestoring: boolean): void {
  const { key } = useLocation();
  useLayoutEffect(() => {
    if (!isRestoring) return;
    const top = readLeftScroll(key);
    document.body.style.minHeight = `${top + window.innerHeight}px`;
    // Why the list waits is told where somebody looks, deep in the empty page.
    document.body.toggleAttribute('data-held', true);
    window.scrollTo(0, top);
    return () => {
      document.body.toggleAttribute('data-held', false);
      document.body.style.minHeight = '';
    };
  }, [isRestoring, key]);
}

function readLeftScroll(key: string): number {
  const stored = inStorage('sessionStorage', (storage) => JSON.parse(storage.getItem(scrollStorageKey) ?? '{}'));
  return readNumber(stored, key) ?? 0;
}

function readNumber(stored: unknown, name: string): number | undefined {
  const value: unknown = typeof stored === 'object' && stored !== null ? Reflect.get(stored, name) : undefined;
  return typeof value === 'number' ? value : undefined;
}
