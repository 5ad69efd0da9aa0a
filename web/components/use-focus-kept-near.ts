import { type RefObject, useLayoutEffect } from 'react';

/** When a row goes away with the focus in it, the same control of the row that comes next takes it; else the heading of the page. */
export function useFocusKeptNear(row: RefObject<HTMLTableRowElement | null>): void {
  useLayoutEffect(() => {
    const element = row.current;
    return () => {
      if (!element?.contains(document.activeElement)) return;
      const column = [...element.cells].findIndex((cell) => cell.contains(document.activeElement));
      const near = [element.nextElementSibling, element.previousElementSibling]
        .map((sibling) => sibling?.querySelector<HTMLElement>(`td:nth-child(${column + 1}) button:enabled`))
        .find((control) => control);
      requestAnimationFrame(() => {
        if (document.activeElement !== document.body) return;
        const target = near?.isConnected ? near : document.querySelector<HTMLElement>('main h1');
        target?.focus({ preventScroll: true });
      });
    };
  }, [row]);
}
