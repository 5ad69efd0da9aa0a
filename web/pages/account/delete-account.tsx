import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { call } from '#web/api/call.ts';
import { leaveSession } from '#web/api/session.ts';
import { paths } from '#web/paths.ts';
import { Button } from '#web/ui/button.tsx';
import { Confirm } from '#web/ui/confirm.tsx';
import { showToast } from '#web/ui/toast.tsx';

/** Asks, deletes, goes home. When it is refused, as for the only administrator, the server's reason is told. */
export function DeleteAccount() {
  const [isAsking, setAsking] = useState(false);
  const navigate = useNavigate();
  const removal = useMutation({
    mutationFn: () =>
      leaveSession(
        () => call('deleteOwnAccount', {}),
        () => navigate(paths.home),
      ),
    onSuccess: () => showToast('Your account has been deleted'),
    onError: ({ message }) => showToast(`Your account was not deleted. ${message}`, 'failed'),
    onSettled: () => setAsking(false),
  });
  return (
    <section className="account-part" aria-labelledby="account-end">
      <h2 id="account-end">Delete</h2>
      <div>
        <p>Your name, address, sessions and sign-in links go at once. The record of what was done in the archive keeps who did it.</p>
        <Button look="outline" className="account-act" onClick={() => setAsking(true)}>
          Delete my account
        </Button>
      </div>
      {isAsking && (
        <Confirm
          question="Delete your account?"
          action="Delete my account"
          icon="trash-2"
          busy={removal.isPending}
          onConfirm={() => removal.mutate()}
          onCancel={() => setAsking(false)}
        >
          <p>You are signed out everywhere and lose access at once. Signing in again starts a new activation request.</p>
        </Confirm>
      )}
    </section>
  );
}
