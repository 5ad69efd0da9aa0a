import type { FoundVideo } from './results/found-video.ts';
import { VideoCard } from './video-card.tsx';

/** Cards below the first screen load their pictures when they come near. */
const cardsOnFirstScreen = 8;

export function VideoGrid({ videos }: { videos: readonly FoundVideo[] }) {
  return (
    <ul className="video-grid">
      {videos.map((video, index) => (
        <li key={video.id}>
          <VideoCard video={video} lazy={index >= cardsOnFirstScreen} />
        </li>
      ))}
    </ul>
  );
}

export function VideoGridSkeleton() {
  return (
    <div className="video-grid after-a-moment" aria-hidden="true">
      {[64, 82, 70, 40, 74, 88, 78, 66].map((width) => (
        <div key={width}>
          <div className="frame skeleton" />
          <div className="skeleton skeleton-line mt-4 h-5" style={{ width: `${width}%` }} />
        </div>
      ))}
    </div>
  );
}
