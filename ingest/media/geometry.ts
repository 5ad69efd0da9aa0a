import type { VideoStream } from './media-description.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size of the picture as people see it: upright, with square pixels. */
export function uprightSize(video: VideoStream): Size {
  const width = Math.max(2, Math.round(video.width * video.pixelAspect));
  return video.rotation % 180 === 0 ? { width, height: video.height } : { width: video.height, height: width };
}

/** The largest even size of the same shape that fits into `box` and is no larger than `size`. */
export function fitInto(size: Size, box: Size): Size {
  const scale = Math.min(1, box.width / size.width, box.height / size.height);
  return { width: even(size.width * scale), height: even(size.height * scale) };
}

/** The even size of the same shape whose shorter side is `shortSide`. */
export function withShortSide(size: Size, shortSide: number): Size {
  const scale = shortSide / Math.min(size.width, size.height);
  return { width: even(size.width * scale), height: even(size.height * scale) };
}

function even(length: number): number {
  return Math.max(2, Math.round(length / 2) * 2);
}
