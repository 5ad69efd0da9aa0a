import { useThumbnailUrl } from '#web/api/thumbnails.ts';

interface FrameImageProps {
  videoId: string;
  thumbnailId: string | null;
  lazy?: boolean;
}

/** A frame of a video. While another one is loading the browser keeps the one before. */
export function FrameImage({ videoId, thumbnailId, lazy = false }: FrameImageProps) {
  const thumbnailUrl = useThumbnailUrl();
  const source = thumbnailId ? thumbnailUrl(videoId, thumbnailId) : undefined;
  if (!source) return null;
  return <img src={source} alt="" loading={lazy ? 'lazy' : 'eager'} decoding="async" draggable={false} />;
}
