import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import { type FocusEvent, type RefCallback, useCallback, useState } from 'react';

/** A row to draw, and the height of those before it that are not drawn. */
export interface VisibleRow {
  readonly index: number;
  readonly gapPx: number;
}

/**
 * Which of `count` rows the window shows. The row with the focus is always among them. Rows of different heights are
 * given to `measure` when they are drawn; `estimatePx` is how high a row is until then. Where rows change places, `keyAt` says which is
 * which; another function says that they may have.
 */
export function useVisibleRows(count: number, estimatePx: () => number, keyAt: (index: number) => string | number = toItself) {
  const [body, top] = useTop();
  const [focused, setFocused] = useState<number | null>(null);
  const virtualizer = useWindowVirtualizer<HTMLTableRowElement>({
    count,
    estimateSize: estimatePx,
    getItemKey: keyAt,
    scrollMargin: top,
    overscan: 8,
    rangeExtractor: (range) => {
      const seen = defaultRangeExtractor(range);
      if (focused === null || focused >= count || seen.includes(focused)) return seen;
      return [...seen, focused].sort((one, other) => one - other);
    },
  });
  const items = virtualizer.getVirtualItems();
  const rows = items.map(({ index, start }, at): VisibleRow => ({ index, gapPx: start - (items[at - 1]?.end ?? top) }));
  const onFocus = ({ target }: FocusEvent) => setFocused(Number(target.closest('tr')?.dataset.index));
  return {
    rows,
    gapAfterPx: virtualizer.getTotalSize() + top - (items.at(-1)?.end ?? top),
    measure: virtualizer.measureElement,
    isScrolling: virtualizer.isScrolling,
    body: { ref: body, onFocus, onBlur: () => setFocused(null) },
  };
}

function toItself(index: number): number {
  return index;
}

/** How far below the top of the document the element stands. What is above it grows and shrinks. */
function useTop(): [RefCallback<HTMLElement>, number] {
  const [top, setTop] = useState(0);
  const follow = useCallback((element: HTMLElement | null) => {
    if (!element) return;
    const measure = () => setTop(element.getBoundingClientRect().top + window.scrollY);
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    measure();
    return () => observer.disconnect();
  }, []);
  return [follow, top];
}
