import { useRef } from 'react';
import { Icon } from '#web/ui/icon.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import type { FoundMoment } from '../find-moments.ts';
import { matchesAround } from '../player/place-ticks.ts';
import type { Store } from '../use-store.ts';

interface InsightSearchProps {
  search: string;
  look: (search: string) => void;
  found: readonly FoundMoment[];
  clock: Store<number>;
  pick: (seconds: number) => void;
}

/** Search inside this video. */
export function InsightSearch({ search, look, found, clock, pick }: InsightSearchProps) {
  const input = useRef<HTMLInputElement>(null);
  const go = (direction: 'previous' | 'next') => {
    const seconds = matchesAround(found, clock.read())[direction];
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
          value={search}
          onChange={(event) => look(event.target.value)}
          onKeyDown={(event) => event.key === 'Enter' && go(event.shiftKey ? 'previous' : 'next')}
        />
        {search !== '' && <IconButton icon="x" label="Clear search inside this video" small onClick={clear} />}
      </div>
      {search.trim() !== '' && (
        <div className="r">
          <span role="status">
            {found.length > 0 ? `${found.length} ${found.length === 1 ? 'moment' : 'moments'} in this video` : 'Not in this video.'}
          </span>
          {found.length === 0 && (
            <a className="link" href={`/search?${new URLSearchParams({ query: search, skip: '0' })}`} target="_top">
              Search the archive
            </a>
          )}
          {found.length > 0 && (
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
