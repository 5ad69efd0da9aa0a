import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { CallFailed } from '#web/api/call-failed.ts';
import { useSession } from '#web/api/session.ts';
import { forgetWaitingAddress, readWaitingAddress, sendSignInLink, signInByLink } from '#web/api/sign-in.ts';
import { PageTitle } from '#web/components/frame/page-title.tsx';
import { pageSettings } from '#web/page-settings.ts';
import { paths } from '#web/paths.ts';
import { Button, buttonClassFor } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Modal } from '#web/ui/modal.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { TextField } from '#web/ui/text-field.tsx';

/** Asks for name and address and has a link sent there. Sent, the page waits: when the link is opened in this browser, it moves on. */
export function EmailSignIn({ returnUrl }: { returnUrl: string }) {
  const form = useRef<HTMLFormElement>(null);
  const [isFilledIn, setIsFilledIn] = useState(false);
  const sending = useMutation({
    mutationFn: (person: { name: string; email: string }) => sendSignInLink({ ...person, returnUrl }),
    onError: (error) => fieldOf(form.current, isAboutName(error) ? 'name' : 'email')?.focus(),
  });
  const isUnderWay = useRef(false);
  const isSent = sending.isSuccess;
  const isFixed = isSent || sending.isPending;
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const read = (name: string) => fieldOf(event.currentTarget, name)?.value.trim() ?? '';
    // A second press may come before the page shows the first.
    if (!isFilledIn || isFixed || isUnderWay.current) return;
    isUnderWay.current = true;
    sending.mutate({ name: read('name'), email: read('email') }, { onSettled: () => (isUnderWay.current = false) });
  };
  const startOver = () => {
    forgetWaitingAddress();
    sending.reset();
    setIsFilledIn(false);
    const email = fieldOf(form.current, 'email');
    if (email) email.value = '';
    email?.focus();
  };
  const fault = sending.error?.message;
  return (
    <>
      <p className="modal-lead">We send you a link. Open it on this device and you are in. No password to remember.</p>
      <form ref={form} onSubmit={send} onChange={(event) => setIsFilledIn(isWhole(event.currentTarget))} noValidate>
        <TextField
          // The link that led here is gone. Later than with the field, the focus would go to the window, or from whoever has begun to type.
          ref={takeFocus}
          label="Full name"
          name="name"
          autoComplete="name"
          required
          readOnly={isFixed}
          fault={isAboutName(sending.error) ? fault : undefined}
        />
        <TextField
          label="E-mail"
          name="email"
          type="email"
          autoComplete="email"
          required
          readOnly={isFixed}
          fault={isAboutName(sending.error) ? undefined : fault}
        />
        <SentNote isSent={isSent} />
        <Button className="mt-6 w-full" look="primary" size="large" type="submit" disabled={!isFilledIn || isSent} busy={sending.isPending}>
          Sign in with email
        </Button>
      </form>
      {isSent && (
        <p className="modal-fine">
          Nothing after a few minutes? Look in the spam folder, or{' '}
          <button type="button" className="link" onClick={startOver}>
            use another address
          </button>
          .
        </p>
      )}
    </>
  );
}

/** The server has more to say about names than a browser; everything else is said below the address. */
function isAboutName(error: Error | null): boolean {
  return error instanceof CallFailed && error.parameter === 'displayName';
}

/** Whether nothing is left empty. What is wrong with an address says the server, in words: a button that stays dead says nothing. */
function isWhole(form: HTMLFormElement): boolean {
  return [...new FormData(form).values()].every((text) => String(text).trim() !== '');
}

function fieldOf(form: HTMLFormElement | null, name: string): HTMLInputElement | null {
  const field = form?.elements.namedItem(name);
  return field instanceof HTMLInputElement ? field : null;
}

/** Says that the link is on its way, and in a practice archive where it has gone. */
function SentNote({ isSent }: { isSent: boolean }) {
  return (
    <>
      <div role="status">
        {isSent && (
          <p className="note note-ok">
            <Icon name="circle-check" />
            Thanks! We have sent you an email with your login link.
          </p>
        )}
      </div>
      {isSent && pageSettings.practiceMailbox && (
        <p className="modal-fine">
          This practice archive keeps its e-mail on this computer:{' '}
          <a className="link" href={paths.practiceMailbox} target="_blank" rel="noreferrer">
            open the practice mailbox
          </a>
          .
        </p>
      )}
    </>
  );
}

type Step = 'signing in' | 'asking' | 'failed' | 'dead';

const titles: Readonly<Record<Step, string>> = {
  'signing in': 'Signing you in',
  asking: 'One last check',
  failed: 'You are not signed in',
  dead: 'You are not signed in',
};

/**
 * Where a one-time link leads. It signs in with the address that this browser waits for. Where there is none, or the link is for
 * another, somebody has to enter it, so that a program that looks at links spends none.
 */
