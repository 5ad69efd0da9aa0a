import type { FoundVideos } from './use-found-videos.ts';

/** What a list has just done, for screen readers. */
export function Announcement({ text }: { text: string }) {
  return (
    <p className="sr-only" role="status">
      {text}
    </p>
  );
}

/** `First 12 videos`, `12 more videos`, `1 video`: what the last page brought. */
export function announcePage({
  isFirstLoading,
  pageCount,
  newest,
  more,
}: Pick<FoundVideos, 'isFirstLoading' | 'pageCount' | 'newest' | 'more'>): string {
  if (isFirstLoading) return 'Loading results';
  if (pageCount === 0) return '';
  const videos = newest === 1 ? 'video' : 'videos';
  if (pageCount > 1) return `${newest} more ${videos}`;
  return more === 'end' ? `${newest} ${videos}` : `First ${newest} ${videos}`;
}
