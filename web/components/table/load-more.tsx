import { Button } from '#web/ui/button.tsx';

/** Said wherever an answer waits for the connection. */
export const noConnection = 'No connection. Playback and search wait until it is back.';

export type LoadMoreState = 'more' | 'loading' | 'failed' | 'end';

interface LoadMoreProps {
  state: LoadMoreState;
  /** Changes with every page, so that a button that is still in view asks on. */
  pageCount: number;
  onLoad: () => void;
  /** Why the next page is still to come, when that may take longer; it is asked for again. */
  waits: string | undefined;
  /** Whether coming into view is enough. */
  bySight?: boolean;
}

/** Loads the next page when it scrolls into view or is pressed; after a failure only when pressed. */
export function LoadMore({ state, pageCount, onLoad, waits, bySight = true }: LoadMoreProps) {
  if (state === 'end') {
    return (
      <p className="end-line" role="status">
        No more results found
      </p>
    );
  }
  const loadWhenSeen = (button: HTMLButtonElement) => {
    if (state !== 'more' || !bySight) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) onLoad();
    });
    observer.observe(button);
    return () => observer.disconnect();
  };
  return (
    <div className="load-more">
      <Button key={pageCount} ref={loadWhenSeen} look="outline" size="large" busy={state === 'loading'} onClick={onLoad}>
        {labels[state]}
      </Button>
      {state === 'loading' && waits && <p role="status">{waits}</p>}
      {state === 'failed' && <p role="alert">The archive did not answer.</p>}
    </div>
  );
}

const labels = { more: 'Load more', loading: 'Loading more', failed: 'Try again' };
