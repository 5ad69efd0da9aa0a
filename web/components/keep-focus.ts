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

/**
 * From now on hands the focus on when what has it goes from a page: to the first thing of what still stands around it that can have it,
 * or to the heading where that is the whole page. A browser would leave somebody who goes by keys at the top. A page that goes as a whole
 * leaves it to the next one.
 */
export function handFocusOn(): void {
  let last: Element | null = null;
  document.addEventListener('focusin', ({ target }) => {
    last = target instanceof Element ? target : null;
  });
  document.addEventListener('focusout', () =>
    queueMicrotask(() => {
      // Left on purpose: it is there still.
      if (last?.isConnected && !last.matches(':focus')) last = null;
    }),
  );
  const handOn = (changes: readonly MutationRecord[]) => {
    if (!last || last.isConnected) return;
    const place = placeOf(last, changes);
    last = null;
    // Whoever knows better where it belongs gives it there within a frame or two.
    requestAnimationFrame(() => requestAnimationFrame(() => document.activeElement === document.body && focusNear(place)));
  };
  new MutationObserver(handOn).observe(document.body, { childList: true, subtree: true });
}

/** Where one stood that has gone. */
function placeOf(gone: Node, changes: readonly MutationRecord[]): Node {
  let place = gone;
  for (const { target, removedNodes } of changes) if ([...removedNodes].some((node) => node.contains(place))) place = target;
  return place;
}

function focusNear(place: Node): void {
  let around = place instanceof Element ? place : place.parentElement;
  while (around?.isConnected && around.closest('main')) {
    const next = around.querySelector<HTMLElement>('h1') ?? around.querySelector<HTMLElement>('button:enabled, a[href], [tabindex]');
    if (next) {
      next.focus({ preventScroll: true });
      return;
    }
    around = around.parentElement;
  }
}
