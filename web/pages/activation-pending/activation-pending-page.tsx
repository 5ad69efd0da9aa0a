import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useEffect, useId, useState } from 'react';
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router';
import type { Account } from '#contract/account.ts';
import { limits } from '#contract/limits.ts';
import { can } from '#contract/roles.ts';
import type { SignedInUser } from '#contract/session.ts';
import { accountQuery } from '#web/api/account.ts';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/query-client.ts';
import { useSession } from '#web/api/session.ts';
import { Announcement } from '#web/components/announcement.tsx';
import { Main } from '#web/components/frame/main.tsx';
import { PageHeading } from '#web/components/frame/page-heading.tsx';
import { PageTitle } from '#web/components/frame/page-title.tsx';
import { LoadFailed } from '#web/components/table/load-failed.tsx';
import { useFailure } from '#web/components/table/use-failure.ts';
import { LocalTime } from '#web/components/text/local-time.tsx';
import { useNow } from '#web/components/use-now.ts';
import { pageSettings } from '#web/page-settings.ts';
import { paths } from '#web/paths.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { formatClockTime, formatWaitingTime, readPageAfterwards } from './waiting.ts';
import '#web/styles/tables.css';
import './activation-pending.css';

const confirmedForMs = 1_500;

/** Where somebody without a role waits; it moves on by itself when an administrator has given them one. */
export function ActivationPendingPage() {
  const session = useSession();
  const [parameters] = useSearchParams();
  const isActive = session.state === 'signed-in' && can(session.user.roles, 'view');
  const [hasWaited] = useState(!isActive);
  const next = readPageAfterwards(parameters);
  const account = useQuery(accountQuery);
  const failure = useFailure(account);
  if (session.state !== 'signed-in') return null;
  // Somebody who comes after the activation has nothing to wait for.
  if (!hasWaited) return <Navigate to={next} replace />;
  if (account.data) return <Waiting user={session.user} account={account.data} isActive={isActive} next={next} />;
  if (!failure) return null;
  if (isActive) return <Navigate to={next} replace />;
  return <Unknown says={`Your account could not be loaded. ${failure.message}`} onRetry={account.refetch} />;
}

/** Until it has come, nobody knows whether somebody is new here or was sent away. */
function Unknown(props: { says: string; onRetry: () => Promise<unknown> }) {
  return (
    <Main>
      <PageTitle title="Account" />
      <section className="message-page">
        <div>
          <PageHeading page="account-unknown">Account</PageHeading>
          <LoadFailed {...props} />
        </div>
        <WaitingHall />
      </section>
    </Main>
  );
}

interface WaitingProps {
  user: SignedInUser;
  account: Account;
  isActive: boolean;
  next: string;
}

function Waiting({ user, account, isActive, next }: WaitingProps) {
  const navigate = useNavigate();
  // Who was let in before now and waits had it taken away.
  const [isRemoved] = useState(account.activatedAt !== null && !isActive);
  // Long enough to read why the page changes.
  useEffect(() => {
    if (!isActive) return;
    const timer = setTimeout(() => navigate(next, { replace: true }), confirmedForMs);
    return () => clearTimeout(timer);
  }, [isActive, next, navigate]);
  return (
    <Main>
      <PageTitle title={isRemoved ? removed : thanks} />
      <section className="message-page">
        <div>
          <PageHeading page="activation-pending">{isRemoved ? removed : thanks}</PageHeading>
          {isRemoved ? (
            <p className="message-lead">
              An administrator has removed this account’s access to the videos.{' '}
              <WriteThem says="To have it back, write to" fallback="Ask an administrator to have it back." />
            </p>
          ) : (
            <p className="message-lead">The account will be activated within 24 hours, after which all archive content can be watched.</p>
          )}
          <Announcement text={isActive ? 'Your account is active' : ''} />
          {!isRemoved && <WaitingSteps name={user.email || user.displayName} isActive={isActive} />}
          <p className="mt-6 text-ink-2">
            You can close this page. It moves on by itself once the account is active.
            <br />
            Until then,{' '}
            <Link className="link" to={paths.home}>
              search is open
            </Link>
            .
          </p>
          <OwnNote saved={account.note} />
        </div>
        <WaitingHall />
      </section>
    </Main>
  );
}

const [thanks, removed] = ['Thanks for signing up', 'Your access was removed'];

const windows = [-42, 113, 268, 423, 578];
const people = [40, 150, 236, 330, 402, 500, 560, 612];

