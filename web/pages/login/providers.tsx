import { useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { signInFailureMessage } from '#contract/sign-in.ts';
import { listenForSignIn } from '#web/api/live/hear-of-sign-ins.ts';
import { signInWith } from '#web/api/sign-in.ts';
import { pageSettings } from '#web/page-settings.ts';
import { paths } from '#web/paths.ts';
import { Icon } from '#web/ui/icon.tsx';
import { ProviderMark } from './provider-mark.tsx';

/** The ways to sign in. The outcome comes from the provider's window; being signed in, the window around this leaves by itself. */
export function Providers({ returnUrl, failure }: { returnUrl: string; failure: string | null }) {
  const { state } = useLocation();
  const [message, setMessage] = useState(failure === null ? '' : signInFailureMessage(failure));
  useEffect(
    () =>
      listenForSignIn((outcome) => {
        if (outcome.outcome === 'failed') setMessage(outcome.message);
      }),
    [],
  );
  const leaveFor = (provider: string) => {
    setMessage('');
    signInWith(provider, returnUrl);
  };
  if (pageSettings.providers.length === 0 && !pageSettings.emailSignIn)
    return (
      <p className="modal-lead">
        No way to sign in is set up on this archive yet. Whoever runs it finds the settings in docs/operations.md.
      </p>
    );
  return (
    <>
      <p className="modal-lead">Search is open to everyone. To watch, sign in.</p>
      {pageSettings.providers.map(({ id, name }) => (
        <button key={id} type="button" className="provider" onClick={() => leaveFor(id)}>
          <ProviderMark id={id} />
          Sign in with {name}
          <span className="provider-go">
            <Icon name="arrow-right" />
          </span>
        </button>
      ))}
      {pageSettings.emailSignIn && (
        <>
          {pageSettings.providers.length > 0 && <p className="modal-or">or</p>}
          <Link className="provider" to={paths.loginEmail(returnUrl)} state={state} replace preventScrollReset>
            <Icon name="mail" size={20} />
            Sign in with email
            <span className="provider-go">
              <Icon name="arrow-right" />
            </span>
          </Link>
        </>
      )}
      {message !== '' && (
        <p className="note note-danger" role="alert">
          <Icon name="circle-alert" />
          {message}
        </p>
      )}
      <p className="modal-fine">New here? Sign in the same way. An administrator activates new accounts within 24 hours.</p>
    </>
  );
}
