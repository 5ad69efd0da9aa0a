import { useRef, useState } from 'react';
import { Link } from 'react-router';
import type { UnfoundQuery } from '#contract/unfound.ts';
import { dismissUnfound } from '#web/api/unfound.ts';
import { LocalTime } from '#web/components/text/local-time.tsx';
import { useFocusKeptNear } from '#web/components/use-focus-kept-near.ts';
import { paths } from '#web/paths.ts';
import { Button } from '#web/ui/button.tsx';
import { showToast } from '#web/ui/toast.tsx';

/** One search: how often it failed in which way, and the way to be done with it. */
export function UnfoundRow({ query: { text, foundNothing, openedNothing, lastAt } }: { query: UnfoundQuery }) {
  const [isBusy, setBusy] = useState(false);
  const row = useRef<HTMLTableRowElement>(null);
  useFocusKeptNear(row);
  // Not disabled meanwhile: the focus would be gone before the row is.
  const dismiss = async () => {
    if (isBusy) return;
    setBusy(true);
    try {
      await dismissUnfound(text);
      showToast(`Taken off the list until it fails again: ${text}`);
    } catch (error) {
      setBusy(false);
      showToast(error instanceof Error ? error.message : 'It was not taken off the list.', 'failed');
    }
  };
  return (
    <tr ref={row}>
      <td>
        <Link className="unfound-query" to={paths.search(text)}>
          <bdi>{text}</bdi>
        </Link>
      </td>
      <td>{foundNothing > 0 && <Times what="Found nothing" count={foundNothing} />}</td>
      <td>{openedNothing > 0 && <Times what="Opened nothing" count={openedNothing} />}</td>
      <td>
        <LocalTime at={lastAt} />
      </td>
      <td>
        <Button look="outline" size="small" aria-busy={isBusy || undefined} aria-label={`Done: ${text}`} onClick={() => void dismiss()}>
          Done
        </Button>
      </td>
    </tr>
  );
}

/** On a phone, where the table has no heads, it says what it counts. */
function Times({ what, count }: { what: string; count: number }) {
  return (
    <>
      <span className="unfound-what" aria-hidden="true">
        {what}{' '}
      </span>
      {count === 1 ? 'once' : `${count.toLocaleString('en')} times`}
    </>
  );
}
