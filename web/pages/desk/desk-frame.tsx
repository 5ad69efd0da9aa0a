import type { ReactNode } from 'react';
import { WorkFrame } from '#web/components/frame/work-frame.tsx';
import { paths } from '#web/paths.ts';

const tabs = {
  add: { label: 'Add videos', to: paths.desk, title: 'Add videos, Desk' },
  films: { label: 'Films', to: paths.deskFilms, title: 'Films, Desk' },
  details: { label: 'Details', to: paths.deskDetails, title: 'Details, Desk' },
  brands: { label: 'Brands', to: paths.deskBrands, title: 'Brands, Desk' },
  unfound: { label: 'Unfound', to: paths.deskUnfound, title: 'Unfound, Desk' },
  keptBack: { label: 'Kept back', to: paths.deskKeptBack, title: 'Kept back, Desk' },
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
