import type { MouseEvent } from 'react';

const secondaryButton = 2;

/** Whether a click somewhere in the results opens a video: by a link, also into another tab, or by the strip, which says so by taking the click. */
export function opensVideo({ target, button, defaultPrevented }: MouseEvent): boolean {
  if (!(target instanceof Element) || button === secondaryButton) return false;
  if (target.closest('.strip')) return defaultPrevented;
  return target.closest('a')?.pathname.startsWith('/video/') ?? false;
}
