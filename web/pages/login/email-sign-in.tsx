import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { CallFailed } from '#web/api/call-failed.ts';
import { sendSignInLink } from '#web/api/sign-in.ts';
import { pageSettings } from '#web/page-settings.ts';
import { paths } from '#web/paths.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { forgetWaitingAddress, keepWaitingAddress } from './waiting-address.ts';

/** Asks for name and address and has a link sent there. Sent, the page waits: when the link is opened in this browser, it moves on. */
export function EmailSignIn({ returnUrl }: { returnUrl: string }) {
  const form = useRef<HTMLFormElement>(null);
  const [isValid, setIsValid] = useState(false);
  const sending = useMutation({
    mutationFn: (person: { name: string; email: string }) => sendSignInLink({ ...person, returnUrl }),
    onSuccess: (_sent, { email }) => keepWaitingAddress(email),
    onError: (error) => fieldOf(form.current, isAboutName(error) ? 'name' : 'email')?.focus(),
  });
  // The link that led here is gone, and the focus with it: within a frame the window takes it for itself, so the field asks after that.
  useEffect(() => {
    const frame = requestAnimationFrame(() => fieldOf(form.current, 'name')?.focus());
    return () => cancelAnimationFrame(frame);
  }, []);
  const isUnderWay = useRef(false);
  const isSent = sending.isSuccess;
  const isFixed = isSent || sending.isPending;
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const read = (name: string) => fieldOf(event.currentTarget, name)?.value.trim() ?? '';
    // A second press may come before the page shows the first.
    if (!isValid || isFixed || isUnderWay.current) return;
    isUnderWay.current = true;
    sending.mutate({ name: read('name'), email: read('email') }, { onSettled: () => (isUnderWay.current = false) });
  };
  const startOver = () => {
    forgetWaitingAddress();
    sending.reset();
    setIsValid(false);
    const email = fieldOf(form.current, 'email');
    if (!email) return;
    email.value = '';
    email.focus();
  };
  const fault = sending.error?.message;
  return (
    <>
      <p className="modal-lead">We send you a link. Open it on this device and you are in. No password to remember.</p>
      <form ref={form} onSubmit={send} onChange={(event) => setIsValid(event.currentTarget.checkValidity())} noValidate>
        <TextField
          label="Full name"
          name="name"
          autoComplete="name"
          required
          pattern=".*\S.*"
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
        {isSent && <SentNote />}
        <Button className="mt-6 w-full" look="primary" size="large" type="submit" disabled={!isValid || isSent} busy={sending.isPending}>
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
  return error instanceof CallFailed && error.code === 'invalid_parameter';
}

function fieldOf(form: HTMLFormElement | null, name: string): HTMLInputElement | null {
  const field = form?.elements.namedItem(name);
  return field instanceof HTMLInputElement ? field : null;
}

/** Says that the link is on its way, and in a practice archive where it has gone. */
function SentNote() {
  return (
    <>
      <p className="note note-ok" role="status">
        <Icon name="circle-check" />
        Thanks! We have sent you an email with your login link.
      </p>
      {pageSettings.practiceMailbox && (
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
