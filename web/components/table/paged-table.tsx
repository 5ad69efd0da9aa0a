/*
 * Tables and long lists: in pages here, of visible rows alone (use-visible-rows), with heads to sort by, and what stands there when they do not come.
 */
import type { ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { LoadFailed } from './load-failed.tsx';
import { type Failing, useFailure } from './use-failure.ts';

interface PagedTableProps {
  name: string;
  className: string;
  /** Heads of the columns. */
  heads: readonly ReactNode[];
  total: number;
  rows: ReactNode[];
  /** The state of an infinite query. */
  pages: Failing & {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage: () => unknown;
    refetch: () => Promise<unknown>;
  };
  wording: { loading: string; failed: string; none: string; more: string };
}

/** A table that grows page by page: what it says while it loads, when it fails, and when it holds nothing. */
export function PagedTable({ name, className, heads, total, rows, pages, wording }: PagedTableProps) {
  const { isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = pages;
  const failure = useFailure(pages);
  return (
    <>
      {isPending && !failure && <Spinner label={wording.loading} />}
      {rows.length > 0 && (
        <table className={`table ${className}`} aria-label={name} aria-rowcount={total + 1}>
          <thead>
            <tr>
              {heads.map((head, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns stay where they are
                <th key={place} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{rows}</tbody>
        </table>
      )}
      {failure && <LoadFailed says={`${wording.failed} ${failure.message}`} onRetry={refetch} />}
      {!isPending && !failure && total === 0 && <p className="table-none">{wording.none}</p>}
      {hasNextPage && (
        <div className="load-more">
          <Button look="outline" size="large" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {wording.more}
          </Button>
        </div>
      )}
    </>
  );
}
