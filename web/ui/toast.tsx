import { useSyncExternalStore } from 'react';
import { Icon } from './icon.tsx';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly outcome: 'done' | 'failed';
}

const shownForMs = 6_000;
let toast: Toast | null = null;
let leaving: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/** Says in one short sentence what has just been done, or has failed. A new one takes the place of the one on show. */
export function showToast(text: string, outcome: Toast['outcome'] = 'done'): void {
  setToast({ id: (toast?.id ?? 0) + 1, text, outcome });
}

/** Where toasts appear: once in the whole site. The empty region stands ready, or a screen reader would miss what comes into it. */
export function ToastPlace() {
  const shown = useSyncExternalStore(listen, () => toast);
  return (
    <>
      <div role="status">{shown?.outcome === 'done' && <ToastText key={shown.id} toast={shown} />}</div>
      {shown?.outcome === 'failed' && (
        <div role="alert">
          <ToastText key={shown.id} toast={shown} />
        </div>
      )}
    </>
  );
}

/** Goes after a while, but not from under a pointer that rests on it. */
function ToastText({ toast: { text, outcome } }: { toast: Toast }) {
  return (
    <p className="toast" onPointerEnter={stay} onPointerLeave={leaveSoon}>
      <Icon name={outcome === 'done' ? 'check' : 'circle-alert'} size={20} />
      {text}
    </p>
  );
}

function setToast(next: Toast | null): void {
  toast = next;
  stay();
  if (next) leaveSoon();
  for (const listener of listeners) listener();
}

function leaveSoon(): void {
  leaving = setTimeout(() => setToast(null), shownForMs);
}

function stay(): void {
  clearTimeout(leaving);
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
