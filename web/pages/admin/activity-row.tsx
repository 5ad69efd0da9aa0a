import { Link } from 'react-router';
import type { ActivityEntry } from '#contract/users.ts';
import { LocalTime } from '#web/components/text/local-time.tsx';
import { paths } from '#web/paths.ts';
import { activityWords, hasObject } from './activity-words.ts';

/** One change: when, who, what, whom, from where. */
export function ActivityRow({ entry }: { entry: ActivityEntry }) {
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
            <bdi>{video.name}</bdi>
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
