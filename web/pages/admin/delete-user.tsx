import { useMutation } from '@tanstack/react-query';
import type { UserRow } from '#contract/users.ts';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/query-client.ts';
import { usersKey } from '#web/api/users.ts';
import { NameAndEmail } from '#web/components/table/name-and-email.tsx';
import { Confirm } from '#web/ui/confirm.tsx';
import { showToast } from '#web/ui/toast.tsx';
import { explainFailure } from './explain-failure.ts';

/** Asks, deletes, says so. When it fails the row stays. */
export function DeleteUser({ user, onClose }: { user: UserRow; onClose: () => void }) {
  const removal = useMutation({
    mutationFn: () => call('deleteUser', { uid: user.uid }),
    onSuccess: () => showToast('User has been deleted'),
    onError: (reason) => showToast(explainFailure(reason, 'The user was not deleted.'), 'failed'),
    onSettled: () => {
      onClose();
      void queryClient.invalidateQueries({ queryKey: usersKey });
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
          <NameAndEmail person={user} />
        </span>
      </div>
      <p>The account loses access at once. Signing in again starts a new activation request.</p>
    </Confirm>
  );
}
