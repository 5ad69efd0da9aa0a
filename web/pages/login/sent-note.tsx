import { pageSettings } from '#web/page-settings.ts';
import { paths } from '#web/paths.ts';
import { Icon } from '#web/ui/icon.tsx';

/** Says that the link is on its way, and in a practice archive where it has gone. */
export function SentNote() {
  return (
    <>
      <p className="note note-ok" role="status">
        <Icon name="circle-check" />
        Thanks! We have sent you an email with your login link.
      </p>
      {pageSettings.practiceMailbox && (
        <p className="modal-fine">
          This practice archive keeps its e-mail on this computer:{' '}
          <a className="link" href={paths.practiceMailbox} target="_blank" rel="noreferrer">
            open the practice mailbox
          </a>
          .
        </p>
      )}
    </>
  );
}
