import { type FormEvent, useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/text-field.tsx';

interface AddressQuestionProps {
  /** What was wrong with the answer before. */
  fault: string | undefined;
  busy: boolean;
  onAnswer: (email: string) => void;
}

/** Asks for the address that a link was sent to. */
export function AddressQuestion({ fault, busy, onAnswer }: AddressQuestionProps) {
  const [isValid, setIsValid] = useState(false);
  const answer = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const email = String(new FormData(event.currentTarget).get('email')).trim();
    if (isValid && !busy && email !== '') onAnswer(email);
  };
  return (
    <>
      <p className="modal-lead">
        You opened the link on another device. Enter the <span className="whitespace-nowrap">e-mail</span> address it was sent to.
      </p>
      <form onSubmit={answer} onChange={(event) => setIsValid(event.currentTarget.checkValidity())} noValidate>
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
        <Button className="mt-6 w-full" look="primary" size="large" type="submit" disabled={!isValid} busy={busy}>
          Sign in with email
        </Button>
      </form>
    </>
  );
}

function takeFocus(field: HTMLInputElement | null): void {
  field?.focus();
}
