import './styles/site.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { Main } from '#web/components/frame/main.tsx';
import { Button } from '#web/ui/button.tsx';
import { keepSessionLive } from './api/live/keep-session-live.ts';
import { queryClient } from './api/query-client.ts';
import { sessionQuery } from './api/session.ts';
import { keepTokensFresh } from './api/tokens.ts';
import { handFocusOn } from './components/keep-focus.ts';
import { notePage } from './components/sign-in-origin.ts';
import { Site } from './site.tsx';

keepTokensFresh();
// Asked before the first paint, so that a guarded page decides at once.
void queryClient.prefetchQuery(sessionQuery);
keepSessionLive();
handFocusOn();

// The server answers a page also with a slash behind its address, as people and programs add one: it is the same page.
const { pathname, search, hash } = window.location;
if (/^\/[^/].*\/$/.test(pathname)) window.history.replaceState(window.history.state, '', pathname.replace(/\/+$/, '') + search + hash);

// An address that was typed has a place of its own in the history, so that it begins at its top: without a key all of them would share one.
if (!window.history.state?.key) window.history.replaceState({ ...window.history.state, key: performance.timeOrigin.toString(36) }, '');
// One route: which page lies under the sign-in window is decided in `Site`, from the place it was opened at.
const router = createBrowserRouter([{ path: '*', element: <Site />, errorElement: <PageBroken /> }]);
notePage(router.state.location, router.state.historyAction);
router.subscribe(({ location, historyAction, navigation }) => navigation.state === 'idle' && notePage(location, historyAction));

// A preview's title came with the document; from here on every page sets its own, and the first one in the head counts.
document.querySelector('title')?.remove();
const root = document.getElementById('root');
if (!root) throw new Error('The document has no root element.');
// At once: between the field that the document brings along and ours no key is lost.
flushSync(() =>
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  ),
);

/** When drawing a page failed: mostly a part of it that was not to be had, or that a newer version of the site has replaced, which loading again brings. The router logs why. */
function PageBroken() {
  return (
    <Main>
      <title>This page could not be shown</title>
      <section className="message-page">
        <div role="alert">
          <h1>This page could not be shown.</h1>
          <p className="message-lead">
            Part of it did not load: the archive may be restarting, or be a newer version by now. Reload to go on.
          </p>
          <Button className="mt-7" look="primary" size="large" onClick={() => window.location.reload()}>
            Reload
          </Button>
        </div>
      </section>
    </Main>
  );
}
