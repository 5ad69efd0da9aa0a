import { useInfiniteQuery } from '@tanstack/react-query';
import { routes } from '#contract/routes.ts';
import { activityPages } from '#web/api/users.ts';
import { AdminFrame } from '#web/components/frame/admin-frame.tsx';
import { PagedTable } from '#web/components/table/paged-table.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { ActivityRow } from './activity-row.tsx';
import './activity.css';

const heads = ['When', 'Who', 'What', 'Whom or which film', 'From'];

/** Every change of people and films, newest first. It is added to and never changed. */
export function ActivityPage() {
  const pages = useInfiniteQuery(activityPages);
  const entries = pages.data?.pages.flatMap((page) => page.entries) ?? [];
  const unique = [...new Map(entries.map((entry) => [entry.id, entry])).values()];
  const total = pages.data?.pages.at(-1)?.total ?? 0;
  return (
    <AdminFrame tab="activity">
      <div className="table-head">
        <h2>Activity</h2>
        <span className="tag">{total.toLocaleString('en')}</span>
        <a className={buttonClass('outline', 'small')} href={routes.activityCsv.path} download>
          Download as CSV
        </a>
      </div>
      <PagedTable
        name="Activity"
        className="activity-table"
        heads={heads}
        total={total}
        rows={unique.map((entry) => <ActivityRow key={entry.id} entry={entry} />)}
        pages={pages}
        wording={{
          loading: 'Loading activity',
          failed: 'The activity could not be read.',
          none: 'Nobody has signed up or been changed yet.',
          more: 'Show earlier changes',
        }}
      />
    </AdminFrame>
  );
}
