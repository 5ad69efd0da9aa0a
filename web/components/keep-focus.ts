import type { MouseEvent } from 'react';

/** Follows a link to a part of the page: that has the focus then, and no place of its own in the history, where what the page keeps of its place would be lost. */
export function goToPart(event: MouseEvent<HTMLAnchorElement>): void {
  const part = document.getElementById(event.currentTarget.hash.slice(1));
  if (!part) return;
  event.preventDefault();
  part.scrollIntoView();
  part.tabIndex = -1;
  part.focus({ preventScroll: true });
}

/** When what had the focus has gone from the page, the heading takes it: somebody who goes by keys starts there, not nowhere. */
export function keepFocus(): void {
  // Windows and menus give the focus back within a frame of closing.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
    }),
  );
}
