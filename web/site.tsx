import { lazy, Suspense } from 'react';
import { ScrollRestoration, useLocation, useNavigationType } from 'react-router';
import { pageOf } from '#contract/page-routes.ts';
import { pageSettings } from '#web/page-settings.ts';
import { paths } from '#web/paths.ts';
import { BehindContext } from './components/behind.ts';
import { Footer } from './components/frame/footer.tsx';
import { Header } from './components/frame/header.tsx';
import { scrollStorageKey } from './components/left-list.ts';
import { ReturnContext } from './components/return-context.ts';
import { useSignInOrigin } from './components/sign-in-origin.ts';
import { PageRoutes } from './page-routes.tsx';
import { ToastPlace } from './ui/toast.tsx';

const SignInWindow = lazy(() => import('./pages/login/sign-in-window.tsx').then((module) => ({ default: module.SignInWindow })));

/** Header, page, footer, toasts, and over them the sign-in window, which leaves the page it was opened from in its place. */
export function Site() {
  const location = useLocation();
  const isReturn = useNavigationType() === 'POP';
  const { behind } = useSignInOrigin();
  const page = pageOf(location.pathname);
  const isSigningIn = page === 'login' || page === 'loginEmail' || page === 'loginEmailLink';
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <PracticeBanner />
      <Header />
      <BehindContext value={isSigningIn}>
        <ReturnContext value={isReturn}>
          <PageRoutes location={isSigningIn ? behind : location} />
        </ReturnContext>
      </BehindContext>
      <Footer />
      {isSigningIn && (
        <Suspense>
          <SignInWindow page={page} />
        </Suspense>
      )}
      <ToastPlace />
      <ScrollRestoration storageKey={scrollStorageKey} />
    </>
  );
}

function PracticeBanner() {
  if (!pageSettings.practice) return null;
  return (
    <aside className="practice" aria-label="Practice archive">
      <div className="wrap">
        This is a practice archive: it answers on this computer only, and four made-up people can sign in.{' '}
        {pageSettings.practiceMailbox && (
          <>
            Its e-mail lies in the <a href={paths.practiceMailbox}>practice mailbox</a>.
          </>
        )}
      </div>
    </aside>
  );
}
