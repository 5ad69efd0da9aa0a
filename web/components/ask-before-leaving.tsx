import { useCallback } from 'react';
import { type Location, useBeforeUnload, useBlocker } from 'react-router';
import { Confirm } from '#web/ui/confirm.tsx';

/** Drawn while something is typed and not kept: asks before another page, the way back or a closed tab takes it away. */
export function AskBeforeLeaving({ isUnsaved }: { isUnsaved: () => boolean }) {
  const leaving = useBlocker(({ currentLocation, nextLocation }) => isUnsaved() && placeOf(currentLocation) !== placeOf(nextLocation));
  // The browser asks in its own words.
  useBeforeUnload(useCallback((event) => isUnsaved() && event.preventDefault(), [isUnsaved]));
  if (leaving.state !== 'blocked') return null;
  return <LeaveTyped onLeave={leaving.proceed} onStay={leaving.reset} />;
}

/** Whether what was typed and not kept may go. */
export function LeaveTyped({ onLeave, onStay }: { onLeave: () => void; onStay: () => void }) {
  return (
    <Confirm question="Discard what you typed?" action="Discard" onConfirm={onLeave} onCancel={onStay}>
      <p>It has not been saved.</p>
    </Confirm>
  );
}

/** The page and what is edited on it: the second in the address moves with the film. */
function placeOf({ pathname, search }: Location): string {
  return `${pathname} ${new URLSearchParams(search).get('edit') ?? ''}`;
}
