import type { ReactNode } from 'react';
import { paths } from '#web/paths.ts';
import { BackupNotice } from './backup-notice.tsx';
import { WorkFrame } from './work-frame.tsx';

const tabs = {
  users: { label: 'Users', to: paths.admin, title: 'Admin' },
  videos: { label: 'Videos', to: paths.adminVideos, title: 'Videos, Admin' },
  activity: { label: 'Activity', to: paths.adminActivity, title: 'Activity, Admin' },
};

interface AdminFrameProps {
  tab: keyof typeof tabs;
  aside?: ReactNode;
  children: ReactNode;
}

/** The admin's desk around each of its pages. */
export function AdminFrame({ tab, ...rest }: AdminFrameProps) {
  return <WorkFrame name="Admin" tabs={Object.values(tabs)} current={tabs[tab]} notice={<BackupNotice />} {...rest} />;
}
