const idleAfterMs = 3_000;

/** Marks the document while nobody has moved or pressed anything for three seconds; full screen hides its controls then. */
export function hideWhenIdle(root: HTMLElement): void {
  let timer = 0;
  const wake = () => {
    delete root.dataset.idle;
    window.clearTimeout(timer);
    timer = window.setTimeout(() => {
      root.dataset.idle = '';
    }, idleAfterMs);
  };
  for (const sign of ['pointermove', 'pointerdown', 'keydown', 'focusin']) window.addEventListener(sign, wake);
  wake();
}
