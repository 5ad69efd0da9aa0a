import { Menu } from '@base-ui/react/menu';
import { useMutation, useQuery } from '@tanstack/react-query';
import { createPath, Link, useLocation, useNavigate } from 'react-router';
import { type PageName, pageOf } from '#contract/page-routes.ts';
import { can } from '#contract/roles.ts';
import type { SignedInUser } from '#contract/session.ts';
import { accountQuery } from '#web/api/account.ts';
import { signOut } from '#web/api/session.ts';
import { NameAndEmail } from '#web/components/table/name-and-email.tsx';
import { filmsAreHere } from '#web/page-settings.ts';
import { paths } from '#web/paths.ts';
import { chooseTheme, type ThemeChoice, useTheme } from '#web/theme/theme.ts';
import { buttonClassFor } from '#web/ui/button.tsx';
import { Icon, type IconName } from '#web/ui/icon.tsx';
import { showToast } from '#web/ui/toast.tsx';
import { keepFocus } from '../keep-focus.ts';
import { isOpenPage } from '../sign-in-origin.ts';

const themes: ReadonlyArray<{ value: ThemeChoice; label: string }> = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'system', label: 'System' },
];

/** What somebody signed in finds in the header: the way to where they wait, as long as they wait, and the menu of their own places. */
export function UserMenu({ user }: { user: SignedInUser }) {
  const location = useLocation();
  const isToldOfWaiting = !can(user.roles, 'view') && !saysItself.has(pageOf(location.pathname));
  const { data: account } = useQuery({ ...accountQuery, enabled: isToldOfWaiting });
  const as = account?.activatedAt
    ? ({ name: 'Access removed', icon: 'lock' } as const)
    : ({ name: 'Waiting for activation', icon: 'clock' } as const);
  const waitingPlace = isToldOfWaiting ? { to: paths.activationPending(createPath(location)), ...as } : null;
  return (
    <>
      {waitingPlace && (
        <Link className={buttonClassFor('ghost')} to={waitingPlace.to}>
          <Icon name={waitingPlace.icon} />
          <span className="max-lg:sr-only">{waitingPlace.name}</span>
        </Link>
      )}
      <PlacesMenu user={user} waitingPlace={waitingPlace} />
    </>
  );
}

/** Where somebody waits who may not watch, and as what. */
interface WaitingPlace {
  readonly to: string;
  readonly name: string;
  readonly icon: IconName;
}

/** Whoever is on the page of a film and may not watch could do so when it was opened: it says what has changed. */
const saysItself: ReadonlySet<PageName | null> = new Set(['activationPending', 'video']);

function PlacesMenu({ user, waitingPlace }: { user: SignedInUser; waitingPlace: WaitingPlace | null }) {
  const navigate = useNavigate();
  const { choice } = useTheme();
  const { pathname } = useLocation();
  const leave = useMutation({
    mutationFn: () => signOut(() => (isOpenPage(pathname) ? undefined : navigate(paths.home))),
    onSuccess: keepFocus,
    onError: (reason) => showToast(`You are still signed in. ${reason.message}`, 'failed'),
  });
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className="me" aria-label={`Account of ${user.displayName}`}>
        <img className="avatar" src={user.photoUrl} alt="" referrerPolicy="no-referrer" />
        {/* Both would push the search box out of the middle. */}
        <span className={`me-name ${waitingPlace ? 'lg:hidden' : ''}`}>{user.displayName}</span>
        <Icon name="chevron-down" size={16} />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner align="end" sideOffset={8} className="z-40">
          <Menu.Popup className="menu">
            <div className="menu-who">
              <img className="avatar avatar-large" src={user.photoUrl} alt="" referrerPolicy="no-referrer" />
              <span>
                <NameAndEmail person={user} />
              </span>
            </div>
            <hr />
            {waitingPlace && <Place {...waitingPlace} />}
            {can(user.roles, 'admin') && <Place to={paths.admin} icon="shield-check" name="Admin panel" />}
            {filmsAreHere && can(user.roles, 'edit') && <Place to={paths.desk} icon="upload" name="Add videos" />}
            <Place to={paths.account} icon="user-round" name="Account" />
            <div className="menu-theme">
              <span>Theme</span>
              <Menu.RadioGroup className="segments" aria-label="Theme" value={choice} onValueChange={chooseTheme}>
                {themes.map(({ value, label }) => (
                  <Menu.RadioItem key={value} value={value}>
                    {label}
                  </Menu.RadioItem>
                ))}
              </Menu.RadioGroup>
            </div>
            <hr />
            <Menu.Item className="option" onClick={() => leave.mutate()}>
              <Icon name="log-out" />
              <span className="option-text">Sign out</span>
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

function Place({ to, icon, name }: { to: string; icon: IconName; name: string }) {
  return (
    <Menu.LinkItem className="option" closeOnClick render={<Link to={to} />}>
      <Icon name={icon} />
      <span className="option-text">{name}</span>
    </Menu.LinkItem>
  );
}
