import { type RefCallback, useCallback, useRef } from 'react';

/** Something to be done a while after the last call, such as when somebody has stopped typing. */
export interface Later {
  /** Takes the place of what still waits; `afterMs` where this is to wait for another time. */
  readonly begin: (work: () => void, afterMs?: number) => void;
  readonly cancel: () => void;
  /** Of an element of the page: work that waits is cancelled when it goes, or it would lead somebody back to a page that they have left. */
  readonly ref: RefCallback<HTMLElement>;
}

/** Waits `waitMs` after the last call of `begin`. */
export function useLater(waitMs: number): Later {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const cancel = () => clearTimeout(timer.current);
  const begin = (work: () => void, afterMs = waitMs) => {
    cancel();
    timer.current = setTimeout(work, afterMs);
  };
  const ref = useCallback(() => () => clearTimeout(timer.current), []);
  return { begin, cancel, ref };
}
