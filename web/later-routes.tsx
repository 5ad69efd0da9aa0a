import { type Location, Route, Routes } from 'react-router';
import { pageRoutes } from '#contract/page-routes.ts';
import { lazyPart } from '#web/ui/lazy-part.ts';
import { Guarded } from './components/guarded.tsx';

const ActivationPendingPage = lazyPart(() =>
  import('./pages/activation-pending/activation-pending-page.tsx').then((part) => part.ActivationPendingPage),
);
const AccountPage = lazyPart(() => import('./pages/account/account-page.tsx').then((part) => part.AccountPage));
const AddVideosPage = lazyPart(() => import('./pages/desk/add-videos-page.tsx').then((part) => part.AddVideosPage));
const BrandsPage = lazyPart(() => import('./pages/desk/brands-page.tsx').then((part) => part.BrandsPage));
const DeletedPage = lazyPart(() => import('./pages/desk/deleted-page.tsx').then((part) => part.DeletedPage));
const KeptBackPage = lazyPart(() => import('./pages/desk/kept-back-page.tsx').then((part) => part.KeptBackPage));
const UnfoundPage = lazyPart(() => import('./pages/desk/unfound-page.tsx').then((part) => part.UnfoundPage));
const AdminPage = lazyPart(() => import('./pages/admin/admin-page.tsx').then((part) => part.AdminPage));
const ActivityPage = lazyPart(() => import('./pages/admin/activity-page.tsx').then((part) => part.ActivityPage));
const EnginesPage = lazyPart(() => import('./pages/admin-engines/engines-page.tsx').then((part) => part.EnginesPage));
const AdminVideosPage = lazyPart(() => import('./pages/admin-videos/admin-videos-page.tsx').then((part) => part.AdminVideosPage));
const PolicyPage = lazyPart(() => import('./pages/policy/policy-page.tsx').then((part) => part.PolicyPage));
const NotFoundPage = lazyPart(() => import('./pages/not-found/not-found-page.tsx').then((part) => part.NotFoundPage));

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
        path={pageRoutes.adminEngines}
        element={
          <Guarded need="admin">
            <EnginesPage />
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
            <AddVideosPage />
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
      <Route
        path={pageRoutes.deskKeptBack}
        element={
          <Guarded need="edit">
            <KeptBackPage />
          </Guarded>
        }
      />
      <Route
        path={pageRoutes.deskDeleted}
        element={
          <Guarded need="edit">
            <DeletedPage />
          </Guarded>
        }
      />
      <Route path={pageRoutes.privacy} element={<PolicyPage policy="privacy" />} />
      <Route path={pageRoutes.cookies} element={<PolicyPage policy="cookies" />} />
      <Route path="*" element={<NotFoundPage />} />
    </Routes>
  );
}
