import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { UserRow } from '#contract/users.ts';
import { call } from '#web/api/call.ts';
import { CallFailed } from '#web/api/call-failed.ts';
import { usersKey } from '#web/api/users.ts';
import { Confirm } from '#web/ui/confirm.tsx';
import { showToast } from '#web/ui/toast.tsx';

/** Asks, deletes, says so. When it fails the row stays. */
export function DeleteUser({ user, onClose }: { user: UserRow; onClose: () => void }) {
  const client = useQueryClient();
  const removal = useMutation({
    mutationFn: () => call('deleteUser', { uid: user.uid }),
    onSuccess: () => showToast('User has been deleted'),
    onError: (reason) => showToast(explain(reason), 'failed'),
    onSettled: () => {
      onClose();
      void client.invalidateQueries({ queryKey: usersKey });
    },
  });
  return (
    <Confirm
      question="Are you sure you want to delete this user?"
      action="Delete user"
      icon="trash-2"
      busy={removal.isPending}
      onConfirm={() => removal.mutate()}
      onCancel={onClose}
    >
      <div className="who">
        <img className="avatar avatar-large" src={user.photoUrl} alt="" />
        <span className="who-text">
          <b>
            <bdi>{user.displayName}</bdi>
          </b>
          <small>
            <bdi>{user.email}</bdi>
          </small>
        </span>
      </div>
      <p>The account loses access at once. Signing in again starts a new activation request.</p>
    </Confirm>
  );
}

function explain(reason: Error): string {
  if (!(reason instanceof CallFailed)) return 'The user was not deleted. Try again.';
  if (reason.code === 'not_found') return 'This user was deleted meanwhile.';
  if (['self_change', 'last_admin', 'forbidden'].includes(reason.code)) return reason.message;
  return 'The user was not deleted. Try again.';
}
