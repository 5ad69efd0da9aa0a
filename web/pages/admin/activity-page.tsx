import { useInfiniteQuery } from '@tanstack/react-query';
import { rawRoutes } from '#contract/raw-routes.ts';
import { activityPages } from '#web/api/users.ts';
import { AdminFrame } from '#web/components/admin-frame.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { ActivityRow } from './activity-row.tsx';
import './activity.css';

const heads = ['When', 'Who', 'What', 'Whom', 'From'];

/** Every change of people, newest first. It is added to and never changed. */
export function ActivityPage() {
  const { data, isPending, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery(activityPages);
  const entries = data?.pages.flatMap((page) => page.entries) ?? [];
  const unique = [...new Map(entries.map((entry) => [entry.id, entry])).values()];
  const total = data?.pages.at(-1)?.total ?? 0;
  return (
    <AdminFrame tab="activity">
      <div className="table-head">
        <h2>Activity</h2>
        <span className="tag">{total.toLocaleString('en')}</span>
        <a className={buttonClass('outline', 'small')} href={rawRoutes.activityCsv.path} download>
          Download as CSV
        </a>
      </div>
      {isPending && <Spinner label="Loading activity" />}
      {unique.length > 0 && (
        <table className="table activity-table" aria-label="Activity" aria-rowcount={total + 1}>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {unique.map((entry) => (
              <ActivityRow key={entry.id} entry={entry} />
            ))}
          </tbody>
        </table>
      )}
      {error && (
        <div className="table-failed" role="alert">
          <p>The activity could not be read. {error.message}</p>
          <Button look="outline" onClick={() => void refetch()}>
            Try again
          </Button>
        </div>
      )}
      {data && total === 0 && <p className="table-none">Nobody has signed up or been changed yet.</p>}
      {hasNextPage && (
        <div className="load-more">
          <Button look="outline" size="large" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show earlier changes
          </Button>
        </div>
      )}
    </AdminFrame>
  );
}
