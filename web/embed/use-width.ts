import { type RefCallback, useCallback, useState } from 'react';

/** The width of an element, followed as it changes. */
export function useWidth(): [widthPx: number, ref: RefCallback<HTMLElement>] {
  const [widthPx, setWidthPx] = useState(0);
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return;
    const observer = new ResizeObserver(() => setWidthPx(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [widthPx, ref];
}
