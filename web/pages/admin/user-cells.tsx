import type { UserRow } from '#contract/users.ts';
import { LocalTime } from '#web/components/text/local-time.tsx';
import { useNow } from '#web/components/use-now.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { describeAge } from './describe-age.ts';
import { RoleSwitch } from './role-switch.tsx';
import { Who } from './who.tsx';

const roleColumns = [
  { role: 'viewer', label: 'Watch' },
  { role: 'editor', label: 'Edit Videos' },
  { role: 'admin', label: 'Admin' },
] as const;

interface UserCellsProps {
  user: UserRow;
  group: 'waiting' | 'active';
  isOwn: boolean;
  onDelete: () => void;
}

/** The cells of a user's row. On one's own row nothing can be changed; the server refuses it too. */
export function UserCells({ user, group, isOwn, onDelete }: UserCellsProps) {
  return (
    <>
      <td>
        <Who user={user} isOwn={isOwn} />
      </td>
      <td className="user-when">{group === 'waiting' ? <Waited user={user} /> : <LocalTime at={user.signedUpAt} show="date" />}</td>
      {roleColumns.map(({ role, label }) => (
        <td key={role} data-label={label}>
          <RoleSwitch user={user} role={role} label={label} disabled={isOwn} />
        </td>
      ))}
      <td>{!isOwn && <IconButton icon="trash-2" label={`Delete ${user.displayName}`} onClick={onDelete} />}</td>
    </>
  );
}

/** For how long somebody waits. Who lost their last role waits for nothing: the promise was kept once. */
function Waited({ user: { signedUpAt, activatedAt } }: { user: UserRow }) {
  const now = useNow(30_000);
  if (activatedAt !== null) {
    return (
      <>
        <LocalTime at={signedUpAt} show="date" /> <span className="tag">Access removed</span>
      </>
    );
  }
  const { words, urgency } = describeAge(now - Date.parse(signedUpAt));
  return (
    <LocalTime at={signedUpAt} show="date">
      {urgency ? <b className="user-due">{`${words}, ${urgency}`}</b> : words}
    </LocalTime>
  );
}
