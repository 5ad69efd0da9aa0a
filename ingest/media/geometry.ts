import type { VideoStream } from './media-description.ts';

export interface RenditionSize extends Size {
  readonly name: string;
  readonly maxKilobitsPerSecond: number;
}

const rungs = [360, 720, 1_080] as const;
const shortSideMax = 2_160;
/** A rung this close below the source would cost an encode and save nobody anything. */
const worthwhileShare = 0.75;

/** Sizes to encode a picture in: its own, up to 2160 lines, and the usual smaller ones below it. */
export function chooseRenditionSizes(source: Size): RenditionSize[] {
  const top = Math.min(shortSideMax, Math.min(source.width, source.height));
  const shortSides = [...rungs.filter((rung) => rung <= top * worthwhileShare), top];
  return shortSides.map((shortSide) => {
    const size = withShortSide(source, shortSide);
    return { ...size, name: `${Math.min(size.width, size.height)}p`, maxKilobitsPerSecond: maxKilobitsPerSecondFor(size) };
  });
}

/** About what H.264 needs for a good picture: 5.5 Mbit/s at 1920 × 1080, less per pixel the more pixels there are. */
function maxKilobitsPerSecondFor(size: Size): number {
  const share = (size.width * size.height) / (1_920 * 1_080);
  return Math.round(Math.min(18_000, Math.max(300, 5_500 * share ** 0.8)));
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size of the picture as people see it: upright, with square pixels. */
export function uprightSizeOf(video: VideoStream): Size {
  const width = Math.max(2, Math.round(video.width * video.pixelAspect));
  return video.rotation % 180 === 0 ? { width, height: video.height } : { width: video.height, height: width };
}

/** The largest even size of the same shape that fits into `box` and is no larger than `size`. */
export function fitInto(size: Size, box: Size): Size {
  const scale = Math.min(1, box.width / size.width, box.height / size.height);
  return { width: toEven(size.width * scale), height: toEven(size.height * scale) };
}

/** The even size of the same shape whose shorter side is `shortSide`. */
function withShortSide(size: Size, shortSide: number): Size {
  const scale = shortSide / Math.min(size.width, size.height);
  return { width: toEven(size.width * scale), height: toEven(size.height * scale) };
}

function toEven(length: number): number {
  return Math.max(2, Math.round(length / 2) * 2);
}
