import { useInfiniteQuery } from '@tanstack/react-query';
import { routes } from '#contract/routes.ts';
import { activityPages } from '#web/api/users.ts';
import { AdminFrame } from '#web/components/frame/admin-frame.tsx';
import { PagedTable } from '#web/components/table/paged-table.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import './activity.css';
import { Link } from 'react-router';
import type { ActivityEntry } from '#contract/users.ts';
import { LocalTime } from '#web/components/text/local-time.tsx';
import { paths } from '#web/paths.ts';
import { activityWords, hasObject } from './words.ts';

const heads = ['When', 'Who', 'What', 'User or video', 'From'];

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
          failed: 'The activity could not be loaded.',
          none: 'No activity yet.',
          more: 'Show earlier activity',
        }}
      />
    </AdminFrame>
  );
}

/** One change: when, who, what, whom, from where. */
function ActivityRow({ entry }: { entry: ActivityEntry }) {
  const { at, action, actor, subject, video, detail, from } = entry;
  const who = action === 'signed-up' ? subject : actor;
  return (
    <tr>
      <td>
        <LocalTime at={at} />
      </td>
      <td>{who ? <Person person={who} /> : 'The operator'}</td>
      <td className="activity-what">{activityWords(entry)}</td>
      <td>
        {subject && hasObject(entry) && <Person person={subject} />}
        {video && (
          <Link to={paths.video(video.id)}>
            <bdi>{video.name || 'a video'}</bdi>
          </Link>
        )}
        {(action === 'name-changed' || action === 'email-changed') && <bdi>{detail}</bdi>}
      </td>
      <td className="activity-from">{from}</td>
    </tr>
  );
}

function Person({ person: { displayName, email } }: { person: { displayName: string; email: string } }) {
  return (
    <span className="activity-person">
      <bdi>{displayName || 'Without a name'}</bdi>
      {email && email !== displayName && (
        <small>
          <bdi>{email}</bdi>
        </small>
      )}
    </span>
  );
}
