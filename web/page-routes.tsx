import { lazy, Suspense } from 'react';
import { type Location, Route, Routes } from 'react-router';
import { pageRoutes } from '#contract/page-routes.ts';
import { Guarded } from './components/guarded.tsx';
import { Main } from './components/main.tsx';
import { HomePage } from './pages/home/home-page.tsx';
import { SearchPage } from './pages/search/search-page.tsx';

const VideoPage = lazy(() => import('./pages/video/video-page.tsx').then((module) => ({ default: module.VideoPage })));
const ActivationPendingPage = lazy(() =>
  import('./pages/activation-pending/activation-pending-page.tsx').then((module) => ({ default: module.ActivationPendingPage })),
);
const AccountPage = lazy(() => import('./pages/account/account-page.tsx').then((module) => ({ default: module.AccountPage })));
const DeskPage = lazy(() => import('./pages/desk/desk-page.tsx').then((module) => ({ default: module.DeskPage })));
const AdminPage = lazy(() => import('./pages/admin/admin-page.tsx').then((module) => ({ default: module.AdminPage })));
const ActivityPage = lazy(() => import('./pages/admin/activity-page.tsx').then((module) => ({ default: module.ActivityPage })));
const AdminVideosPage = lazy(() =>
  import('./pages/admin-videos/admin-videos-page.tsx').then((module) => ({ default: module.AdminVideosPage })),
);
const PolicyPage = lazy(() => import('./pages/policy/policy-page.tsx').then((module) => ({ default: module.PolicyPage })));
const NotFoundPage = lazy(() => import('./pages/not-found/not-found-page.tsx').then((module) => ({ default: module.NotFoundPage })));

/** Every page once. Home and search come with the first load; the others when they are opened. */
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
        <Route
          path={pageRoutes.activationPending}
          element={
            <Guarded need="signed-in">
              <ActivationPendingPage />
            </Guarded>
          }
        />
        <Route
          path={pageRoutes.adminVideos}
          element={
            <Guarded need="admin">
              <AdminVideosPage />
            </Guarded>
          }
        />
        <Route
          path={pageRoutes.admin}
          element={
            <Guarded need="admin">
              <AdminPage />
            </Guarded>
          }
        />
        <Route
          path={pageRoutes.adminActivity}
          element={
            <Guarded need="admin">
              <ActivityPage />
            </Guarded>
          }
        />
        <Route
          path={pageRoutes.account}
          element={
            <Guarded need="signed-in">
              <AccountPage />
            </Guarded>
          }
        />
        <Route
          path={pageRoutes.desk}
          element={
            <Guarded need="edit">
              <DeskPage />
            </Guarded>
          }
        />
        <Route path={pageRoutes.privacy} element={<PolicyPage policy="privacy" />} />
        <Route path={pageRoutes.cookies} element={<PolicyPage policy="cookies" />} />
        <Route path="*" element={<NotFoundPage />} />
      </Routes>
    </Suspense>
  );
}
