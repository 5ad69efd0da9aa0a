import { pageSettings } from '#web/page-settings.ts';

export function PracticeBanner() {
  if (!pageSettings.practice) return null;
  return (
    <aside className="practice" aria-label="Practice archive">
      <div className="wrap">This is a practice archive: it answers on this computer only, and four made-up people can sign in.</div>
    </aside>
  );
}
