import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState } from 'react';
import { Icon } from '#web/ui/icon.tsx';
import { type Column, firstOrder, type View } from './arrange-videos.ts';
import type { ListedVideo } from './listed-video.ts';
import { VideoRow } from './video-row.tsx';

const heads: ReadonlyArray<{ column: Column; head: string }> = [
  { column: 'name', head: 'Name' },
  { column: 'id', head: 'Id' },
  { column: 'externalId', head: 'External Id' },
  { column: 'created', head: 'Created' },
  { column: 'encoding', head: 'Encoding' },
];

/** Every row is this high, so that the place of each is known without drawing it. */
const rowHeightPx = 58;

interface VideosTableProps {
  videos: readonly ListedVideo[];
  view: View;
  /** Whether the rows are all there are; until then their number is not told. */
  isWhole: boolean;
  onView: (view: View) => void;
}

/** The table, of which only the rows in sight are drawn. */
export function VideosTable({ videos, view, isWhole, onView }: VideosTableProps) {
  const { body, rows, before, after, isScrolling } = useRowsInSight(videos.length);
  return (
    <div className="videos-scroll">
      <table className="table videos-table" aria-label="Videos" aria-rowcount={isWhole ? videos.length + 1 : -1}>
        <colgroup>
          {heads.map(({ column }) => (
            <col key={column} className={`videos-${column}`} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {heads.map(({ column, head }) => (
              <SortHead key={column} column={column} head={head} view={view} onView={onView} />
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          <Gap heightPx={before} />
          {rows.map((index) => {
            const video = videos[index];
            return video && <VideoRow key={video.id} video={video} rowIndex={index + 2} isPassing={isScrolling} />;
          })}
          <Gap heightPx={after} />
        </tbody>
      </table>
    </div>
  );
}

/** Which rows the window shows, and how much room the others take before and after them. */
function useRowsInSight(count: number) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  // What stands above the table grows and shrinks: a notice, a practice banner, a wrapped heading.
  useLayoutEffect(() => {
    const measure = () => setTop((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY);
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    measure();
    return () => observer.disconnect();
  }, []);
  const virtualizer = useWindowVirtualizer({ count, estimateSize: () => rowHeightPx, scrollMargin: top, overscan: 8 });
  const inSight = virtualizer.getVirtualItems();
  const first = inSight[0]?.index ?? 0;
  const last = inSight.at(-1)?.index ?? -1;
  return {
    body,
    rows: inSight.map(({ index }) => index),
    before: first * rowHeightPx,
    after: (count - 1 - last) * rowHeightPx,
    isScrolling: virtualizer.isScrolling,
  };
}

function Gap({ heightPx }: { heightPx: number }) {
  if (heightPx <= 0) return null;
  return (
    <tr className="table-gap">
      <td colSpan={heads.length} style={{ height: heightPx }} />
    </tr>
  );
}

interface SortHeadProps {
  column: Column;
  head: string;
  view: View;
  onView: (view: View) => void;
}

function SortHead({ column, head, view, onView }: SortHeadProps) {
  const isSorted = view.sort === column;
  const next = isSorted ? (view.order === 'asc' ? 'desc' : 'asc') : firstOrder(column);
  return (
    <th scope="col" aria-sort={isSorted ? (view.order === 'asc' ? 'ascending' : 'descending') : undefined}>
      <button type="button" className="sort-button" onClick={() => onView({ ...view, sort: column, order: next })}>
        {head}
        {isSorted && <Icon name={view.order === 'asc' ? 'chevron-up' : 'chevron-down'} size={16} />}
      </button>
    </th>
  );
}
