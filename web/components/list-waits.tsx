import { Link } from 'react-router';
import { paths } from '#web/paths.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import { type FoundVideos, reasonOf } from './use-found-videos.ts';

/** In place of a list while there is no connection, the archive's index is being built, or it was asked for too much; the page asks again by itself. */
export function ListWaits({ waits }: { waits: NonNullable<FoundVideos['waits']> }) {
  return (
    <div className="search-waits" role="status">
      <Spinner />
      <p>{reasonOf(waits)}</p>
      <p>
        Trying again automatically.
        {typeof waits === 'object' && (
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
