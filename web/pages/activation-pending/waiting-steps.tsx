import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Account } from '#contract/account.ts';
import { limits } from '#contract/limits.ts';
import { accountQuery } from '#web/api/account.ts';
import { LocalTime } from '#web/components/text/local-time.tsx';
import { useNow } from '#web/components/use-now.ts';
import { pageSettings } from '#web/page-settings.ts';
import { Icon } from '#web/ui/icon.tsx';
import { clockTime, waitingTime } from './waiting.ts';

const lookEveryMs = 60_000;
const tickMs = 5_000;
const promiseMs = limits.activationPromiseHours * 3_600_000;

/** How far the account is, with the times at which it came there. */
export function WaitingSteps({ name, isActive }: { name: string; isActive: boolean }) {
  // Nobody announces that the administrators were told, so it is asked for now and then.
  const { data: account } = useQuery({ ...accountQuery, refetchInterval: isActive ? false : lookEveryMs });
  const nowMs = useNow(tickMs);
  const waitsLong = account && !isActive && nowMs - Date.parse(account.signedUpAt) > promiseMs;
  return (
    <>
      <ol className="steps">
        <Step state="done" aside={account && <Time at={account.signedUpAt} nowMs={nowMs} />}>
          Signed up as <bdi>{name}</bdi>
        </Step>
        {account?.adminsToldAt && (
          <Step state="done" aside={<Time at={account.adminsToldAt} nowMs={nowMs} />}>
            The archive’s administrators have been told
          </Step>
        )}
        {isActive ? (
          <Step state="done">
            <b className="font-semibold">Your account is active</b>
          </Step>
        ) : (
          <Step state="now" aside={account && <SoFar account={account} nowMs={nowMs} />}>
            <b className="font-semibold">Waiting for activation</b>
          </Step>
        )}
        <Step state={isActive ? 'now' : 'wait'}>Watch the whole archive</Step>
      </ol>
      {/* The empty paragraph stands ready, or a screen reader would miss what comes into it. */}
      <p className="waits-long" role="status">
        {waitsLong && <WaitsLong />}
      </p>
    </>
  );
}

function Step({ state, aside, children }: { state: 'done' | 'now' | 'wait'; aside?: ReactNode; children: ReactNode }) {
  return (
    <li className={state === 'wait' ? 'step-wait' : undefined} aria-current={state === 'now' ? 'step' : undefined}>
      <span className={`step-state ${state === 'done' ? 'step-done' : state === 'now' ? 'step-now' : ''}`}>
        {state === 'done' && <Icon name="check" size={16} />}
      </span>
      <span>{children}</span>
      {aside && <span className="tc">{aside}</span>}
    </li>
  );
}

function Time({ at, nowMs }: { at: string; nowMs: number }) {
  return <LocalTime at={at}>{clockTime(new Date(at), new Date(nowMs))}</LocalTime>;
}

function SoFar({ account, nowMs }: { account: Account; nowMs: number }) {
  const { text, duration } = waitingTime(Date.parse(account.signedUpAt), nowMs);
  return (
    <>
      <time dateTime={duration}>{text}</time> so far
    </>
  );
}

function WaitsLong() {
  const { email } = pageSettings.archive.contact;
  if (!email) return 'This takes longer than usual.';
  return (
    <>
      This takes longer than usual. Write to{' '}
      <a className="link" href={`mailto:${email}`}>
        {email}
      </a>
      .
    </>
  );
}
