import { useContext } from 'react';
import { pageSettings } from '#web/page-settings.ts';
import { BehindContext } from '../behind.ts';

/** The document's title: the route's own, then the archive's name. */
export function PageTitle({ title }: { title: string }) {
  if (useContext(BehindContext)) return null;
  return <title>{`${title} — ${pageSettings.archive.name}`}</title>;
}
