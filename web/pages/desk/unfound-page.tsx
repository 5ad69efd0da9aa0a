import { type InfiniteData, infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { PagedTable } from '#web/components/table/paged-table.tsx';
import { DeskFrame } from './desk-frame.tsx';
import './desk.css';
import './unfound.css';
import { useState } from 'react';
import { Link } from 'react-router';
import type { UnfoundPage as PageOfUnfound, UnfoundQuery } from '#contract/unfound.ts';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/query-client.ts';
import { keepFocusNear } from '#web/components/keep-focus-near.ts';
import { LocalTime } from '#web/components/text/local-time.tsx';
import { paths } from '#web/paths.ts';
import { Button } from '#web/ui/button.tsx';
import { showToast } from '#web/ui/toast.tsx';

const heads = [
  'Search',
  'Found nothing',
  'Opened nothing',
  'Last time',
  <span key="off" className="sr-only">
    Dismiss
  </span>,
];

/** Searches that failed visitors: what is missing from the archive, or is there under another word. */
export function UnfoundPage() {
  const pages = useInfiniteQuery(unfoundPages);
  const queries = pages.data?.pages.flatMap((page) => page.queries) ?? [];
  const unique = [...new Map(queries.map((query) => [query.text, query])).values()];
  const total = pages.data?.pages.at(-1)?.total ?? 0;
  return (
    <DeskFrame tab="unfound">
      <div className="table-head">
        <h2>Failed searches</h2>
        {pages.data && <span className="tag">{total.toLocaleString('en')}</span>}
      </div>
      <p className="desk-lead">
        Searches that found nothing, then those whose results were left unopened three times or more. Who searched is not recorded.
      </p>
      <PagedTable
        name="Failed searches"
        className="unfound-table"
        heads={heads}
        total={total}
        rows={unique.map((query) => <UnfoundRow key={query.text} query={query} />)}
        pages={pages}
        wording={{
          loading: 'Loading searches',
          failed: 'The searches could not be loaded.',
          none: 'No failed searches.',
          more: 'Show more searches',
        }}
      />
    </DeskFrame>
  );
}

/** One search: how often it failed in which way, and the way to be done with it. */
function UnfoundRow({ query: { text, foundNothing, openedNothing, lastAt } }: { query: UnfoundQuery }) {
  const [isBusy, setBusy] = useState(false);
  const dismiss = async () => {
    setBusy(true);
    try {
      await dismissUnfound(text);
      showToast(`Dismissed until it fails again: ${text}`);
    } catch (error) {
      setBusy(false);
      showToast(error instanceof Error ? error.message : 'It could not be dismissed. Try again.', 'failed');
    }
  };
  return (
    <tr ref={keepFocusNear}>
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
        <Button look="outline" size="small" busy={isBusy} aria-label={`Dismiss: ${text}`} onClick={() => void dismiss()}>
          Dismiss
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

const unfoundKey = ['unfound'] as const;

/** Queries that failed visitors, worst first. */
const unfoundPages = infiniteQueryOptions({
  queryKey: unfoundKey,
  queryFn: ({ pageParam, signal }) => call('listUnfound', { skip: String(pageParam) }, { signal }),
  initialPageParam: 0,
  // What was taken off meanwhile moved the rest up.
  getNextPageParam: ({ total }, pages) => {
    const listed = pages.reduce((sum, { queries }) => sum + queries.length, 0);
    return listed < total ? listed : undefined;
  },
  staleTime: 0,
  refetchOnWindowFocus: true,
});

/** Takes a query off the list, in the archive and then on the page. Throws when the archive did not do it. */
async function dismissUnfound(text: string): Promise<void> {
  await call('dismissUnfound', { text });
  // An answer that is on its way may still hold the query.
  await queryClient.cancelQueries({ queryKey: unfoundKey });
  queryClient.setQueryData(unfoundPages.queryKey, (data) => data && withoutQuery(data, text));
}

function withoutQuery(data: InfiniteData<PageOfUnfound>, text: string): InfiniteData<PageOfUnfound> {
  const pages = data.pages.map(({ queries, total }) => ({ queries: queries.filter((query) => query.text !== text), total: total - 1 }));
  return { ...data, pages };
}
