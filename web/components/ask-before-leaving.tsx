import { useCallback } from 'react';
import { type Location, useBeforeUnload, useBlocker } from 'react-router';
import { leaving } from '#web/api/session.ts';
import { Confirm } from '#web/ui/confirm.tsx';

/** Drawn while something is typed and not kept: asks before another page, the way back or a closed tab takes it away. */
export function AskBeforeLeaving({ isUnsaved }: { isUnsaved: () => boolean }) {
  // Whoever signs out has left already.
  const asks = () => isUnsaved() && !leaving.isUnderWay;
  const blocked = useBlocker(({ currentLocation, nextLocation }) => asks() && addressOf(currentLocation) !== addressOf(nextLocation));
  // The browser asks in its own words.
  useBeforeUnload(useCallback((event) => isUnsaved() && event.preventDefault(), [isUnsaved]));
  if (blocked.state !== 'blocked') return null;
  return <LeaveTyped onLeave={blocked.proceed} onStay={blocked.reset} />;
}

/** Whether what was typed and not kept may go. */
export function LeaveTyped({ onLeave, onStay }: { onLeave: () => void; onStay: () => void }) {
  return (
    <Confirm question="Discard what you typed?" action="Discard" onConfirm={onLeave} onCancel={onStay}>
      <p>It has not been saved.</p>
    </Confirm>
  );
}

function addressOf({ pathname, search }: Location): string {
  return pathname + search;
}
