import { useState } from 'react';
import { useThumbnailUrl } from '#web/api/thumbnails.ts';

interface FrameImageProps {
  videoId: string;
  thumbnailId: string | null;
  lazy?: boolean;
}

/** A frame of a video. While another one is loading the browser keeps the one before; in place of one that does not come stands nothing. */
export function FrameImage({ videoId, thumbnailId, lazy = false }: FrameImageProps) {
  const thumbnailUrl = useThumbnailUrl();
  const source = thumbnailId ? thumbnailUrl(videoId, thumbnailId) : undefined;
  const [missing, setMissing] = useState<string>();
  if (!source || source === missing) return null;
  return (
    <img
      src={source}
      alt=""
      loading={lazy ? 'lazy' : 'eager'}
      decoding="async"
      draggable={false}
      // The browser would draw a mark of its own.
      onError={() => setMissing(source)}
    />
  );
}
