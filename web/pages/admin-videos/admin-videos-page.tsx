import { useDeferredValue, useMemo, useState, useSyncExternalStore } from 'react';
import { useSearchParams } from 'react-router';
import { limits } from '#contract/limits.ts';
import { type Listed, listAllVideos } from '#web/api/video-listing.ts';
import { askAllVideos } from '#web/api/videos.ts';
import { AdminFrame } from '#web/components/frame/admin-frame.tsx';
import { useLater } from '#web/components/use-later.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import './admin-videos.css';
import { arrangeVideos, readView, type View, writeView } from './arrange-videos.ts';
import { type ListedVideo, toListedVideo } from './listed-video.ts';
import { VideosTable } from './videos-table.tsx';

/** Every video of the archive, whatever its state. */
export function AdminVideosPage() {
  const [listing] = useState(() => listAllVideos({ ask: askAllVideos, toRow: toListedVideo }));
  const listed = useSyncExternalStore(listing.subscribe, listing.current);
  const { view, type, setView, untilGone } = useView();
  const videos = useArranged(listed.rows, view);
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
          />
        </label>
      </div>
      {listed.state === 'failed' && <Stopped count={listed.rows.length} failure={listed.failure} onGoOn={listing.goOn} />}
      <VideosTable videos={videos} view={view} isWhole={listed.state === 'done'} onView={setView} />
      {view.filter !== '' && videos.length === 0 && listed.rows.length > 0 && (
        <p className="table-none">No video has this in its name, ids or state.</p>
      )}
      <Progress listed={listed} />
    </AdminFrame>
  );
}

/** The view of the address; the filter counts while it is typed, and the address follows. */
function useView() {
  const [params, setParams] = useSearchParams();
  const ofAddress = readView(params);
  const [filter, setFilter] = useState(ofAddress.filter);
  const later = useLater(limits.searchDebounceMs);
  const view = { ...ofAddress, filter };
  const setView = (next: View) => {
    later.cancel();
    setParams(writeView(next), { replace: true, preventScrollReset: true });
  };
  const type = (text: string) => {
    setFilter(text);
    later.begin(() => setView({ ...ofAddress, filter: text }));
  };
  return { view, type, setView, untilGone: later.ref };
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
        Fetching stopped after {inWords(count)}. {failure}
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
      {state === 'done' && (rows.length === 0 ? 'No videos yet.' : `All ${inWords(rows.length)} listed`)}
    </p>
  );
}

/** `48 so far`, `1,284`, `3 of 1,284`. */
function countInWords({ rows, state }: Listed<ListedVideo>, found: number | null): string {
  const all = state === 'done' ? rows.length.toLocaleString('en') : `${rows.length.toLocaleString('en')} so far`;
  return found === null ? all : `${found.toLocaleString('en')} of ${all}`;
}

function inWords(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'video' : 'videos'}`;
}
