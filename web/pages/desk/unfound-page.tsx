import { useInfiniteQuery } from '@tanstack/react-query';
import { unfoundPages } from '#web/api/unfound.ts';
import { PagedTable } from '#web/components/table/paged-table.tsx';
import { DeskFrame } from './desk-frame.tsx';
import { UnfoundRow } from './unfound-row.tsx';
import './desk.css';
import './unfound.css';

const heads = [
  'Search',
  'Found nothing',
  'Opened nothing',
  'Last time',
  <span key="off" className="sr-only">
    Take off the list
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
        <h2>Unfound</h2>
        <span className="tag">{total.toLocaleString('en')}</span>
      </div>
      <p className="desk-lead">
        Searches that found nothing, and searches that found something of which nothing was opened. Who searched is not kept.
      </p>
      <PagedTable
        name="Unfound"
        className="unfound-table"
        heads={heads}
        total={total}
        rows={unique.map((query) => <UnfoundRow key={query.text} query={query} />)}
        pages={pages}
        wording={{
          loading: 'Loading searches',
          failed: 'The searches could not be read.',
          none: 'Everything that was searched for was found and opened.',
          more: 'Show more searches',
        }}
      />
    </DeskFrame>
  );
}
