import { limits } from '#contract/limits.ts';
import type { VideoIndex } from '#contract/video-service/answers.ts';
import { parseTimeCode } from '#web/components/text/time-code.ts';

/** Where a written text stands in the picture, as shares of its width and height, and while it does. */
export interface Outline {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly startInSeconds: number;
  readonly endInSeconds: number;
}

/** Where the written texts of a film stand, by what they say; those whose place is not known are missing. */
export function outlinesOfTexts({ insights, width, height }: VideoIndex['videos'][number]): ReadonlyMap<string, readonly Outline[]> {
  const outlines = new Map<string, Outline[]>();
  if (!width || !height) return outlines;
  for (const { text, instances, ...box } of insights.ocr ?? []) {
    if (box.width === 0 || box.height === 0) continue;
    const place = { left: box.left / width, top: box.top / height, width: box.width / width, height: box.height / height };
    const times = instances.map(({ start, end }) => ({ startInSeconds: parseTimeCode(start), endInSeconds: parseTimeCode(end) }));
    outlines.set(text, [...(outlines.get(text) ?? []), ...times.map((time) => ({ ...place, ...time }))]);
  }
  return outlines;
}

/** The outlines that another document asks for; undefined when it says nothing of the kind. */
export function readOutlines(said: unknown): readonly Outline[] | undefined {
  return Array.isArray(said) && said.length <= limits.outlinesMax && said.every(isOutline) ? said : undefined;
}

function isOutline(said: unknown): said is Outline {
  if (typeof said !== 'object' || said === null) return false;
  const shares: unknown[] = ['left', 'top', 'width', 'height'].map((name) => Reflect.get(said, name));
  const seconds: unknown[] = ['startInSeconds', 'endInSeconds'].map((name) => Reflect.get(said, name));
  const isShare = (value: unknown) => typeof value === 'number' && value >= 0 && value <= 1;
  return shares.every(isShare) && seconds.every(Number.isFinite);
}
