import { useRef } from 'react';
import { Button } from '#web/ui/button.tsx';

/** Said wherever an answer waits for the connection. */
export const noConnection = 'No connection. Playback and search wait until it is back.';

export type LoadMoreState = 'more' | 'loading' | 'failed' | 'end';

interface LoadMoreProps {
  state: LoadMoreState;
  onLoad: () => void;
  /** Why the next page is still to come, when that may take longer; it is asked for again. */
  waits: string | undefined;
}

/** Loads the next page when it scrolls into view or is pressed; after a failure only when pressed. Whoever stands on it stays there. */
export function LoadMore({ state, onLoad, waits }: LoadMoreProps) {
  /** Whether the button went away with the focus, which the line in its place has then. */
  const hadFocus = useRef(false);
  // Another one each time, so that a button that is still in view after a page asks on.
  const loadWhenSeen = (button: HTMLButtonElement) => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) onLoad();
    });
    if (state === 'more') observer.observe(button);
    return () => {
      observer.disconnect();
      hadFocus.current = document.activeElement === button;
    };
  };
  const takeFocus = (line: HTMLElement | null) => {
    if (hadFocus.current) line?.focus({ preventScroll: true });
    hadFocus.current = false;
  };
  return (
    <>
      {state !== 'end' && (
        <div className="load-more">
          <Button ref={loadWhenSeen} look="outline" size="large" busy={state === 'loading'} onClick={onLoad}>
            {labels[state]}
          </Button>
          <div role="status">{state === 'loading' && waits && <p>{waits}</p>}</div>
          {state === 'failed' && <p role="alert">The archive did not answer.</p>}
        </div>
      )}
      <div className="list-end" role="status">
        {state === 'end' && (
          <p ref={takeFocus} className="end-line" tabIndex={-1}>
            No more results found
          </p>
        )}
      </div>
    </>
  );
}

const labels = { more: 'Load more', loading: 'Loading more', failed: 'Try again' };
