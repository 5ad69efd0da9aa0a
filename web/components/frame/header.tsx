import { Suspense } from 'react';
import { createPath, Link, useLocation, useSearchParams } from 'react-router';
import { pageRoutes } from '#contract/page-routes.ts';
import { useSession } from '#web/api/session.ts';
import { SearchBox } from '#web/components/search-box/search-box.tsx';
import { paths } from '#web/paths.ts';
import { chooseTheme, useTheme } from '#web/theme/theme.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { lazyPart } from '#web/ui/lazy-part.ts';
import { readQuery } from '../read-query.ts';
import { openedFrom, useSignInOrigin } from '../sign-in-origin.ts';
import { Logo } from './logo.tsx';

const UserMenu = lazyPart(() => import('./user-menu.tsx').then((part) => part.UserMenu));

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
      className={buttonClass('primary')}
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
  return (
    <IconButton
      icon={shown === 'dark' ? 'sun' : 'moon'}
      label={`Colour theme: ${choice}`}
      onClick={() => chooseTheme(shown === 'dark' ? 'light' : 'dark')}
    />
  );
}
