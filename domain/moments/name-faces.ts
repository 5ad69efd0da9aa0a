import type { Correction } from './corrections.ts';
import { type FaceGroup, findFaceGroup, unknownName } from './faces.ts';
import type { Moment } from './moment.ts';

/** A group of faces and whose it is. */
export interface NamedFace extends FaceGroup {
  /** As a person named them; `Unknown 2` where nobody has. */
  readonly name: string;
  readonly isNamed: boolean;
}

/**
 * Gives groups of faces the names that people gave them, the last one each, and tells which of those corrections find none. The names of
 * the others count from the group that is seen longest.
 */
export function nameFaces(
  groups: readonly FaceGroup[],
  corrections: readonly Correction[],
): { faces: NamedFace[]; unfitting: Correction['id'][] } {
  const faces: NamedFace[] = groups.map((group, n) => ({ ...group, name: unknownName(n), isNamed: false }));
  const unfitting: Correction['id'][] = [];
  for (const { id, target, says, undone } of corrections) {
    if (target.kind !== 'Person' || undone || says === null) continue;
    const n = findFaceGroup(groups, { atMs: target.startMs, place: target.place });
    const face = faces[n];
    if (face) faces[n] = { ...face, name: says, isNamed: true };
    else unfitting.push(id);
  }
  return { faces, unfitting };
}

/** When somebody whom a person named is seen. */
export function momentsOfFaces(faces: readonly NamedFace[]): Moment[] {
  return faces
    .filter(({ isNamed }) => isNamed)
    .flatMap(({ name, tracks, confidencePercent, engine }) =>
      tracks.map(({ startMs, endMs }) => ({
        ...{ kind: 'Face' as const, startMs, endMs, text: name },
        ...{ source: 'machine' as const, confidencePercent, engine, review: 'corrected' as const },
      })),
    );
}
