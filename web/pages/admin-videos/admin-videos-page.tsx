import { memo, useCallback, useDeferredValue, useMemo, useState, useSyncExternalStore } from 'react';
import { Link, useSearchParams } from 'react-router';
import { limits } from '#contract/limits.ts';
import { type Listed, listAllVideos } from '#web/api/video-listing.ts';
import { askAllVideos, retryVideo } from '#web/api/videos.ts';
import { AdminFrame } from '#web/components/frame/admin-frame.tsx';
import { nameCount } from '#web/components/text/count-wording.ts';
import { useLater } from '#web/components/use-later.ts';
import { Button, buttonClassFor } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import './admin-videos.css';
import { FrameImage } from '#web/components/frame-image.tsx';
import { SortHead } from '#web/components/table/sort-head.tsx';
import { TableGap } from '#web/components/table/table-gap.tsx';
import { useVisibleRows } from '#web/components/table/use-visible-rows.ts';
import { LocalTime } from '#web/components/text/local-time.tsx';
import { filmsAreHere } from '#web/page-settings.ts';
import { paths } from '#web/paths.ts';
import { showToast } from '#web/ui/toast.tsx';
import { arrangeVideos, type Column, readView, sortBy, type View, writeView } from './arrange-videos.ts';
import { type ListedVideo, toListedVideo } from './listed-video.ts';

/** Every video of the archive, whatever its state. */
export function AdminVideosPage() {
  const [listing] = useState(() => listAllVideos({ ask: askAllVideos, toRow: toListedVideo }));
  const listed = useSyncExternalStore(listing.subscribe, listing.current);
  const { view, type, leave, setView, untilGone } = useView();
  const videos = useArranged(listed.rows, view);
  const [retried, setRetried] = useState<ReadonlySet<string>>(new Set());
  const remember = useCallback((id: string) => setRetried((known) => new Set(known).add(id)), []);
  return (
    <AdminFrame tab="videos">
      <div className="table-head">
        <h2>Videos</h2>
        <span className="tag">{countInWords(listed, view.filter ? videos.length : null)}</span>
        <label className="table-search">
          <Icon name="search" size={16} />
          <input
            type="search"
            aria-label="Filter by name, id or state"
            placeholder="Name, id or “failed”"
            ref={untilGone}
            value={view.filter}
            onChange={(event) => type(event.target.value)}
            onBlur={leave}
          />
        </label>
        {filmsAreHere && (
          <Link className={buttonClassFor('outline')} to={paths.desk}>
            <Icon name="upload" size={16} />
            Add videos
          </Link>
        )}
      </div>
      {listed.state === 'failed' && <Stopped count={listed.rows.length} failure={listed.failure} onGoOn={listing.goOn} />}
      <VideosTable videos={videos} view={view} isWhole={listed.state === 'done'} retried={retried} onView={setView} onRetried={remember} />
      {view.filter !== '' && videos.length === 0 && listed.rows.length > 0 && (
        <p className="table-none">No videos match this name, id or state.</p>
      )}
      <Progress listed={listed} />
    </AdminFrame>
  );
}

/** The view of the address; the filter counts while it is typed, and the address follows. What is being typed stands over it. */
function useView() {
  const [params, setParams] = useSearchParams();
  const ofAddress = readView(params);
  const [typed, setTyped] = useState<string | null>(null);
  const later = useLater(limits.searchDebounceMs);
  const view = { ...ofAddress, filter: typed ?? ofAddress.filter };
  const setView = (next: View) => {
    later.cancel();
    setParams(writeView(next), { replace: true, preventScrollReset: true });
  };
  const type = (text: string) => {
    setTyped(text);
    later.begin(() => setView({ ...ofAddress, filter: text }));
  };
  const leave = () => {
    later.cancel();
    if (view.filter !== ofAddress.filter) setView(view);
    setTyped(null);
  };
  return { view, type, leave, setView, untilGone: later.ref };
}

/** Typing and scrolling go before sorting and filtering. */
function useArranged(rows: readonly ListedVideo[], { filter, sort, order }: View): ListedVideo[] {
  const wanted = useDeferredValue(filter);
  const known = useDeferredValue(rows);
  return useMemo(() => arrangeVideos(known, { filter: wanted, sort, order }), [known, wanted, sort, order]);
}

function Stopped({ count, failure, onGoOn }: { count: number; failure: string; onGoOn: () => void }) {
  return (
    <div className="note note-danger videos-stopped" role="alert">
      <Icon name="circle-alert" />
      <p>
        Fetching stopped after {nameCount(count, 'video')}. {failure}
      </p>
      <Button look="outline" size="small" onClick={onGoOn}>
        Try again
      </Button>
    </div>
  );
}

