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
        <h2 id="who-sees-what">Check who sees what</h2>
      </div>
      <p>
        Asks every address of this archive as a guest, somebody who waits, a viewer and an editor, about a film that only editors may see.
        That film and these people are made for the check and are gone after it; nothing else is read or changed. It takes some seconds, and
        the activity keeps that you did it.
      </p>
      <Button look="outline" busy={checking.isPending} onClick={() => checking.mutate()}>
        {checking.data ? 'Check again' : 'Check now'}
      </Button>
      <div role="status">
        {checking.error && <p className="table-failed">It could not be checked. {checking.error.message}</p>}
        {checking.data && <Verdict check={checking.data} />}
      </div>
    </section>
  );
}

function Verdict({ check: { leaks, unasked, questions, routes, tookMs } }: { check: AccessCheck }) {
  const asked = `${questions.toLocaleString('en')} questions to ${routes} addresses in ${(tookMs / 1_000).toFixed(1)} s`;
  return (
    <>
      {leaks.length === 0 ? (
        <p className="status-well">
          <Icon name="shield-check" /> Nothing leaks: {asked}, and everybody got what is theirs.
        </p>
      ) : (
        <>
          <p className="table-failed">
            {leaks.length === 1 ? '1 answer gives' : `${leaks.length} answers give`} away what they should not ({asked}). Take the archive
            off the network until this is mended.
          </p>
          <Lines className="status-leaks" lines={leaks} />
        </>
      )}
      {unasked.length > 0 && (
        <>
          <p>Could not be asked:</p>
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
