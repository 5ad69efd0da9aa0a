import { useMutation } from '@tanstack/react-query';
import { useContext } from 'react';
import { can, type RoleName } from '#contract/roles.ts';
import { signInWayNames } from '#contract/sign-in.ts';
import type { UserRow } from '#contract/users.ts';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/query-client.ts';
import { recallUser, rememberUser, stopListingUsers, usersKey } from '#web/api/users.ts';
import { LocalTime } from '#web/components/text/local-time.tsx';
import { useNow } from '#web/components/use-now.ts';
import { Icon } from '#web/ui/icon.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { showToast } from '#web/ui/toast.tsx';
import { explainFailure } from './explain-failure.ts';
import { HoldContext } from './use-users.ts';
import { describeAge } from './words.ts';

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

const cautions: Record<UserRow['cautions'][number], string> = {
  'mixed-scripts': 'Mixed scripts',
  'same-name': 'Same name as an active user',
  'similar-address': 'Similar address',
};

/** Who a row is about and what speaks for it. Names and addresses are others' text: each is kept apart from what stands around it. */
function Who({ user, isOwn }: { user: UserRow; isOwn: boolean }) {
  return (
    <div className="who">
      <img className="avatar avatar-large" src={user.photoUrl} alt="" />
      <div className="who-text">
        <div className="who-name">
          <b>
            <bdi>{user.displayName}</bdi>
          </b>
          {isOwn && <span className="tag">You</span>}
          {user.cautions.map((caution) => (
            <span key={caution} className="tag">
              {cautions[caution]}
            </span>
          ))}
        </div>
        <small className="who-contact">
          <Address user={user} />
          {user.signInWays.length > 0 && <span className="who-ways">{user.signInWays.map((way) => signInWayNames[way]).join(', ')}</span>}
        </small>
        {user.note && (
          <q className="who-note">
            <bdi>{user.note}</bdi>
          </q>
        )}
      </div>
    </div>
  );
}

function Address({ user: { email, emailVerified } }: { user: UserRow }) {
  if (email === '') return <span className="who-address">No e-mail address</span>;
  return (
    <span className="who-address">
      <bdi>{email}</bdi>
      {emailVerified ? (
        <span className="who-proof" title="Verified address">
          <Icon name="circle-check" size={16} />
          <span className="sr-only">, verified</span>
        </span>
      ) : (
        <span className="who-proof">
          <Icon name="circle-alert" size={16} />
          not verified
        </span>
      )}
    </span>
  );
}

/** How long a user stays in the table they have just been switched out of. */
const moveAfterMs = 600;

interface RoleSwitchProps {
  user: UserRow;
  role: RoleName;
  label: string;
  disabled: boolean;
}

/** Gives a role or takes it, at once; goes back when the server refuses. */
function RoleSwitch({ user, role, label, disabled }: RoleSwitchProps) {
  const { mutate, isPending, variables } = useRoleChange(user, role);
  return (
    <Switch
      label={`${label}, ${user.displayName}`}
      on={isPending ? variables.granted : user.roles[role] === true}
      disabled={disabled}
      onChange={(granted) => mutate({ granted, seen: user })}
    />
  );
}

interface RoleChange {
  granted: boolean;
  /** The user as somebody saw them who changes this. */
  seen: UserRow;
}

function useRoleChange({ uid }: UserRow, role: RoleName) {
  const hold = useContext(HoldContext);
  const change = useMutation({
    // One change of a user after the other: each says which state it was made in.
    scope: { id: `roles of ${uid}` },
    mutationFn: async ({ granted, seen }: RoleChange) => {
      const release = hold();
      const before = recallUser(uid, seen);
      let waitMs = 0;
      try {
        await stopListingUsers();
        const after = await call('setRole', { uid, role, granted, authVersion: before.authVersion });
        rememberUser(after);
        const isMoved = can(after.roles, 'view') !== can(before.roles, 'view');
        if (isMoved) waitMs = moveAfterMs;
        return isMoved ? after : null;
      } finally {
        setTimeout(release, waitMs);
      }
    },
    // The switch goes on with its row to the other table, so what it does is kept here.
    onSuccess: (moved, { granted }) => moved && tellWhoWatches(moved, () => change.mutate({ granted: !granted, seen: moved })),
    onError: (reason) => showToast(explainFailure(reason, 'The change was not saved.'), 'failed'),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: usersKey }),
  });
  return change;
}

function tellWhoWatches({ displayName, roles }: UserRow, undo: () => void): void {
  const told = (
    <>
      <bdi>{displayName}</bdi> {can(roles, 'view') ? 'can watch now.' : 'can no longer watch.'}
    </>
  );
  showToast(told, 'done', undo);
}

interface SwitchProps {
  /** Read aloud: what is switched, and for whom. */
  label: string;
  on: boolean;
  disabled?: boolean;
  onChange: (on: boolean) => void;
}

/** On or off, at once; Space and Enter switch it. */
function Switch({ label, on, disabled, onChange }: SwitchProps) {
  return (
    <button
      type="button"
      className="switch"
      role="switch"
      aria-checked={on}
      aria-label={label}
      disabled={disabled}
      onClick={() => onChange(!on)}
    />
  );
}
