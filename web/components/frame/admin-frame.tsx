import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { BackupState } from '#contract/archive.ts';
import { LocalTime } from '#web/components/text/local-time.tsx';
import { filmsAreHere } from '#web/page-settings.ts';
import { paths } from '#web/paths.ts';
import { WorkFrame } from './work-frame.tsx';
import '#web/styles/backup-notice.css';
import { call } from '../../api/call.ts';

const tabs = {
  users: { label: 'Users', to: paths.admin, title: 'Admin' },
  videos: { label: 'Videos', to: paths.adminVideos, title: 'Videos, Admin' },
  activity: { label: 'Activity', to: paths.adminActivity, title: 'Activity, Admin' },
  engines: { label: 'Engines', to: paths.adminEngines, title: 'Engines, Admin' },
  status: { label: 'Status', to: paths.adminStatus, title: 'Status, Admin' },
};

interface AdminFrameProps {
  tab: keyof typeof tabs;
  aside?: ReactNode;
  children: ReactNode;
}

/** The admin's desk around each of its pages. The status tells of backups itself. */
export function AdminFrame({ tab, ...rest }: AdminFrameProps) {
  return (
    <WorkFrame
      name="Admin"
      tabs={Object.values(tabs).filter((one) => filmsAreHere || one !== tabs.engines)}
      current={tabs[tab]}
      notice={tab !== 'status' && <BackupNotice />}
      {...rest}
    />
  );
}

/** Tells administrators what their backups lack; nothing while they are well. */
function BackupNotice() {
  const { data } = useQuery(backupState);
  if (!data || data.is === 'fine' || data.is === 'unneeded') return null;
  const isHint = data.is === 'never';
  return (
    <aside className={isHint ? 'backup-notice' : 'backup-notice backup-notice-bad'} aria-label="Backup">
      <h2>{headings[data.is]}</h2>
      <p>
        <Explanation state={data} />
      </p>
    </aside>
  );
}

const headings = { never: 'No backup yet', late: 'The last backup is old', failed: 'The last backup failed' };

function Explanation({ state: { is, at, lastGoodAt, message } }: { state: BackupState }) {
  if (is === 'never') {
    return (
      <>
        If this disk fails, everything is lost. <code>npm run backup -- FOLDER</code> on the server keeps a copy of everything.
      </>
    );
  }
  const lastGood = lastGoodAt ? (
    <>
      The last good backup was made <LocalTime at={lastGoodAt} />.
    </>
  ) : (
    'No backup has succeeded so far.'
  );
  if (is === 'late') return lastGood;
  return (
    <>
      {at && <LocalTime at={at} />} <bdi>{message}</bdi> {lastGood}
    </>
  );
}

/** How the archive stands with its backups. */
export const backupState = queryOptions({
  queryKey: ['backup'],
  queryFn: ({ signal }) => call('backupState', {}, { signal }),
  staleTime: 60_000,
});