function Progress({ listed: { rows, state } }: { listed: Listed<ListedVideo> }) {
  return (
    <p className="videos-progress" role="status">
      {state === 'fetching' && (
        <>
          <Spinner />
          Fetching further pages
        </>
      )}
      {state === 'done' && (rows.length === 0 ? 'No videos yet.' : `All ${nameCount(rows.length, 'video')} listed`)}
    </p>
  );
}

/** `48 so far`, `1,284`, `3 of 1,284`. */
function countInWords({ rows, state }: Listed<ListedVideo>, found: number | null): string {
  const all = state === 'done' ? rows.length.toLocaleString('en') : `${rows.length.toLocaleString('en')} so far`;
  return found === null ? all : `${found.toLocaleString('en')} of ${all}`;
}

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
  /** Those that somebody here had tried again: a row is forgotten when it leaves the window. */
  retried: ReadonlySet<string>;
  onView: (view: View) => void;
  onRetried: (id: string) => void;
}

/** The table, of which only the rows in sight are drawn. */
function VideosTable({ videos, view, isWhole, retried, onView, onRetried }: VideosTableProps) {
  const idAt = useCallback((index: number) => videos[index]?.id ?? index, [videos]);
  const { rows, gapAfterPx, isScrolling, measure, body } = useVisibleRows(videos.length, estimateRowPx, idAt);
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
              <VideoRow
                key={video.id}
                video={video}
                index={index}
                isRetried={retried.has(video.id)}
                measure={measure}
                isPassing={isScrolling}
                onRetried={onRetried}
              />,
            ];
          })}
          <TableGap columns={heads.length} heightPx={gapAfterPx} />
        </tbody>
      </table>
    </div>
  );
}

/** Nearly every row is this high, as the style sheet has it: those that failed have more to say. */
function estimateRowPx(): number {
  return 58;
}

interface VideoRowProps {
  video: ListedVideo;
  /** Its place in the table. */
  index: number;
  isRetried: boolean;
  measure: (row: HTMLTableRowElement | null) => void;
  /** Rows that only pass by while somebody scrolls ask for no picture. */
  isPassing: boolean;
  onRetried: (id: string) => void;
}

const VideoRow = memo(function VideoRow({ video, index, isRetried, measure, isPassing, onRetried }: VideoRowProps) {
  return (
    <tr ref={measure} data-index={index} aria-rowindex={index + 2}>
      <td>
        <div className="videos-title">
          <Poster video={video} isPassing={isPassing} />
          <Name video={video} />
          {video.stateInWords && <span className="tag">{video.stateInWords}</span>}
        </div>
        {video.failure &&
          (isRetried ? (
            <p className="videos-failure">Waiting to be tried again</p>
          ) : (
            <Failed id={video.id} name={video.name} {...video.failure} onRetried={onRetried} />
          ))}
      </td>
      <td>
        <span className="tc videos-mark">{video.id}</span>
      </td>
      <td>{video.externalId ? <span className="tc videos-mark">{video.externalId}</span> : <span className="tc">–</span>}</td>
      <td>{video.created && <LocalTime at={video.created} />}</td>
      <td className="text-ink-2">{video.encoding || '–'}</td>
    </tr>
  );
});

function Name({ video }: { video: ListedVideo }) {
  if (video.stateInWords) {
    return (
      // What has the focus once there is nothing to retry any more.
      <span tabIndex={-1} title={video.name}>
        {video.name}
      </span>
    );
  }
  return (
    <Link to={paths.video(video.id)} title={video.name}>
      {video.name}
    </Link>
  );
}

/** Once it has been shown it stays, also while the row is scrolled past. */
function Poster({ video, isPassing }: { video: ListedVideo; isPassing: boolean }) {
  const [isWanted, setWanted] = useState(!isPassing);
  if (!isWanted && !isPassing) setWanted(true);
  return <span className="frame">{isWanted && <FrameImage videoId={video.id} thumbnailId={video.posterId} />}</span>;
}

interface FailedProps extends NonNullable<ListedVideo['failure']> {
  id: string;
  name: string;
  onRetried: (id: string) => void;
}

/** Why a film could not be ingested, when that was, what to do about it, and the way to try again. */
function Failed({ id, name, reason, at, advice, isWorthATry, onRetried }: FailedProps) {
  const [isAsking, setAsking] = useState(false);
  const retry = async () => {
    setAsking(true);
    try {
      await retryVideo(id);
      onRetried(id);
      showToast(`Trying again: ${name}`);
    } catch (error) {
      setAsking(false);
      showToast(error instanceof Error ? error.message : 'It could not be tried again.', 'failed');
    }
  };
  return (
    <div className="videos-failure">
      <p>{reason}</p>
      <p className="videos-advice">{advice}</p>
      {at && (
        <p>
          Failed <LocalTime at={at} />
        </p>
      )}
      {isWorthATry && (
        <Button look="outline" size="small" busy={isAsking} aria-label={`Retry: ${name}`} onClick={() => void retry()}>
          Retry
        </Button>
      )}
    </div>
  );
}
