import type { Appearances, Correction, CorrectionTarget } from './corrections.ts';
import { type FaceGroup, type FaceTrack, findFaceGroup, isSameTrack, unknownName } from './faces.ts';
import type { Moment } from './moment.ts';

/** Faces that are of one person, as far as machines and people said so: a group, or a part of one that a person told from the rest. */
export interface NamedFace extends FaceGroup {
  /** As a person named them; `Unknown 2` where nobody has. */
  readonly name: string;
  readonly isNamed: boolean;
}

/** Whose an appearance is: a name, or null where somebody said that it is not theirs for whom it was taken. */
interface Owned {
  readonly track: FaceTrack;
  name?: string | null;
  /** By a name that was given to all of a group. */
  isOfWhole?: boolean;
}

/**
 * Gives faces the names that people gave them, the last one each, and tells which of those corrections find none. A name is found again
 * appearance by appearance, so that it is kept where another look at the film divides a group or puts two into one; what is new in a group has the
 * name that all of it was given. Faces are in the order of their groups; names of the others count from the group that is seen longest.
 */
export function nameFaces(
  groups: readonly FaceGroup[],
  corrections: readonly Correction[],
): { faces: NamedFace[]; unfitting: Correction['id'][] } {
  const owned = groups.map(({ tracks }) => tracks.map((track): Owned => ({ track })));
  const unfitting: Correction['id'][] = [];
  for (const { id, target, says, undone } of corrections) {
    if (target.kind !== 'Person' || undone || says === null) continue;
    const found = findAppearances(groups, owned, target);
    for (const one of found) [one.name, one.isOfWhole] = [says || null, target.appearances?.isWhole ?? true];
    if (found.length === 0) unfitting.push(id);
  }
  const parts = groups.flatMap((group, n) => partsOf(group, withInherited(owned[n] ?? [])).map((part) => ({ ...part, n })));
  const numbers = new Map(parts.filter(({ isMain }) => isMain).map(({ n, face }) => [face, n]));
  let next = groups.length;
  const faces = parts.map(({ face, name }) => {
    if (name !== null) return { ...face, name, isNamed: true };
    return { ...face, name: unknownName(numbers.get(face) ?? next++), isNamed: false };
  });
  return { faces, unfitting };
}

/** Those that a name was given to; where none of them is found again, the group that was seen most clearly there. */
function findAppearances(
  groups: readonly FaceGroup[],
  owned: readonly Owned[][],
  { startMs, place, appearances }: Extract<CorrectionTarget, { kind: 'Person' }>,
): Owned[] {
  const isMeant = ({ track }: Owned) => appearances?.tracks.some((one) => isSameTrack(one, track)) ?? false;
  const found = owned.flat().filter(isMeant);
  if (found.length > 0 || appearances?.isWhole === false) return found;
  return owned[findFaceGroup(groups, { atMs: startMs, place })] ?? [];
}

/** What nobody spoke of has the name that all of its group was given: of several that which is seen longest. */
function withInherited(owned: readonly Owned[]): Owned[] {
  const seenMs = new Map<string | null, number>();
  for (const { track, name, isOfWhole } of owned)
    if (name !== undefined && isOfWhole) seenMs.set(name, (seenMs.get(name) ?? 0) + track.endMs - track.startMs);
  const [[most] = []] = [...seenMs].toSorted(([, a], [, b]) => b - a);
  return owned.map((one) => (one.name === undefined ? { ...one, name: most ?? null } : one));
}

/** A group as it is, or in as many parts as it has names; the part with its clearest sighting comes first. */
function partsOf(group: FaceGroup, owned: readonly Owned[]): { face: FaceGroup; name: string | null; isMain: boolean }[] {
  const { atMs } = group.clearest;
  const byName = Map.groupBy(owned, ({ name }) => name ?? null);
  if (byName.size < 2) return [{ face: group, name: owned[0]?.name ?? null, isMain: true }];
  const isClearest = ({ track: { startMs, endMs } }: Owned) => startMs <= atMs && atMs <= endMs;
  const parts = [...byName].map(([name, ofName]) => {
    const tracks = ofName.map(({ track }) => track);
    const isMain = ofName.some(isClearest);
    const { alike: _, ...rest } = group;
    return { name, isMain, face: isMain ? { ...group, tracks } : { ...rest, tracks, clearest: longestSighting(tracks) } };
  });
  return parts.toSorted((a, b) => Number(b.isMain) - Number(a.isMain));
}

/** Where the longest of some appearances begins. */
function longestSighting(tracks: readonly FaceTrack[]): FaceGroup['clearest'] {
  const [longest] = tracks.toSorted((a, b) => b.endMs - b.startMs - (a.endMs - a.startMs));
  return longest?.places[0] ?? { atMs: longest?.startMs ?? 0, place: [0, 0, 0, 0] };
}

/** Those of a face's appearances that a correction is about, as it keeps them; all of them where none are named. */
export function appearancesOf({ tracks }: Pick<FaceGroup, 'tracks'>, startsMs?: readonly number[]): Appearances {
  const meant = startsMs ? tracks.filter(({ startMs }) => startsMs.includes(startMs)) : tracks;
  return { tracks: meant, isWhole: meant.length === tracks.length };
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
