import { type RefCallback, type RefObject, useCallback } from 'react';

/**
 * For the `ref` of a control that goes when its work is done: has it the focus then, `heir` takes it. Otherwise it would fall to the start
 * of the page. `heir` takes a focus by script (`tabIndex={-1}`) and stays.
 */
export function useLeaveFocusTo(heir: RefObject<HTMLElement | null>): RefCallback<HTMLElement> {
  return useCallback(
    (control: HTMLElement | null) => () => {
      if (control === document.activeElement) heir.current?.focus();
    },
    [heir],
  );
}
