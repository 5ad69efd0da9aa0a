/** What a list has just done, for screen readers. */
export function Announcement({ text }: { text: string }) {
  return (
    <p className="sr-only" role="status">
      {text}
    </p>
  );
}

/** `12 more videos`, `1 video`: what the last page brought. */
export function announcePage({
  isFirstLoading,
  pageCount,
  newest,
}: {
  isFirstLoading: boolean;
  pageCount: number;
  newest: number;
}): string {
  if (isFirstLoading) return 'Loading results';
  if (pageCount === 0) return '';
  const videos = newest === 1 ? 'video' : 'videos';
  return pageCount === 1 ? `${newest} ${videos}` : `${newest} more ${videos}`;
}
