import { readFileSync } from 'node:fs';
import { z } from 'zod';

const Place = z.object({ doc: z.string(), startSeconds: z.number().nullable() });
type Place = z.infer<typeof Place>;

/** Something that somebody looks for, and where it is. */
export const Need = z.object({
  set: z.string(),
  id: z.string(),
  query: z.string(),
  kind: z.string(),
  expect: Place,
  toleranceSeconds: z.number().nullable(),
  alsoAcceptable: z.array(Place).default([]),
});
export type Need = z.infer<typeof Need>;

/** What one page of an answer holds, as far as finding goes. Times in seconds, matches best first. */
export interface PageOfVideos {
  readonly doc: string;
  readonly matchSeconds: readonly number[];
}

export interface Finding {
  readonly first: boolean;
  readonly in12: boolean;
  readonly rightSecond: boolean;
  /** Place of the first right video, from 1; 0 when there is none. */
  readonly rank: number;
}

const matchesOfCard = 4;

/** The needs of a JSONL file by their sets; that of `transcript`, which most files are about, stands last. */
export function readNeedsBySet(file: string): Map<string, Need[]> {
  const needs = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => Need.parse(JSON.parse(line)));
  const bySet = Map.groupBy(needs, ({ set }) => set);
  const isLast = ([set]: readonly [string, Need[]]) => set === 'transcript';
  return new Map([...bySet].sort((a, b) => Number(isLast(a)) - Number(isLast(b))));
}

/** Whether an answer meets a need: the right video first, among the twelve, and with the right second on its card. */
export function judge(need: Need, page: readonly PageOfVideos[]): Finding {
  const places = [need.expect, ...need.alsoAcceptable];
  const docs = new Set(places.map(({ doc }) => doc));
  const rank = page.findIndex(({ doc }) => docs.has(doc)) + 1;
  const rightSecond = page.some((video) => places.some((place) => place.doc === video.doc && isNear(need, { place, video })));
  return { first: rank === 1, in12: rank > 0, rightSecond, rank };
}

function isNear({ toleranceSeconds }: Need, { place, video }: { place: Place; video: PageOfVideos }): boolean {
  const { startSeconds } = place;
  if (startSeconds === null || toleranceSeconds === null) return true;
  return video.matchSeconds.slice(0, matchesOfCard).some((second) => Math.abs(second - startSeconds) <= toleranceSeconds);
}
