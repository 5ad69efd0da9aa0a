import { pageSettings } from '#web/page-settings.ts';
import { paths } from '#web/paths.ts';

export function PracticeBanner() {
  if (!pageSettings.practice) return null;
  return (
    <aside className="practice" aria-label="Practice archive">
      <div className="wrap">
        This is a practice archive: it answers on this computer only, and four made-up people can sign in.{' '}
        {pageSettings.practiceMailbox && (
          <>
            Its e-mail lies in the <a href={paths.practiceMailbox}>practice mailbox</a>.
          </>
        )}
      </div>
    </aside>
  );
}
