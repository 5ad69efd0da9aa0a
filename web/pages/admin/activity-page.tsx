import { useInfiniteQuery } from '@tanstack/react-query';
import { toDisplayName } from '#contract/display-name.ts';
import { routes } from '#contract/routes.ts';
import { activityPages } from '#web/api/users.ts';
import { AdminFrame } from '#web/components/frame/admin-frame.tsx';
import { PagedTable } from '#web/components/table/paged-table.tsx';
import { buttonClassFor } from '#web/ui/button.tsx';
import './activity.css';
import { Link } from 'react-router';
import type { ActivityEntry } from '#contract/users.ts';
import { LocalTime } from '#web/components/text/local-time.tsx';
import { paths } from '#web/paths.ts';
import { describeActivity, doerBehind, hasObject } from './words.ts';

const heads = ['When', 'Who', 'What', 'User or video', 'From'];

/** Every change of people and films, newest first. It is added to and never changed. */
export function ActivityPage() {
  const pages = useInfiniteQuery(activityPages);
  const entries = pages.data?.pages.flatMap((page) => page.entries) ?? [];
  const unique = [...new Map(entries.map((entry) => [entry.id, entry])).values()];
  const gone = goneFilmsIn(unique);
  const total = pages.data?.pages.at(-1)?.total ?? 0;
  return (
    <AdminFrame tab="activity">
      <div className="table-head">
        <h2>Activity</h2>
        {pages.data && <span className="tag">{total.toLocaleString('en')}</span>}
        <a className={buttonClassFor('outline', 'small')} href={routes.activityCsv.path} download>
          Download as CSV
        </a>
      </div>
      <PagedTable
        name="Activity"
        className="activity-table"
        heads={heads}
        total={total}
        rows={unique.map((entry) => <ActivityRow key={entry.id} entry={entry} isGone={gone.has(entry.video?.id ?? '')} />)}
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

/** Films that have no page any more. Newest first, what became of a film stands before all else that was done with it. */
function goneFilmsIn(entries: readonly ActivityEntry[]): ReadonlySet<string> {
  const isIn = new Map<string, boolean>();
  for (const { action, video } of entries) {
    const says = action === 'film-restored' || action === 'film-deleted' || action === 'film-erased';
    if (video && says && !isIn.has(video.id)) isIn.set(video.id, action === 'film-restored');
  }
  return new Set([...isIn].filter(([, is]) => !is).map(([id]) => id));
}

/** One change: when, who, what, whom, from where. A film that is gone is named and leads nowhere. */
function ActivityRow({ entry, isGone }: { entry: ActivityEntry; isGone: boolean }) {
  const { at, action, actor, subject, video, detail, from } = entry;
  const who = action === 'signed-up' ? subject : actor;
  return (
    <tr>
      <td>
        <LocalTime at={at} />
      </td>
      <td>{who ? <Person person={who} /> : doerBehind(entry)}</td>
      <td className="activity-what">{describeActivity(entry)}</td>
      <td>
        {subject && hasObject(entry) && <Person person={subject} />}
        {video && isGone && <bdi>{toDisplayName(video.name) || 'a video'}</bdi>}
        {video && !isGone && (
          <Link to={paths.video(video.id)}>
            <bdi>{toDisplayName(video.name) || 'a video'}</bdi>
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
