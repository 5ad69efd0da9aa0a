/*
 * The desk, where editors work: a page for each of its tabs, and those that one of them leads to. add-videos-page follows films by their stages.
 */
import type { ReactNode } from 'react';
import { WorkFrame } from '#web/components/frame/work-frame.tsx';
import { paths } from '#web/paths.ts';

const tabs = {
  add: { label: 'Add videos', to: paths.desk, title: 'Add videos, Desk' },
  films: { label: 'Videos', to: paths.deskFilms, title: 'Videos, Desk' },
  details: { label: 'Details', to: paths.deskDetails, title: 'Details, Desk' },
  brands: { label: 'Brands', to: paths.deskBrands, title: 'Brands, Desk' },
  unfound: { label: 'Failed searches', to: paths.deskUnfound, title: 'Failed searches, Desk' },
  keptBack: { label: 'Restricted', to: paths.deskKeptBack, title: 'Restricted, Desk' },
  deleted: { label: 'Deleted', to: paths.deskDeleted, title: 'Deleted, Desk' },
};

/** The editors' desk around each of its pages. */
export function DeskFrame({ tab, children }: { tab: keyof typeof tabs; children: ReactNode }) {
  return (
    <WorkFrame name="Desk" tabs={Object.values(tabs)} current={tabs[tab]}>
      {children}
    </WorkFrame>
  );
}
