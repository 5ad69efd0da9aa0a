import { useRef } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import type { SearchInFilm } from '../film-search.ts';
import { matchesAround } from '../player/place-ticks.ts';
import type { Store } from '../use-store.ts';

interface InsightSearchProps {
  search: SearchInFilm;
  look: (query: string) => void;
  retry: () => void;
  clock: Store<number>;
  pick: (seconds: number) => void;
}

/** Search inside this video. */
export function InsightSearch({ search, look, retry, clock, pick }: InsightSearchProps) {
  const input = useRef<HTMLInputElement>(null);
  const go = (direction: 'previous' | 'next') => {
    const seconds = matchesAround(search.found, clock.read())[direction];
    if (seconds !== undefined) pick(seconds);
  };
  const clear = () => {
    look('');
    input.current?.focus();
  };
  return (
    <search className="psearch">
      <div className="sb">
        <Icon name="search" />
        <input
          ref={input}
          type="search"
          aria-label="Search inside this video"
          placeholder="Search inside this video"
          value={search.query}
          onChange={(event) => look(event.target.value)}
          onKeyDown={(event) => event.key === 'Enter' && go(event.shiftKey ? 'previous' : 'next')}
        />
        {search.query !== '' && <IconButton icon="x" label="Clear search inside this video" small onClick={clear} />}
      </div>
      {search.state !== 'none' && (
        <div className="r">
          <span role="status">{resultOf(search)}</span>
          {search.state === 'failed' && (
            <Button look="ghost" size="small" onClick={retry}>
              Try again
            </Button>
          )}
          {search.state === 'answered' && search.total === 0 && (
            <a className="link" href={`/search?${new URLSearchParams({ query: search.query, skip: '0' })}`} target="_top">
              Search the archive
            </a>
          )}
          {search.found.length > 0 && (
            <span className="step">
              <IconButton icon="chevron-left" label="Previous match" small onClick={() => go('previous')} />
              <IconButton icon="chevron-right" label="Next match" small onClick={() => go('next')} />
            </span>
          )}
        </div>
      )}
    </search>
  );
}

/** The same number as on the video's card. */
function resultOf({ state, total }: SearchInFilm): string {
  if (state === 'failed') return 'The search did not get through.';
  if (total > 0) return `${total.toLocaleString('en')} ${total === 1 ? 'moment' : 'moments'} in this video`;
  return state === 'answered' ? 'Not in this video.' : '';
}
