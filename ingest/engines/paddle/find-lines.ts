import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { RawPicture } from '../raw-pictures.ts';
import { type Box, planesOf } from './picture.ts';

/** Where lines of text stand in a picture, from top to bottom. */
export type FindLines = (picture: RawPicture) => Promise<Box[]>;

const longestSide = 736;
/** Small pictures are enlarged, twice at most. */
const smallSide = 640;
/** What the network divides both sides by. */
const sideStep = 32;
const normal = { mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225] } as const;
/** From which probability on a pixel belongs to a text, and how sure of them all it must be on average. */
const pixelMin = 0.3;
const lineMin = 0.55;
/** The network marks the middle of a line; the whole of it reaches further on all sides, by this times its area over its length around. */
const growth = 1.6;
const smallestPixels = 12;
/** Upright and slanted lines the recogniser cannot read. */
const tallest = 1.5;

/** The network that finds lines of text (DBNet), from its file. */
export async function openLineFinder(path: string, options: InferenceSession.SessionOptions): Promise<FindLines> {
  const session = await InferenceSession.create(path, options);
  const [input = '', output = ''] = [session.inputNames[0], session.outputNames[0]];
  return async (picture) => {
    const size = sizeToLookAt(picture);
    const box = { x: 0, y: 0, width: picture.width, height: picture.height };
    const planes = planesOf(picture, { box, size, normal });
    const found = await session.run({ [input]: new Tensor('float32', planes, [1, 3, size.height, size.width]) });
    const map = { values: found[output]?.data as Float32Array, ...size };
    const scale = { x: picture.width / size.width, y: picture.height / size.height };
    return linesIn(map)
      .map((line) => scaleToPicture(line, scale, picture))
      .filter((line) => line.height <= line.width * tallest)
      .sort((a, b) => a.y - b.y || a.x - b.x);
  };
}

/** How many times as large a picture is looked at, at most as large as the networks like it. */
export function enlargementOf({ width, height }: Pick<RawPicture, 'width' | 'height'>): number {
  return Math.max(1, Math.min(2, smallSide / Math.max(width, height)));
}

function sizeToLookAt({ width, height }: RawPicture): { width: number; height: number } {
  const scale = Math.min(enlargementOf({ width, height }), longestSide / Math.max(width, height));
  const side = (length: number) => Math.max(sideStep, Math.round((length * scale) / sideStep) * sideStep);
  return { width: side(width), height: side(height) };
}

interface ProbabilityMap {
  readonly values: Float32Array;
  readonly width: number;
  readonly height: number;
}

/** Every patch of pixels that are text together, grown to the whole line. */
function linesIn({ values, width, height }: ProbabilityMap): Box[] {
  const lines: Box[] = [];
  const isSeen = new Uint8Array(values.length);
  const patch = new Int32Array(values.length);
  for (let start = 0; start < values.length; start++) {
    if (isSeen[start] === 1 || (values[start] ?? 0) < pixelMin) continue;
    let [count, sum, left, right, top, bottom] = [1, 0, width, 0, height, 0];
    patch[0] = start;
    isSeen[start] = 1;
    for (let n = 0; n < count; n++) {
      const at = patch[n] ?? 0;
      const [x, y] = [at % width, Math.floor(at / width)];
      sum += values[at] ?? 0;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
      const beside = [x > 0 ? at - 1 : at, x < width - 1 ? at + 1 : at, y > 0 ? at - width : at, y < height - 1 ? at + width : at];
      for (const next of beside) {
        if (isSeen[next] === 1 || (values[next] ?? 0) < pixelMin) continue;
        isSeen[next] = 1;
        patch[count++] = next;
      }
    }
    const box = { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
    if (count >= smallestPixels && Math.min(box.width, box.height) >= 3 && sum / count >= lineMin) lines.push(growBox(box));
  }
  return lines;
}

function growBox({ x, y, width, height }: Box): Box {
  const by = (width * height * growth) / (2 * (width + height));
  return { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by };
}

/** In whole pixels of the picture, and within it. */
function scaleToPicture(box: Box, scale: { x: number; y: number }, { width, height }: RawPicture): Box {
  const x = Math.max(0, Math.floor(box.x * scale.x));
  const y = Math.max(0, Math.floor(box.y * scale.y));
  const right = Math.min(width, Math.ceil((box.x + box.width) * scale.x));
  const bottom = Math.min(height, Math.ceil((box.y + box.height) * scale.y));
  return { x, y, width: right - x, height: bottom - y };
}
