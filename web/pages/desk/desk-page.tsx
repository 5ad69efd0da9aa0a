import { Link } from 'react-router';
import { Announcement, announcePage } from '#web/components/announcement.tsx';
import { FrameImage } from '#web/components/frame-image.tsx';
import type { Result } from '#web/components/results/result.ts';
import { LoadMore } from '#web/components/table/load-more.tsx';
import { wholeMinutes } from '#web/components/text/whole-minutes.ts';
import { useFoundVideos } from '#web/components/use-found-videos.ts';
import { paths } from '#web/paths.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import { DeskFrame } from './desk-frame.tsx';
import './desk.css';

/** Where editors work: the newest videos, and how footage comes in. */
export function DeskPage() {
  const found = useFoundVideos({ query: '' });
  const isEmpty = found.hasAnswer && found.videos.length === 0;
  return (
    <DeskFrame tab="newest">
      <div className="table-head">
        <h2>Newest videos</h2>
      </div>
      <p className="desk-lead">
        Footage is added on the machine that runs the archive: its operator calls{' '}
        <code className="font-mono text-small whitespace-nowrap">npm run import -- PATH</code>. Videos stand here as soon as they can be
        found.
      </p>
      <Announcement text={announcePage(found)} />
      {found.isFirstLoading && <Spinner label="Loading videos" />}
      {isEmpty && <p className="table-none">No videos yet.</p>}
      <ul className="desk-list">
        {found.videos.map((video) => (
          <NewVideo key={video.id} video={video} />
        ))}
      </ul>
      {!found.isFirstLoading && !isEmpty && <LoadMore state={found.more} pageCount={found.pageCount} onLoad={found.load} />}
    </DeskFrame>
  );
}

function NewVideo({ video }: { video: Result }) {
  return (
    <li>
      <Link to={paths.video(video.id)}>
        <span className="frame">
          <FrameImage videoId={video.id} thumbnailId={video.posterId} lazy />
        </span>
        <span className="desk-name">{video.name}</span>
        <span className="tc">{wholeMinutes(video.durationInSeconds)}</span>
      </Link>
    </li>
  );
}
