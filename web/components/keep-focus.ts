/** When what had the focus has gone from the page, the heading takes it: somebody who goes by keys starts there, not nowhere. */
export function keepFocus(): void {
  // Windows and menus give the focus back within a frame of closing.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
    }),
  );
}
