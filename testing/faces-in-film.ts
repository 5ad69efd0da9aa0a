import { toVideoKeys } from '#domain/files/video-keys.ts';
import { type FaceGroup, faceMarkOf, type Place } from '#domain/moments/faces.ts';
import { publishLayers } from '#domain/videos/recompose-video.ts';
import type { Context } from '#server/context.ts';

/** A face that is seen for five seconds, in one place. */
export function seenFace(place: Place, startMs: number): FaceGroup {
  const track = { startMs, endMs: startMs + 5_000, places: [{ atMs: startMs, place }] };
  return { clearest: { atMs: startMs, place }, confidencePercent: 84, engine: 'an eye', tracks: [track] };
}

/** Has these faces found in a film, as the step that looks for them would, each with a picture that says its mark. */
export async function findFacesIn(
  { pool, store }: Pick<Context, 'pool' | 'store'>,
  id: string,
  groups: readonly FaceGroup[],
): Promise<void> {
  await publishLayers(pool, id, { madeBy: 'people', version: 1, layers: [{ name: 'faces', groups }] });
  for (const one of groups) await store.put(`${toVideoKeys(id).faces}/${faceMarkOf(one)}.jpg`, Buffer.from(faceMarkOf(one)));
}
