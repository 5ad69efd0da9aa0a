import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { OwnSession } from '#contract/account.ts';
import { accountQuery } from '#web/api/account.ts';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/query-client.ts';
import { leaveSession } from '#web/api/session.ts';
import { LocalTime } from '#web/components/text/local-time.tsx';
import { paths } from '#web/paths.ts';
import { Button } from '#web/ui/button.tsx';
import { showToast } from '#web/ui/toast.tsx';

/** The browsers in which one is signed in, and the way out of each. */
export function OwnSessions({ sessions }: { sessions: readonly OwnSession[] }) {
  const navigate = useNavigate();
  const leave = useMutation({
    mutationFn: () =>
      leaveSession(
        () => call('signOutEverywhere', {}),
        () => navigate(paths.home),
      ),
    onSuccess: () => showToast('You have been signed out everywhere'),
    onError: ({ message }) => showToast(`You are still signed in. ${message}`, 'failed'),
  });
  return (
    <section className="account-part" aria-labelledby="account-sessions">
      <h2 id="account-sessions">Signed in</h2>
      <div>
        <ul className="account-sessions">
          {sessions.map((session) => (
            <Session key={session.sid} session={session} />
          ))}
        </ul>
        <Button look="outline" className="account-act" busy={leave.isPending} onClick={() => leave.mutate()}>
          Sign out everywhere
        </Button>
      </div>
    </section>
  );
}

function Session({ session: { sid, browser, signedInAt, lastSeenAt, isThis } }: { session: OwnSession }) {
  const end = useMutation({
    mutationFn: () => call('endOwnSession', { sid }),
    onSuccess: () => showToast(`${browser} has been signed out`),
    onError: ({ message }) => showToast(message, 'failed'),
    onSettled: () => queryClient.invalidateQueries(accountQuery),
  });
  return (
    <li>
      <div>
        <b>{browser}</b>
        <p>
          Since <LocalTime at={signedInAt} />, last seen <LocalTime at={lastSeenAt} />
        </p>
      </div>
      {isThis ? (
        <span className="tag">This one</span>
      ) : (
        <Button look="outline" size="small" busy={end.isPending} aria-label={`Sign out of ${browser}`} onClick={() => end.mutate()}>
          Sign out
        </Button>
      )}
    </li>
  );
}
