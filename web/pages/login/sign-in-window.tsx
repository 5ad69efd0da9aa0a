import { useEffect, useState } from 'react';
import { Link, Navigate, useLocation, useNavigate, useSearchParams } from 'react-router';
import type { PageSettings } from '#contract/archive.ts';
import { type PageName, readReturnUrl } from '#contract/page-routes.ts';
import { signInFailureMessage } from '#contract/sign-in.ts';
import { listenForSignIn } from '#web/api/live/keep-session-live.ts';
import { useSession } from '#web/api/session.ts';
import { signInWith } from '#web/api/sign-in.ts';
import { PageTitle } from '#web/components/frame/page-title.tsx';
import { keepFocus } from '#web/components/keep-focus.ts';
import { useSignInOrigin } from '#web/components/sign-in-origin.ts';
import { pageSettings } from '#web/page-settings.ts';
import { paths } from '#web/paths.ts';
import { Icon } from '#web/ui/icon.tsx';
import { Modal } from '#web/ui/modal.tsx';
import { createStore, useStore } from '#web/ui/store.ts';
import { EmailSignIn, LinkSignIn } from './email-sign-in.tsx';

/** The window of /login, /login-email and /login-email-link. Whoever is signed in goes where they wanted to go. */
export function SignInWindow({ page }: { page: PageName }) {
  const session = useSession();
  const [params] = useSearchParams();
  const close = useClose();
  // Whoever has signed in comes back to a page whose Login link is gone.
  useEffect(() => keepFocus, []);
  const returnUrl = readReturnUrl(params);
  if (page === 'loginEmailLink' || (page === 'loginEmail' && params.has('token')))
    return <LinkSignIn returnUrl={returnUrl} onClose={close} />;
  if (session.state === 'signed-in') return <Navigate to={returnUrl} replace />;
  return (
    <>
      <PageTitle title={titles.get(page) ?? ''} />
      <Modal title={titles.get(page)} onClose={close}>
        {page === 'login' && <Providers returnUrl={returnUrl} failure={params.get('error')} />}
        {page === 'loginEmail' &&
          (pageSettings.emailSignIn ? <EmailSignIn returnUrl={returnUrl} /> : <NoEmailSignIn returnUrl={returnUrl} />)}
      </Modal>
    </>
  );
}

const titles = new Map<PageName, string>([
  ['login', 'Login'],
  ['loginEmail', 'Sign in with email'],
]);

/** Back to the page under the window: never into the redirect that has led here. */
function useClose(): () => void {
  const navigate = useNavigate();
  const { key } = useLocation();
  const { behind, openedBy } = useSignInOrigin();
  const wasOpenedHere = openedBy === 'link' && key !== 'default';
  return () => (wasOpenedHere ? navigate(-1) : navigate(behind.pathname ? behind : paths.home, { replace: true }));
}

/** Said plainly instead of a form that leads nowhere. */
function NoEmailSignIn({ returnUrl }: { returnUrl: string }) {
  const { state } = useLocation();
  const { email } = pageSettings.archive.contact;
  return (
    <>
      <p className="modal-lead">E-mail sign-in is not set up on this archive.</p>
      <p>
        <Link className="link" to={paths.login(returnUrl)} state={state} replace preventScrollReset>
          Choose another way
        </Link>
        {email !== '' && (
          <>
            , or write to{' '}
            <a className="link" href={`mailto:${email}`}>
              {email}
            </a>
          </>
        )}
        .
      </p>
    </>
  );
}

/** The ways to sign in. The outcome comes from the provider's window; being signed in, the window around this leaves by itself. */
function Providers({ returnUrl, failure }: { returnUrl: string; failure: string | null }) {
  const { state } = useLocation();
  const [fault] = useState(() => openFault(failure === null ? '' : signInFailureMessage(failure)));
  const message = useStore(fault);
  const leaveFor = (provider: string) => {
    fault.set('');
    signInWith(provider, returnUrl);
  };
  if (pageSettings.providers.length === 0 && !pageSettings.emailSignIn)
    return <p className="modal-lead">Sign-in is not set up on this archive yet. Its operator finds the settings in docs/operations.md.</p>;
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

/** What went wrong with signing in, as the provider's window tells it; empty for nothing. */
function openFault(first: string) {
  const { read, set, subscribe } = createStore(first);
  const hear = (changed: () => void) => {
    const leave = subscribe(changed);
    const stop = listenForSignIn((outcome) => {
      if (outcome.outcome === 'failed') set(outcome.message);
    });
    return () => {
      leave();
      stop();
    };
  };
  return { read, set, subscribe: hear };
}

type ProviderId = PageSettings['providers'][number]['id'];

const marks: Readonly<Record<ProviderId, () => React.JSX.Element>> = {
  oidc: () => <Icon name="id-card" size={20} />,
  google: GoogleMark,
  microsoft: MicrosoftMark,
  facebook: FacebookMark,
  twitter: TwitterMark,
};

/** The providers' own marks in their own colours; the icon set has no brands. */
function ProviderMark({ id }: { id: ProviderId }) {
  const Mark = marks[id];
  return <Mark />;
}

function GoogleMark() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path
        fill="#4285F4"
        d="M22.5 12.270c0-.79-.07-1.540-.2-2.270H12v4.3h5.9a5.040 5.040 0 0 1-2.190 3.310v2.750h3.540c2.080-1.910 3.250-4.730 3.250-8.090z"
      />
      <path
        fill="#34A853"
        d="M12 23c2.950 0 5.430-.98 7.240-2.640l-3.540-2.750c-.98.66-2.230 1.050-3.7 1.050-2.850 0-5.260-1.920-6.120-4.510H2.230v2.840A10.940 10.940 0 0 0 12 23z"
      />
      <path fill="#FBBC05" d="M5.880 14.150a6.580 6.580 0 0 1 0-4.2V7.110H2.230a10.970 10.970 0 0 0 0 9.880z" />
      <path
        fill="#EA4335"
        d="M12 5.440c1.610 0 3.050.55 4.190 1.640l3.130-3.130A10.5 10.5 0 0 0 12 1 10.940 10.940 0 0 0 2.230 7.110l3.650 2.840C6.740 7.360 9.150 5.440 12 5.440z"
      />
    </svg>
  );
}

function MicrosoftMark() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path fill="#F25022" d="M2 2h9.5v9.5H2z" />
      <path fill="#7FBA00" d="M12.5 2H22v9.5h-9.5z" />
      <path fill="#00A4EF" d="M2 12.5h9.5V22H2z" />
      <path fill="#FFB900" d="M12.5 12.5H22V22h-9.5z" />
    </svg>
  );
}

function FacebookMark() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <circle cx="12" cy="12" r="11" fill="#0866FF" />
      <path
        fill="#fff"
        d="M10.300 22.870v-7.400H7.700V12h2.600v-1.600c0-3.800 1.750-5.600 5.500-5.600.7 0 1.900.13 2.400.27v3.050a14 14 0 0 0-1.280-.04c-1.820 0-2.530.69-2.530 2.480V12h3.640l-.63 3.470h-3.010v7.400a11 11 0 0 1-4.090 0z"
      />
    </svg>
  );
}

function TwitterMark() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path
        fill="currentColor"
        d="M18.240 2.250h3.310l-7.230 8.260 8.500 11.240h-6.660l-5.210-6.820-5.970 6.820H1.670l7.730-8.840L1.250 2.250h6.830l4.710 6.230zm-1.160 17.520h1.830L7.080 4.130H5.120z"
      />
    </svg>
  );
}
