import { Announcement, announcePage } from '#web/components/announcement.tsx';
import { LoadMore } from '#web/components/load-more.tsx';
import { PageHeading } from '#web/components/page-heading.tsx';
import type { FoundVideo } from '#web/components/results/found-video.ts';
import type { FoundVideos } from '#web/components/use-found-videos.ts';
import { VideoGrid, VideoGridSkeleton } from '#web/components/video-grid.tsx';
import { MatchKey } from './match-key.tsx';
import type { Narrowing } from './narrowing.ts';

/** An empty query: everything, newest first. */
export function AllVideos({ found, shown, narrowing }: { found: FoundVideos; shown: FoundVideo[]; narrowing: Narrowing }) {
  return (
    <>
      <div className="results-head">
        <PageHeading page="search">Showing all videos</PageHeading>
      </div>
      <MatchKey found={found} shownCount={shown.length} narrowing={narrowing} />
      <Announcement text={announcePage(found)} />
      {found.isFirstLoading && <VideoGridSkeleton />}
      <VideoGrid videos={shown} />
      {!found.isFirstLoading && <LoadMore state={found.more} pageCount={found.pageCount} onLoad={found.load} />}
    </>
  );
}
