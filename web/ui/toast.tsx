import { type ReactNode, useRef } from 'react';
import { Icon } from './icon.tsx';
import { IconButton } from './icon-button.tsx';
import { createStore, useStore } from './store.ts';

interface Toast {
  readonly id: number;
  readonly text: ReactNode;
  /** What is unfinished is left to be done by hand, and stays until it is closed. */
  readonly outcome: 'done' | 'failed' | 'unfinished';
  /** Takes back what was done. */
  readonly undo: (() => void) | undefined;
}

const shownForMs = 6_000;
/** There must be time to read it, and to get there. */
const shownWithUndoForMs = 12_000;
const toast = createStore<Toast | null>(null);
let leaving: ReturnType<typeof setTimeout> | undefined;

let lastId = 0;

/** Says in one short sentence what has just been done, or has failed, and offers to take it back. A new one takes the place of the one on show. */
export function showToast(text: ReactNode, outcome: Toast['outcome'] = 'done', undo?: () => void): void {
  lastId += 1;
  setToast({ id: lastId, text, outcome, undo });
}

/** Takes away the one on show: what it offers to take back was done by somebody else. */
export function dropToast(): void {
  setToast(null);
}

/** Where toasts appear: once in the whole site. The empty region stands ready, or a screen reader would miss what comes into it. */
export function ToastPlace() {
  const shown = useStore(toast);
  return (
    <>
      <div role="status">{shown && shown.outcome !== 'failed' && <ToastText key={shown.id} toast={shown} />}</div>
      {shown?.outcome === 'failed' && (
        <div role="alert">
          <ToastText key={shown.id} toast={shown} />
        </div>
      )}
    </>
  );
}

/** Goes after a while unless it is unfinished, but not from under a pointer or a focus that rests on it. */
function ToastText({ toast: { text, outcome, undo } }: { toast: Toast }) {
  return (
    <p className="toast" onPointerEnter={stay} onPointerLeave={leaveSoon} onFocus={stay} onBlur={leaveSoon}>
      <Icon name={outcome === 'done' ? 'check' : 'circle-alert'} size={20} />
      <span>{text}</span>
      {undo && <Undo undo={undo} />}
      {outcome === 'unfinished' && <IconButton icon="x" label="Close" small onClick={() => setToast(null)} />}
    </p>
  );
}

/** Gives the focus back to where it came from, since this goes. */
function Undo({ undo }: { undo: () => void }) {
  const cameFrom = useRef<Element | null>(null);
  const press = () => {
    if (cameFrom.current instanceof HTMLElement) cameFrom.current.focus({ preventScroll: true });
    setToast(null);
    undo();
  };
  return (
    <button
      type="button"
      className="toast-undo"
      onFocus={({ relatedTarget }) => {
        cameFrom.current = relatedTarget;
      }}
      onClick={press}
    >
      Undo
    </button>
  );
}

function setToast(next: Toast | null): void {
  toast.set(next);
  if (next) leaveSoon();
  else stay();
}

function leaveSoon(): void {
  stay();
  const shown = toast.read();
  if (shown?.outcome === 'unfinished') return;
  leaving = setTimeout(() => setToast(null), shown?.undo ? shownWithUndoForMs : shownForMs);
}

function stay(): void {
  clearTimeout(leaving);
}
