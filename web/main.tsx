import './styles/site.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { keepSessionLive } from './api/live/keep-session-live.ts';
import { queryClient } from './api/query-client.ts';
import { sessionQuery } from './api/session.ts';
import { keepTokensFresh } from './api/tokens.ts';
import { notePage } from './components/sign-in-origin.ts';
import { PageBroken } from './pages/page-broken.tsx';
import { Site } from './site.tsx';

keepTokensFresh();
// Asked before the first paint, so that a guarded page decides at once.
void queryClient.prefetchQuery(sessionQuery);
keepSessionLive();

// One route: which page lies under the sign-in window is decided in `Site`, from the place it was opened at.
const router = createBrowserRouter([{ path: '*', element: <Site />, errorElement: <PageBroken /> }]);
notePage(router.state.location, router.state.historyAction);
router.subscribe(({ location, historyAction, navigation }) => navigation.state === 'idle' && notePage(location, historyAction));

// A preview's title came with the document; from here on every page sets its own, and the first one in the head counts.
document.querySelector('title')?.remove();
const root = document.getElementById('root');
if (!root) throw new Error('The document has no root element.');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
