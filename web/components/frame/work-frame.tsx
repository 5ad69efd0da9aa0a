import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { Link, useLocation } from 'react-router';
import { Main } from './main.tsx';
import { PageHeading } from './page-heading.tsx';
import { PageTitle } from './page-title.tsx';
import '#web/styles/tables.css';
import '#web/styles/tabs.css';
import '#web/styles/work.css';

interface WorkTab {
  readonly label: string;
  readonly to: string;
  /** Of the browser's tab. */
  readonly title: string;
}

interface WorkFrameProps {
  /** The place, as its heading says it. */
  name: string;
  tabs: readonly WorkTab[];
  current: WorkTab;
  /** What stands at the end of the line of tabs. */
  aside?: ReactNode;
  /** What stands above the page itself. */
  notice?: ReactNode;
  children: ReactNode;
}

/** A place of work around each of its pages: heading and tabs. */
export function WorkFrame({ name, tabs, current, aside, notice, children }: WorkFrameProps) {
  return (
    <Main>
      <PageTitle title={current.title} />
      <div className="work work-frame">
        <div className="work-top">
          <PageHeading page={name}>{name}</PageHeading>
          <PageTabs name={name} tabs={tabs} current={current} />
          {aside && <div className="work-aside">{aside}</div>}
        </div>
        {notice}
        {children}
      </div>
    </Main>
  );
}

/** Links that look like tabs: Tab and arrow keys go along them, Enter opens. */
function PageTabs({ name, tabs, current }: Pick<WorkFrameProps, 'name' | 'tabs' | 'current'>) {
  const list = useRef<HTMLElement>(null);
  const cameByTab = useLocation().state?.byTab === true;
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
    <nav className="tabs" aria-label={name} ref={list} onKeyDown={move}>
      {tabs.map((tab) => (
        <Link key={tab.to} className="tab" to={tab.to} state={{ byTab: true }} aria-current={tab === current ? 'page' : undefined}>
          {tab.label}
        </Link>
      ))}
    </nav>
  );
}
