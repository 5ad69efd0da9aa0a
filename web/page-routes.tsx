import { lazy, Suspense } from 'react';
import { type Location, Route, Routes } from 'react-router';
import { pageRoutes } from '#contract/page-routes.ts';
import { Main } from './components/frame/main.tsx';
import { Guarded } from './components/guarded.tsx';
import { HomePage } from './pages/home/home-page.tsx';
import { SearchPage } from './pages/search/search-page.tsx';

const VideoPage = lazy(() => import('./pages/video/video-page.tsx').then((module) => ({ default: module.VideoPage })));
const LaterRoutes = lazy(() => import('./later-routes.tsx').then((module) => ({ default: module.LaterRoutes })));
const NotFoundPage = lazy(() => import('./pages/not-found/not-found-page.tsx').then((module) => ({ default: module.NotFoundPage })));

/** Searching and watching. Home and search come with the first load; the others, with the table of their addresses, when they are opened. */
export function PageRoutes({ location }: { location: Partial<Location> }) {
  return (
    <Suspense fallback={<Main busy />}>
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
    </Suspense>
  );
}
