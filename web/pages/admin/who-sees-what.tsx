import { useMutation } from '@tanstack/react-query';
import type { AccessCheck } from '#contract/status.ts';
import { checkAccess } from '#web/api/status.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';

/** Has the archive try out, here and now, what each kind of visitor gets to see. */
export function WhoSeesWhat() {
  const checking = useMutation({ mutationFn: checkAccess });
  return (
    <section className="status-check" aria-labelledby="who-sees-what">
      <div className="table-head">
        <h2 id="who-sees-what">Check access</h2>
      </div>
      <p>
        Requests every address of this archive as a guest, a user waiting for activation, a viewer and an editor, for a video that only
        editors may see. The video and users are made for the check and removed afterwards; nothing else is read or changed. It takes a few
        seconds and is recorded in the activity.
      </p>
      <Button look="outline" busy={checking.isPending} onClick={() => checking.mutate()}>
        {checking.data ? 'Check again' : 'Check now'}
      </Button>
      <div role="status">
        {checking.error && <p className="table-failed">The check could not be run. {checking.error.message}</p>}
        {checking.data && <Verdict check={checking.data} />}
      </div>
    </section>
  );
}

function Verdict({ check: { leaks, unasked, questions, routes, tookMs } }: { check: AccessCheck }) {
  const asked = `${questions.toLocaleString('en')} requests to ${routes} addresses in ${(tookMs / 1_000).toFixed(1)} s`;
  return (
    <>
      {leaks.length === 0 ? (
        <p className="status-well">
          <Icon name="shield-check" /> No leaks: {asked}, and everyone got what they may see.
        </p>
      ) : (
        <>
          <p className="table-failed">
            {leaks.length === 1 ? '1 answer reveals' : `${leaks.length} answers reveal`} what it should not ({asked}). Take the archive off
            the network until this is fixed.
          </p>
          <Lines className="status-leaks" lines={leaks} />
        </>
      )}
      {unasked.length > 0 && (
        <>
          <p>Could not be checked:</p>
          <Lines lines={unasked} />
        </>
      )}
    </>
  );
}

function Lines({ lines, className }: { lines: readonly string[]; className?: string }) {
  return (
    <ul className={className}>
      {lines.map((line) => (
        <li key={line}>
          <bdi>{line}</bdi>
        </li>
      ))}
    </ul>
  );
}
