import { useInfiniteQuery } from '@tanstack/react-query';
import { unfoundPages } from '#web/api/unfound.ts';
import { Button } from '#web/ui/button.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { DeskFrame } from './desk-frame.tsx';
import { UnfoundRow } from './unfound-row.tsx';
import './desk.css';
import './unfound.css';

const heads = ['Search', 'Found nothing', 'Opened nothing', 'Last time'];

/** Searches that failed visitors: what is missing from the archive, or is there under another word. */
export function UnfoundPage() {
  const { data, isPending, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery(unfoundPages);
  const queries = data?.pages.flatMap((page) => page.queries) ?? [];
  const unique = [...new Map(queries.map((query) => [query.text, query])).values()];
  const total = data?.pages.at(-1)?.total ?? 0;
  return (
    <DeskFrame tab="unfound">
      <div className="table-head">
        <h2>Unfound</h2>
        <span className="tag">{total.toLocaleString('en')}</span>
      </div>
      <p className="desk-lead">
        Searches that found nothing, and searches that found something of which nothing was opened. Who searched is not kept.
      </p>
      {isPending && <Spinner label="Loading searches" />}
      {unique.length > 0 && (
        <table className="table unfound-table" aria-label="Unfound" aria-rowcount={total + 1}>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
              <th scope="col">
                <span className="sr-only">Take off the list</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {unique.map((query) => (
              <UnfoundRow key={query.text} query={query} />
            ))}
          </tbody>
        </table>
      )}
      {error && (
        <div className="table-failed" role="alert">
          <p>The searches could not be read. {error.message}</p>
          <Button look="outline" onClick={() => void refetch()}>
            Try again
          </Button>
        </div>
      )}
      {data && total === 0 && <p className="table-none">Everything that was searched for was found and opened.</p>}
      {hasNextPage && (
        <div className="load-more">
          <Button look="outline" size="large" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more searches
          </Button>
        </div>
      )}
    </DeskFrame>
  );
}
