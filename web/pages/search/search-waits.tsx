import { Link } from 'react-router';
import { paths } from '#web/paths.ts';
import { Spinner } from '#web/ui/spinner.tsx';

/** In place of an answer while the archive's index is being built; the page asks again by itself. */
export function SearchWaits({ why }: { why: string }) {
  return (
    <div className="search-waits" role="status">
      <Spinner />
      <p>{why}</p>
      <p>
        This page asks again by itself. Meanwhile{' '}
        <Link className="link" to={paths.search('')}>
          look through all videos
        </Link>
        .
      </p>
    </div>
  );
}
