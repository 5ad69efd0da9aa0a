import { type RefCallback, useCallback, useState } from 'react';

/** How wide an element is on this screen, in whole px; 0 until it is there. Give the first to it as its `ref`. */
export function useWidth<E extends Element>(): [RefCallback<E>, number] {
  const [widthPx, setWidthPx] = useState(0);
  const measure = useCallback((element: E | null) => {
    if (!element) return;
    const take = () => setWidthPx(Math.round(element.getBoundingClientRect().width));
    take();
    const observer = new ResizeObserver(take);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [measure, widthPx];
}
