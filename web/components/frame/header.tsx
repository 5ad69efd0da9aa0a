/*
 * What stands around a page: header, user menu and footer, its one heading and title; work-frame and admin-frame hold the tabs of those who work.
 */
import { Suspense } from 'react';
import { createPath, Link, useLocation, useSearchParams } from 'react-router';
import { pageRoutes } from '#contract/page-routes.ts';
import { useSession } from '#web/api/session.ts';
import { SearchBox } from '#web/components/search-box/search-box.tsx';
import { pageSettings } from '#web/page-settings.ts';
import { paths } from '#web/paths.ts';
import { chooseNextTheme, useTheme } from '#web/theme/theme.ts';
import { buttonClassFor } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { makeLazyPart } from '#web/ui/lazy-part.ts';
import { readQuery } from '../read-query.ts';
import { openedFrom, useSignInOrigin } from '../sign-in-origin.ts';

const UserMenu = makeLazyPart(() => import('./user-menu.tsx').then((part) => part.UserMenu));

export function Header() {
  const session = useSession();
  const query = useShownQuery();
  return (
    <header className="header">
      <div className="wrap">
        <Logo />
        <SearchBox key={query} query={query} />
        <div className="header-end">
          <ThemeButton />
          {session.state === 'guest' && <LoginLink />}
          {session.state === 'signed-in' && (
            <Suspense>
              <UserMenu user={session.user} />
            </Suspense>
          )}
        </div>
      </div>
    </header>
  );
}

/** The query of the results on show, also while the sign-in window stands over them. */
function useShownQuery(): string {
  const location = useLocation();
  const { behind } = useSignInOrigin();
  const [params] = useSearchParams();
  if (location.pathname === pageRoutes.search) return readQuery(params);
  if (behind.pathname === pageRoutes.search) return readQuery(new URLSearchParams(behind.search));
  return '';
}

function LoginLink() {
  const location = useLocation();
  const isAlreadyThere = location.pathname === pageRoutes.login;
  return (
    <Link
      className={buttonClassFor('primary')}
      to={isAlreadyThere ? location : paths.login(createPath(location))}
      state={isAlreadyThere ? location.state : openedFrom(location)}
      replace={isAlreadyThere}
      preventScrollReset
    >
      Login
    </Link>
  );
}

function ThemeButton() {
  const { choice, shown } = useTheme();
  return <IconButton icon={shown === 'dark' ? 'sun' : 'moon'} label={`Colour theme: ${choice}`} onClick={chooseNextTheme} />;
}

const { name, logoSvg } = pageSettings.archive;
// As an image, so that nothing inside a given drawing can run.
const ownMark = logoSvg && URL.createObjectURL(new Blob([logoSvg], { type: 'image/svg+xml' }));

export function Logo() {
  return (
    <Link className="logo" to={paths.home} aria-label={`${name}, home`}>
      {ownMark ? <img src={ownMark} alt="" width={30} height={22} /> : <FilmMark />}
      {name}
    </Link>
  );
}

function FilmMark() {
  return (
    <svg viewBox="0 0 30 22" fill="none" aria-hidden="true">
      <rect x="1" y="1" width="28" height="20" rx="4" stroke="currentColor" strokeWidth="2" />
      <path d="M6.5 1.5v19M23.5 1.5v19" stroke="currentColor" strokeWidth="1.4" strokeDasharray="2.6 2.6" />
      <rect x="14.2" y="-.5" width="4.6" height="23" rx="1.4" fill="#ffc033" transform="skewX(-6) translate(1.2 0)" />
    </svg>
  );
}
