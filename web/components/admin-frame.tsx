import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { Link, useLocation } from 'react-router';
import { paths } from '#web/paths.ts';
import { Main } from './main.tsx';
import { PageHeading } from './page-heading.tsx';
import { PageTitle } from './page-title.tsx';
import '#web/styles/tables.css';
import '#web/styles/tabs.css';
import '#web/styles/work.css';

type AdminTab = 'users' | 'videos' | 'activity';

const tabs: ReadonlyArray<{ tab: AdminTab; label: string; to: string; title: string }> = [
  { tab: 'users', label: 'Users', to: paths.admin, title: 'Admin' },
  { tab: 'videos', label: 'Videos', to: paths.adminVideos, title: 'Videos, Admin' },
  { tab: 'activity', label: 'Activity', to: paths.adminActivity, title: 'Activity, Admin' },
];

interface AdminFrameProps {
  tab: AdminTab;
  /** What stands at the end of the line of tabs. */
  aside?: ReactNode;
  children: ReactNode;
}

/** The admin's desk around each of its pages: heading and tabs. */
export function AdminFrame({ tab, aside, children }: AdminFrameProps) {
  return (
    <Main>
      <PageTitle title={tabs.find((each) => each.tab === tab)?.title ?? 'Admin'} />
      <div className="work admin">
        <div className="admin-top">
          <PageHeading page="admin">Admin</PageHeading>
          <AdminTabs current={tab} />
          {aside && <div className="admin-aside">{aside}</div>}
        </div>
        {children}
      </div>
    </Main>
  );
}

/** Links that look and move like tabs: arrow keys go along them, Enter opens, Tab goes on to the page. */
function AdminTabs({ current }: { current: AdminTab }) {
  const list = useRef<HTMLElement>(null);
  const cameByTab = useLocation().state?.byAdminTab === true;
  // The page that was left took its tabs with it, and the focus with them.
  useEffect(() => {
    if (cameByTab) list.current?.querySelector<HTMLElement>('[aria-current=page]')?.focus();
  }, [cameByTab]);
  const move = (event: KeyboardEvent) => {
    const links = [...(list.current?.querySelectorAll('a') ?? [])];
    const at = links.findIndex((link) => link.matches(':focus'));
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    if (next === undefined || at < 0) return;
    event.preventDefault();
    links.at(next % links.length)?.focus();
  };
  return (
    <nav className="tabs" aria-label="Admin" ref={list} onKeyDown={move}>
      {tabs.map(({ tab, label, to }) => (
        <Link
          key={tab}
          className="tab"
          to={to}
          state={{ byAdminTab: true }}
          aria-current={tab === current ? 'page' : undefined}
          tabIndex={tab === current ? 0 : -1}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
