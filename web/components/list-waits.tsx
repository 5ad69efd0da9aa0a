import { Link } from 'react-router';
import { paths } from '#web/paths.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import { noConnection } from './table/load-more.tsx';
import type { FoundVideos } from './use-found-videos.ts';

/** In place of a list while there is no connection, or the archive's index is being built; the page asks again by itself. */
export function ListWaits({ waits }: { waits: NonNullable<FoundVideos['waits']> }) {
  return (
    <div className="search-waits" role="status">
      <Spinner />
      <p>{waits === 'offline' ? noConnection : waits.index}</p>
      <p>
        Trying again automatically.
        {waits !== 'offline' && (
          <>
            {' '}
            Meanwhile, you can{' '}
            <Link className="link" to={paths.search('')}>
              look through all videos
            </Link>
            .
          </>
        )}
      </p>
    </div>
  );
}
