import { pageSettings } from '#web/page-settings.ts';

export function PracticeBanner() {
  if (!pageSettings.practice) return null;
  return (
    <aside className="practice" aria-label="Practice archive">
      <div className="wrap">This is a practice archive on this computer. Its films and its four people are made up.</div>
    </aside>
  );
}
