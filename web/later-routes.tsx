import { lazy } from 'react';
import { type Location, Route, Routes } from 'react-router';
import { pageRoutes } from '#contract/page-routes.ts';
import { Guarded } from './components/guarded.tsx';

const ActivationPendingPage = lazy(() =>
  import('./pages/activation-pending/activation-pending-page.tsx').then((module) => ({ default: module.ActivationPendingPage })),
);
const AccountPage = lazy(() => import('./pages/account/account-page.tsx').then((module) => ({ default: module.AccountPage })));
const DeskPage = lazy(() => import('./pages/desk/desk-page.tsx').then((module) => ({ default: module.DeskPage })));
const BrandsPage = lazy(() => import('./pages/desk/brands-page.tsx').then((module) => ({ default: module.BrandsPage })));
const UnfoundPage = lazy(() => import('./pages/desk/unfound-page.tsx').then((module) => ({ default: module.UnfoundPage })));
const AdminPage = lazy(() => import('./pages/admin/admin-page.tsx').then((module) => ({ default: module.AdminPage })));
const ActivityPage = lazy(() => import('./pages/admin/activity-page.tsx').then((module) => ({ default: module.ActivityPage })));
const AdminVideosPage = lazy(() =>
  import('./pages/admin-videos/admin-videos-page.tsx').then((module) => ({ default: module.AdminVideosPage })),
);
const PolicyPage = lazy(() => import('./pages/policy/policy-page.tsx').then((module) => ({ default: module.PolicyPage })));
const NotFoundPage = lazy(() => import('./pages/not-found/not-found-page.tsx').then((module) => ({ default: module.NotFoundPage })));

/** Every page that is no part of searching and watching. */
export function LaterRoutes({ location }: { location: Partial<Location> }) {
  return (
    <Routes location={location}>
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
      <Route
        path={pageRoutes.deskBrands}
        element={
          <Guarded need="edit">
            <BrandsPage />
          </Guarded>
        }
      />
      <Route
        path={pageRoutes.deskUnfound}
        element={
          <Guarded need="edit">
            <UnfoundPage />
          </Guarded>
        }
      />
      <Route path={pageRoutes.privacy} element={<PolicyPage policy="privacy" />} />
      <Route path={pageRoutes.cookies} element={<PolicyPage policy="cookies" />} />
      <Route path="*" element={<NotFoundPage />} />
    </Routes>
  );
}
