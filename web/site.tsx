/*
 * The site: which page an address shows. pages/ has a room for each noun; components/ what several pages share: frame/ around a page, search-box/,
 * results/, table/, text/ (how times, counts and marked words are written); ui/ knows nothing of the product; api/ asks the server;
 * embed/ are the player and the insights, documents of their own in frames; theme/ and styles/ say how it looks.
 */
import { Suspense } from 'react';
import { type Location, Route, Routes, ScrollRestoration, useLocation, useNavigationType } from 'react-router';
import { pageOf, pageRoutes } from '#contract/page-routes.ts';
import { pageSettings } from '#web/page-settings.ts';
import { paths } from '#web/paths.ts';
import { makeLazyPart } from '#web/ui/lazy-part.ts';
import { ArrivalContext } from './components/arrival-context.ts';
import { BehindContext } from './components/behind.ts';
import { Footer } from './components/frame/footer.tsx';
import { Header } from './components/frame/header.tsx';
import { Main } from './components/frame/main.tsx';
import { PageTitle } from './components/frame/page-title.tsx';
import { Guarded } from './components/guarded.tsx';
import { goToPart } from './components/keep-focus.ts';
import { scrollStorageKey } from './components/left-list.ts';
import { useSignInOrigin } from './components/sign-in-origin.ts';
import { noConnection } from './components/table/load-more.tsx';
import { HomePage } from './pages/home/home-page.tsx';
import { SearchPage } from './pages/search/search-page.tsx';
import { ToastPlace } from './ui/toast.tsx';

const SignInWindow = makeLazyPart(() => import('./pages/login/sign-in-window.tsx').then((part) => part.SignInWindow));

/** Header, page, footer, toasts, and over them the sign-in window, which leaves the page it was opened from in its place. */
export function Site() {
  const location = useLocation();
  const arrival = useNavigationType();
  const { behind } = useSignInOrigin();
  const page = pageOf(location.pathname);
  const isSigningIn = page === 'login' || page === 'loginEmail' || page === 'loginEmailLink';
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: it leads to a part of the page, also before scripts run */}
      <a className="skip-link" href="#main" onClick={goToPart}>
        Skip to content
      </a>
      <PracticeBanner />
      <Header />
      <BehindContext value={isSigningIn}>
        <ArrivalContext value={arrival}>
          <PageRoutes location={isSigningIn ? behind : location} />
        </ArrivalContext>
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
        This is a practice archive. It runs on this computer only, and four made-up people can sign in.{' '}
        {pageSettings.practiceMailbox && (
          <>
            Its e-mail goes to the{' '}
            <a className="link" href={paths.practiceMailbox}>
              practice mailbox
            </a>
            .
          </>
        )}
      </div>
    </aside>
  );
}

const VideoPage = makeLazyPart(() => import('./pages/video/video-page.tsx').then((part) => part.VideoPage));
const LaterRoutes = makeLazyPart(() => import('./later-routes.tsx').then((part) => part.LaterRoutes));
const NotFoundPage = makeLazyPart(() => import('./pages/not-found/not-found-page.tsx').then((part) => part.NotFoundPage));

/** Searching and watching. Home and search come with the first load; the others, with the table of their addresses, when they are opened. */
function PageRoutes({ location }: { location: Partial<Location> }) {
  // The router would take `/SEARCH` and `/video/a.mp4` for pages; the server has answered 404.
  const isPage = pageOf((location.pathname ?? '/').replace(/(.)\/$/, '$1')) !== null;
  return (
    <Suspense
      fallback={
        <Main busy>
          <PageTitle title="Loading" />
          {!navigator.onLine && (
            <p className="search-waits wrap" role="status">
              {noConnection}
            </p>
          )}
        </Main>
      }
    >
      {isPage ? (
        <Routes location={location}>
          <Route path={pageRoutes.home} element={<HomePage />} />
          <Route path={pageRoutes.search} element={<SearchPage />} />
          <Route
            path={pageRoutes.video}
            element={
              <Guarded need="view" staysWhenLost>
                <VideoPage notFound={<NotFoundPage />} />
              </Guarded>
            }
          />
          <Route path="*" element={<LaterRoutes location={location} />} />
        </Routes>
      ) : (
        <NotFoundPage />
      )}
    </Suspense>
  );
}
