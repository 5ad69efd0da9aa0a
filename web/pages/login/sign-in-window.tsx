import { useEffect } from 'react';
import { Link, Navigate, useLocation, useNavigate, useSearchParams } from 'react-router';
import { type PageName, readReturnUrl } from '#contract/page-routes.ts';
import { useSession } from '#web/api/session.ts';
import { PageTitle } from '#web/components/frame/page-title.tsx';
import { keepFocus } from '#web/components/keep-focus.ts';
import { useSignInOrigin } from '#web/components/sign-in-origin.ts';
import { pageSettings } from '#web/page-settings.ts';
import { paths } from '#web/paths.ts';
import { Modal } from '#web/ui/modal.tsx';
import { EmailSignIn } from './email-sign-in.tsx';
import { LinkSignIn } from './link-sign-in.tsx';
import { Providers } from './providers.tsx';

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
      <p className="modal-lead">Signing in with a link by e-mail is not set up on this archive.</p>
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
