import { type PointerEvent, useState } from 'react';
import { Link } from 'react-router';
import { can } from '#contract/roles.ts';
import { useSession } from '#web/api/session.ts';
import { formatTimeCode } from '#web/components/text/time-code.ts';
import { filmsAreHere } from '#web/page-settings.ts';
import { paths } from '#web/paths.ts';
import { buttonClassFor } from '#web/ui/button.tsx';
import { FrameImage } from './frame-image.tsx';
import { citeByKey } from './results/citing.ts';
import type { Result } from './results/result.ts';
import { formatWholeMinutes } from './text/whole-minutes.ts';

/** Cards below the first screen load their pictures when they come near. */
const cardsOnFirstScreen = 8;

/** Videos by their pictures; `heading` is what their names are, one below what stands over them. */
export function VideoGrid({ videos, heading }: { videos: readonly Result[]; heading: 'h2' | 'h3' }) {
  return (
    <ul className="video-grid">
      {videos.map((video, index) => (
        <li key={video.id}>
          <VideoCard video={video} heading={heading} lazy={index >= cardsOnFirstScreen} />
        </li>
      ))}
    </ul>
  );
}

/** In the place of videos where the archive has none; who may add some is led there. */
export function NoVideosYet() {
  const session = useSession();
  const mayAdd = filmsAreHere && session.state === 'signed-in' && can(session.user.roles, 'edit');
  return (
    <div className="pb-18 text-ink-2">
      <p>No videos yet.</p>
      {mayAdd && (
        <Link className={`${buttonClassFor('primary')} mt-4`} to={paths.desk}>
          Add videos
        </Link>
      )}
    </div>
  );
}

export function VideoGridSkeleton() {
  return (
    <div className="video-grid after-a-moment" aria-hidden="true">
      {[64, 82, 70, 40, 74, 88, 78, 66].map((width) => (
        <div key={width}>
          <div className="frame skeleton" />
          <div className="skeleton mt-3 h-6.5 max-[47.5em]:mt-2.5" style={{ width: `${width}%` }} />
        </div>
      ))}
    </div>
  );
}

/** A video of the grid: a mouse that moves over its frame leafs through its stills. */
function VideoCard({ video, heading: Heading, lazy }: { video: Result; heading: 'h2' | 'h3'; lazy: boolean }) {
  const [scrub, setScrub] = useState<number | null>(null);
  const still = scrub === null ? undefined : video.stills[Math.min(video.stills.length - 1, Math.floor(scrub * video.stills.length))];
  const leaf = (event: PointerEvent) => {
    if (event.pointerType !== 'mouse' || video.stills.length === 0) return;
    const { left, width } = event.currentTarget.getBoundingClientRect();
    setScrub(Math.min(0.999, Math.max(0, (event.clientX - left) / width)));
  };
  return (
    <Link className="video-card" to={paths.video(video.id)} onKeyDown={(event) => citeByKey(event, { video })}>
      <div className={`frame ${video.isTall ? 'frame-tall' : ''}`} onPointerMove={leaf} onPointerLeave={() => setScrub(null)}>
        <FrameImage videoId={video.id} thumbnailId={still?.thumbnailId ?? video.posterId} lazy={lazy} />
        {still && scrub !== null ? (
          <ScrubMarks fraction={scrub} seconds={still.seconds} />
        ) : (
          <span className="frame-badge">{formatWholeMinutes(video.durationInSeconds)}</span>
        )}
      </div>
      <Heading>{video.name}</Heading>
    </Link>
  );
}

function ScrubMarks({ fraction, seconds }: { fraction: number; seconds: number }) {
  const left = `${fraction * 100}%`;
  return (
    <>
      <span className="frame-scrub">
        <i style={{ width: left }} />
      </span>
      <span className="frame-bubble" style={{ left: `clamp(34px, ${left}, calc(100% - 34px))` }}>
        {formatTimeCode(seconds)}
      </span>
    </>
  );
}
