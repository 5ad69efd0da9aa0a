import { SortHead } from '#web/components/table/sort-head.tsx';
import { TableGap } from '#web/components/table/table-gap.tsx';
import { useVisibleRows } from '#web/components/table/use-visible-rows.ts';
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

interface VideosTableProps {
  videos: readonly ListedVideo[];
  view: View;
  /** Whether the rows are all there are; until then their number is not told. */
  isWhole: boolean;
  onView: (view: View) => void;
}

/** The table, of which only the rows in sight are drawn. */
export function VideosTable({ videos, view, isWhole, onView }: VideosTableProps) {
  const { rows, gapAfterPx, isScrolling, body } = useVisibleRows(videos.length, rowHeightPx);
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
              <SortHead key={column} order={view.sort === column ? view.order : undefined} onSort={() => onView(sortBy(view, column))}>
                {head}
              </SortHead>
            ))}
          </tr>
        </thead>
        <tbody {...body}>
          {rows.flatMap(({ index, gapPx }) => {
            const video = videos[index];
            if (!video) return [];
            return [
              <TableGap key={`gap ${index}`} columns={heads.length} heightPx={gapPx} />,
              <VideoRow key={video.id} video={video} index={index} isPassing={isScrolling} />,
            ];
          })}
          <TableGap columns={heads.length} heightPx={gapAfterPx} />
        </tbody>
      </table>
    </div>
  );
}

/** Every row is this high, as the style sheet has it, so that the place of each is known without drawing it. */
function rowHeightPx(): number {
  return 58;
}

/** Pressing the head of the column that the table is sorted by turns it round. */
function sortBy(view: View, sort: Column): View {
  const turned = view.order === 'asc' ? 'desc' : 'asc';
  return { ...view, sort, order: view.sort === sort ? turned : firstOrder(sort) };
}
