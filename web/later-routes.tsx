import { type Location, Route, Routes } from 'react-router';
import { pageRoutes } from '#contract/page-routes.ts';
import { makeLazyPart } from '#web/ui/lazy-part.ts';
import { Guarded } from './components/guarded.tsx';

const ActivationPendingPage = makeLazyPart(() =>
  import('./pages/activation-pending/activation-pending-page.tsx').then((part) => part.ActivationPendingPage),
);
const AccountPage = makeLazyPart(() => import('./pages/account/account-page.tsx').then((part) => part.AccountPage));
const AddVideosPage = makeLazyPart(() => import('./pages/desk/add-videos-page.tsx').then((part) => part.AddVideosPage));
const BrandsPage = makeLazyPart(() => import('./pages/desk/brands-page.tsx').then((part) => part.BrandsPage));
const DeletedPage = makeLazyPart(() => import('./pages/desk/withheld-pages.tsx').then((part) => part.DeletedPage));
const DetailsPage = makeLazyPart(() => import('./pages/desk/details-page.tsx').then((part) => part.DetailsPage));
const ExistingWorkPage = makeLazyPart(() => import('./pages/desk/existing-work-page.tsx').then((part) => part.ExistingWorkPage));
const FilmsPage = makeLazyPart(() => import('./pages/desk/films-page.tsx').then((part) => part.FilmsPage));
const KeptBackPage = makeLazyPart(() => import('./pages/desk/withheld-pages.tsx').then((part) => part.KeptBackPage));
const ReplacePage = makeLazyPart(() => import('./pages/desk/replace-page.tsx').then((part) => part.ReplacePage));
const UnfoundPage = makeLazyPart(() => import('./pages/desk/unfound-page.tsx').then((part) => part.UnfoundPage));
const AdminPage = makeLazyPart(() => import('./pages/admin/admin-page.tsx').then((part) => part.AdminPage));
const ActivityPage = makeLazyPart(() => import('./pages/admin/activity-page.tsx').then((part) => part.ActivityPage));
const EnginesPage = makeLazyPart(() => import('./pages/admin-engines/engines-page.tsx').then((part) => part.EnginesPage));
const StatusPage = makeLazyPart(() => import('./pages/admin/status-page.tsx').then((part) => part.StatusPage));
const AdminVideosPage = makeLazyPart(() => import('./pages/admin-videos/admin-videos-page.tsx').then((part) => part.AdminVideosPage));
const PolicyPage = makeLazyPart(() => import('./pages/policy/policy-page.tsx').then((part) => part.PolicyPage));
const NotFoundPage = makeLazyPart(() => import('./pages/not-found/not-found-page.tsx').then((part) => part.NotFoundPage));

/** Pages that not everybody may open, and what it takes. */
const guarded = [
  { path: pageRoutes.activationPending, need: 'signed-in', Page: ActivationPendingPage },
  { path: pageRoutes.account, need: 'signed-in', Page: AccountPage },
  { path: pageRoutes.admin, need: 'admin', Page: AdminPage },
  { path: pageRoutes.adminVideos, need: 'admin', Page: AdminVideosPage },
  { path: pageRoutes.adminActivity, need: 'admin', Page: ActivityPage },
  { path: pageRoutes.adminEngines, need: 'admin', Page: EnginesPage },
  { path: pageRoutes.adminStatus, need: 'admin', Page: StatusPage },
  { path: pageRoutes.desk, need: 'edit', Page: AddVideosPage },
  { path: pageRoutes.deskExistingWork, need: 'edit', Page: ExistingWorkPage },
  { path: pageRoutes.deskFilms, need: 'edit', Page: FilmsPage },
  { path: pageRoutes.deskReplace, need: 'edit', Page: ReplacePage },
  { path: pageRoutes.deskDetails, need: 'edit', Page: DetailsPage },
  { path: pageRoutes.deskBrands, need: 'edit', Page: BrandsPage },
  { path: pageRoutes.deskUnfound, need: 'edit', Page: UnfoundPage },
  { path: pageRoutes.deskKeptBack, need: 'edit', Page: KeptBackPage },
  { path: pageRoutes.deskDeleted, need: 'edit', Page: DeletedPage },
] as const;

/** Every page that is no part of searching and watching. */
export function LaterRoutes({ location }: { location: Partial<Location> }) {
  return (
    <Routes location={location}>
      {guarded.map(({ path, need, Page }) => (
        <Route
          key={path}
          path={path}
          element={
            <Guarded need={need}>
              <Page />
            </Guarded>
          }
        />
      ))}
      <Route path={pageRoutes.privacy} element={<PolicyPage policy="privacy" />} />
      <Route path={pageRoutes.cookies} element={<PolicyPage policy="cookies" />} />
      <Route path="*" element={<NotFoundPage />} />
    </Routes>
  );
}