/** A station hall in the morning, drawn: an arrivals picture for people who wait. */
function WaitingHall() {
  return (
    <svg className="message-picture max-md:hidden" viewBox="0 0 640 480" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <defs>
        <linearGradient id="hall-wall" x2="0" y2="1">
          <stop stopColor="#4a3020" />
          <stop offset=".62" stopColor="#7a5636" />
          <stop offset="1" stopColor="#a1774b" />
        </linearGradient>
        <linearGradient id="hall-pane" x2="0" y2="1">
          <stop stopColor="#fffbe0" />
          <stop offset="1" stopColor="#ffe79a" />
        </linearGradient>
        <radialGradient id="hall-edge" cx=".5" cy=".45" r=".78">
          <stop offset=".45" stopOpacity="0" />
          <stop offset="1" stopColor="#170d05" stopOpacity=".7" />
        </radialGradient>
      </defs>
      <rect width="640" height="480" fill="url(#hall-wall)" />
      <rect y="322" width="640" height="158" fill="#b98d5c" />
      {windows.map((x) => (
        <g key={x}>
          <path d={`M${x} 232h74l130 120h-92z`} fill="#ffdf95" opacity=".34" />
          <path d={`M${x} 232V60a37 37 0 0 1 74 0v172z`} fill="url(#hall-pane)" />
          <path d={`M${x + 18} 30v202m18-210v210m18-202v202M${x} 78h74M${x} 128h74M${x} 178h74`} stroke="#e6b84f" strokeWidth="1.5" />
        </g>
      ))}
      {people.map((x, index) => {
        const size = 1 + (index % 3) * 0.32;
        return (
          <g key={x} transform={`translate(${x} ${352 + (index % 3) * 34}) scale(${size})`} fill="#25170d">
            <circle cy="-44" r="6" />
            <path d="M-8-36h16l3 26h-6l2 30h-5L0-6l-2 26h-5l2-30h-6z" />
            {index % 2 === 0 && <rect x="10" y="-8" width="14" height="11" rx="1.5" />}
          </g>
        );
      })}
      <rect width="640" height="480" fill="url(#hall-edge)" />
    </svg>
  );
}

/** A few words for the administrators, who otherwise see a name and an address only. */
function OwnNote({ saved }: { saved: string }) {
  // Taking the note away shuts nothing over the button that did.
  const [isOpen] = useState(saved !== '');
  return (
    <details className="own-note" open={isOpen}>
      <summary>Tell the administrators who you are</summary>
      <NoteForm saved={saved} />
    </details>
  );
}

function NoteForm({ saved }: { saved: string }) {
  const [note, setNote] = useState(saved);
  const id = useId();
  const save = useMutation({
    mutationFn: () => call('setOwnNote', { note }),
    onSuccess: () => queryClient.invalidateQueries(accountQuery),
  });
  const isTooLong = [...note].length > limits.noteMaxCodePoints;
  const isSame = note.trim() === saved.trim();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isTooLong && !isSame) save.mutate();
      }}
    >
      <label htmlFor={id}>Add a note to help the administrators recognise you (optional).</label>
      <textarea
        id={id}
        rows={2}
        value={note}
        readOnly={save.isPending}
        aria-invalid={isTooLong || undefined}
        aria-describedby={`${id}-said`}
        onChange={({ target }) => {
          setNote(target.value);
          save.reset();
        }}
      />
      <div className="own-note-end">
        <Button type="submit" look="outline" size="small" busy={save.isPending} aria-disabled={isTooLong || isSame}>
          Save the note
        </Button>
        <p id={`${id}-said`} role="status">
          {isTooLong && `A note may have at most ${limits.noteMaxCodePoints} characters.`}
          {save.isSuccess && (note.trim() === '' ? 'Removed.' : 'Saved. Administrators see it beside your name.')}
          {save.isError && `The note was not saved. ${save.error.message}`}
        </p>
      </div>
    </form>
  );
}

const lookEveryMs = 60_000;
const tickMs = 5_000;
const promiseMs = limits.activationPromiseHours * 3_600_000;

/** How far the account is, with the times at which it came there. */
function WaitingSteps({ name, isActive }: { name: string; isActive: boolean }) {
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
        {waitsLong && (
          <>
            This takes longer than usual. <WriteThem />
          </>
        )}
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
  return <LocalTime at={at}>{formatClockTime(new Date(at), new Date(nowMs))}</LocalTime>;
}

function SoFar({ account, nowMs }: { account: Account; nowMs: number }) {
  const { text, duration } = formatWaitingTime(Date.parse(account.signedUpAt), nowMs);
  return (
    <>
      <time dateTime={duration}>{text}</time> so far
    </>
  );
}

/** Whom to write to; `fallback` where the archive says nobody. */
function WriteThem({ says = 'Write to', fallback }: { says?: string; fallback?: string }) {
  const { email } = pageSettings.archive.contact;
  if (!email) return fallback;
  return (
    <>
      {says}{' '}
      <a className="link" href={`mailto:${email}`}>
        {email}
      </a>
      .
    </>
  );
}