export function LinkSignIn({ returnUrl, onClose }: { returnUrl: string; onClose: () => void }) {
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const token = params.get('token') ?? '';
  const [waitingFor] = useState(readWaitingAddress);
  const signIn = useMutation({
    mutationFn: (email: string) => signInByLink(token, email),
    // Takes the secret out of the address bar, and out of the history.
    onSuccess: () => void navigate(returnUrl, { replace: true }),
  });
  // What opens the page is the press on the link in the e-mail; there is nothing else to press.
  const hasBegun = useRef(false);
  useEffect(() => {
    if (hasBegun.current || token === '' || waitingFor === '') return;
    hasBegun.current = true;
    signIn.mutate(waitingFor);
  });

  const [hasAnswered, setHasAnswered] = useState(false);
  const answer = (email: string) => {
    setHasAnswered(true);
    // The same wrong answer is no better the second time, and a link bears five.
    if (codeOf(signIn.error) !== 'conflict' || email !== signIn.variables) signIn.mutate(email);
  };

  const session = useSession();
  const step = token === '' ? 'dead' : stepOf(signIn, waitingFor);
  const name = session.state === 'signed-in' ? session.user.displayName : null;
  // A link of theirs that has done its work, opened again.
  const isIn = step === 'dead' && name !== null;
  const isOther = step === 'asking' && name !== null && !signIn.isPending;
  const title = isIn ? 'You are already signed in' : titles[step];
  const message = signIn.error?.message ?? 'This address contains no sign-in link. Open the complete link from your e-mail.';
  return (
    <>
      <PageTitle title={title} />
      <Modal title={title} onClose={onClose}>
        <div role="status">
          {step === 'signing in' && (
            <p className="modal-lead flex items-center gap-3">
              <Spinner />
              This takes a moment.
            </p>
          )}
        </div>
        {step === 'asking' && (
          <AddressQuestion fault={hasAnswered ? signIn.error?.message : undefined} busy={signIn.isPending} onAnswer={answer} />
        )}
        {isIn && <p className="modal-lead">This link has been used, or is too old.</p>}
        {(isIn || isOther) && <GoOn name={name} returnUrl={returnUrl} />}
        {step === 'failed' && <LinkFailed message={message} returnUrl={returnUrl} onRetry={() => signIn.mutate(waitingFor)} />}
        {!isIn && step === 'dead' && <LinkFailed message={message} returnUrl={returnUrl} />}
      </Modal>
    </>
  );
}

/** The way on for whoever is signed in. */
function GoOn({ name, returnUrl }: { name: string; returnUrl: string }) {
  return (
    <Link className={`${buttonClassFor('outline', 'large')} mt-6 w-full`} to={returnUrl} replace>
      <span>
        Continue as <bdi>{name}</bdi>
      </span>
    </Link>
  );
}

function stepOf({ error, isSuccess, variables }: UseMutationResult<void, Error, string>, waitingFor: string): Step {
  const code = codeOf(error);
  const isByItself = waitingFor !== '' && (variables === undefined || variables === waitingFor);
  if (isSuccess) return 'signing in';
  if (code === 'not_found') return 'dead';
  if (!isByItself || code === 'conflict') return 'asking';
  return error ? 'failed' : 'signing in';
}

function codeOf(error: Error | null): string | undefined {
  return error instanceof CallFailed ? error.code : undefined;
}

interface LinkFailedProps {
  message: string;
  returnUrl: string;
  /** Given when the link itself may still be good. */
  onRetry?: () => void;
}

/** Says why a link signed nobody in, and what to do about it. */
function LinkFailed({ message, returnUrl, onRetry }: LinkFailedProps) {
  const { emailSignIn } = pageSettings;
  return (
    <>
      <p className="note note-danger" role="alert">
        <Icon name="circle-alert" />
        {message}
      </p>
      {onRetry && (
        <Button className="mt-6 w-full" look="primary" size="large" onClick={onRetry}>
          Try again
        </Button>
      )}
      {!onRetry && emailSignIn && (
        <Link className={`${buttonClassFor('primary', 'large')} mt-6 w-full`} to={paths.loginEmail(returnUrl)} replace>
          Send a new link
        </Link>
      )}
      <p className="modal-fine">
        <Link className="link" to={paths.login(returnUrl)} replace>
          Sign in another way
        </Link>
      </p>
    </>
  );
}

interface AddressQuestionProps {
  /** What was wrong with the answer before. */
  fault: string | undefined;
  busy: boolean;
  onAnswer: (email: string) => void;
}

/** Asks for the address that a link was sent to. */
function AddressQuestion({ fault, busy, onAnswer }: AddressQuestionProps) {
  const [isFilledIn, setIsFilledIn] = useState(false);
  const answer = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const email = String(new FormData(event.currentTarget).get('email')).trim();
    if (isFilledIn && !busy && email !== '') onAnswer(email);
  };
  return (
    <>
      <p className="modal-lead">
        To sign in with this link, enter the <span className="whitespace-nowrap">e-mail</span> address it was sent to.
      </p>
      <form onSubmit={answer} onChange={(event) => setIsFilledIn(isWhole(event.currentTarget))} noValidate>
        <TextField
          // Opened, and after every wrong answer, the next thing to do is to type.
          ref={busy ? undefined : takeFocus}
          label="E-mail"
          name="email"
          type="email"
          autoComplete="email"
          required
          readOnly={busy}
          fault={fault}
        />
        <Button className="mt-6 w-full" look="primary" size="large" type="submit" disabled={!isFilledIn} busy={busy}>
          Sign in with email
        </Button>
      </form>
    </>
  );
}

function takeFocus(field: HTMLInputElement | null): void {
  field?.focus();
}
