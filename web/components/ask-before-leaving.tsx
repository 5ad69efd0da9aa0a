import { type ReactNode, useCallback, useState, useSyncExternalStore } from 'react';
import { type Location, useBeforeUnload, useBlocker } from 'react-router';
import { leaving } from '#web/api/session.ts';
import { Confirm } from '#web/ui/confirm.tsx';
import { Modal } from '#web/ui/modal.tsx';

const typing = new Set<() => boolean>();

/** Drawn while something is typed and not kept: asks before another page, the way back or a closed tab takes it away. */
export function AskBeforeLeaving({ isUnsaved }: { isUnsaved: () => boolean }) {
  // Several may be drawn, a window above a page, and the router asks the last of them only: it answers for all.
  const join = useCallback(() => {
    typing.add(isUnsaved);
    return () => typing.delete(isUnsaved);
  }, [isUnsaved]);
  useSyncExternalStore(join, () => typing);
  // Whoever signs out has left already.
  const asks = () => !leaving.isUnderWay && [...typing].some((isTyped) => isTyped());
  const blocked = useBlocker(({ currentLocation, nextLocation }) => asks() && addressOf(currentLocation) !== addressOf(nextLocation));
  // The browser asks in its own words.
  useBeforeUnload(useCallback((event) => isUnsaved() && event.preventDefault(), [isUnsaved]));
  if (blocked.state !== 'blocked') return null;
  return <LeaveTyped onLeave={blocked.proceed} onStay={blocked.reset} />;
}

interface TypingModalProps {
  title: string;
  /** Whether something is typed beyond what fields with `data-kept` hold. */
  isUnsaved?: () => boolean;
  onClose: () => void;
  /** `close` asks as the cross does. */
  children: ReactNode | ((close: () => void) => ReactNode);
}

/** A window in which something is typed: it asks before it is closed, or its page left, while that is not kept. */
export function TypingModal({ title, isUnsaved = () => false, onClose, children }: TypingModalProps) {
  const [isLeaving, setIsLeaving] = useState(false);
  const asks = () => isUnsaved() || isTypedInto();
  const close = () => (asks() ? setIsLeaving(true) : onClose());
  return (
    <Modal title={title} onClose={close}>
      <AskBeforeLeaving isUnsaved={asks} />
      {isLeaving && <LeaveTyped onLeave={onClose} onStay={() => setIsLeaving(false)} />}
      {typeof children === 'function' ? children(close) : children}
    </Modal>
  );
}

/** A field of a window says in `data-kept` what is kept of it: anything else in it is typed. */
function isTypedInto(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement>('.modal [data-kept]');
  return [...fields].some(({ value, dataset }) => value.trim() !== dataset.kept);
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
