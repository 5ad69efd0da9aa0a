import { z } from 'zod';
import { sha256Of } from '../files/sha256.ts';

/** Where something is in a picture: left, top, width and height in thousandths of the picture's. */
export const Place = z.tuple([z.number().int(), z.number().int(), z.number().int(), z.number().int()]).readonly();
export type Place = z.infer<typeof Place>;

/** A face in one picture of a film. Milliseconds from its start. */
export const Sighting = z.object({ atMs: z.number().int(), place: Place });
export type Sighting = z.infer<typeof Sighting>;

/** A face from where it comes into a shot until it leaves it. */
export const FaceTrack = z.object({
  startMs: z.number().int(),
  endMs: z.number().int(),
  /** Where it is from when on; the first at its start. */
  places: z.array(Sighting),
});
export type FaceTrack = z.infer<typeof FaceTrack>;

/** All that is seen of one person in a film, as far as a machine can tell. */
export const FaceGroup = z.object({
  /** Its clearest sighting: by it a person's name finds the group again when the film is looked at anew. */
  clearest: Sighting,
  confidencePercent: z.number().int(),
  engine: z.string(),
  tracks: z.array(FaceTrack),
  /** Faces of other films that it is alike, best first; only while people are recognised across films. */
  alike: z.array(z.object({ videoId: z.string(), mark: z.string(), percent: z.number().int() })).optional(),
});
export type FaceGroup = z.infer<typeof FaceGroup>;

/** The track that the clearest sighting of a group is of: where one ends just as another begins, the one that begins. Undefined where none is seen then. */
export function clearestTrackOf({ clearest: { atMs }, tracks }: Pick<FaceGroup, 'clearest' | 'tracks'>): FaceTrack | undefined {
  const [last] = tracks.filter(({ startMs, endMs }) => startMs <= atMs && atMs <= endMs).toSorted((a, b) => b.startMs - a.startMs);
  return last;
}

/** What the picture of a group is kept and asked for by: eight hexadecimal digits that tell when and where it was seen. */
export function faceMarkOf({ clearest }: Pick<FaceGroup, 'clearest'>): string {
  return sha256Of(JSON.stringify([clearest.atMs, clearest.place])).slice(0, 8);
}

/** What a group of faces is called until a person names it; `n` from 0. */
export function nameUnknownFace(n: number): string {
  return `Unknown ${n + 1}`;
}

/** How far apart two looks at a film may see the same, and how much of a face they share at least. */
const [nearMs, sharedMin] = [1_000, 0.3];

/** The number of the group that a sighting belongs to, -1 where none was there at that time. */
export function findFaceGroup(groups: readonly FaceGroup[], { atMs, place }: Sighting): number {
  const shared = groups.map(({ tracks }) =>
    Math.max(
      0,
      ...tracks
        .filter(({ startMs, endMs }) => startMs - nearMs <= atMs && atMs <= endMs + nearMs)
        .map((track) => overlapOf(placeAt(track, atMs + nearMs / 2), place)),
    ),
  );
  const most = Math.max(0, ...shared);
  return most < sharedMin ? -1 : shared.indexOf(most);
}

const nowhere: Place = [0, 0, 0, 0];

/** Whether two tracks, found by two looks at a film, are of one face: at some time both are in the same place. */
export function isSameTrack(one: FaceTrack, other: FaceTrack): boolean {
  const [fromMs, untilMs] = [Math.max(one.startMs, other.startMs), Math.min(one.endMs, other.endMs)];
  if (fromMs >= untilMs) return false;
  const movedMs = [...one.places, ...other.places].map(({ atMs }) => atMs).filter((atMs) => atMs > fromMs && atMs < untilMs);
  return [fromMs, ...movedMs].some((atMs) => overlapOf(placeAt(one, atMs), placeAt(other, atMs)) >= sharedMin);
}

function placeAt({ places }: FaceTrack, atMs: number): Place {
  return (places.findLast((one) => one.atMs <= atMs) ?? places[0])?.place ?? nowhere;
}

/** How much two places have in common: 0 for nothing, 1 where they are the same. */
export function overlapOf([left, top, width, height]: Place, [otherLeft, otherTop, otherWidth, otherHeight]: Place): number {
  const across = Math.min(left + width, otherLeft + otherWidth) - Math.max(left, otherLeft);
  const down = Math.min(top + height, otherTop + otherHeight) - Math.max(top, otherTop);
  if (across <= 0 || down <= 0) return 0;
  return (across * down) / (width * height + otherWidth * otherHeight - across * down);
}
