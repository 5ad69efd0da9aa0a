import type { Appearances, Correction, CorrectionTarget } from './corrections.ts';
import { clearestTrackOf, type FaceGroup, type FaceTrack, findFaceGroup, isSameTrack, nameUnknownFace } from './faces.ts';
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
  /** The correction by which it is of one person with appearances of other groups, named or not. */
  together?: Correction['id'] | undefined;
  /** The correction that told it from the rest of its group. */
  apart?: Correction['id'];
}

/**
 * Gives faces the names that people gave them, the last one each, and tells which of those corrections find none. A name is found again
 * appearance by appearance, so that it is kept where another look at the film divides a group or puts two into one; what is new in a group has the
 * name that all of it was given. Groups that a person put together are one face. Faces are in the order of their groups; names of the others count from the group that is seen longest.
 */
export function nameFaces(
  groups: readonly FaceGroup[],
  corrections: readonly Correction[],
): { faces: NamedFace[]; unfitting: Correction['id'][] } {
  const owned = groups.map(({ tracks }) => tracks.map((track): Owned => ({ track })));
  const unfitting: Correction['id'][] = [];
  for (const { id, target, says, undone } of corrections) {
    if (target.kind !== 'Person' || undone) continue;
    const found = findAppearances(groups, owned, target);
    const isWhole = target.appearances?.isWhole ?? true;
    if (says === null) {
      const others = owned.flat().filter(isOneOf(target.appearances?.others ?? []));
      if (found.length === 0 || others.length === 0) unfitting.push(id);
      else for (const one of [...found, ...others]) one.together = id;
      continue;
    }
    for (const one of found) {
      [one.name, one.isOfWhole] = [says || null, isWhole];
      // An appearance split off from a group follows neither its merges nor its later names, and the group not those of the appearance.
      if (!isWhole) [one.together, one.apart] = [undefined, id];
    }
    if (found.length === 0) unfitting.push(id);
  }
  const parts = groups.flatMap((group, n) => partsOf(group, withInherited(owned[n] ?? [])).map((part) => ({ ...part, n })));
  let next = groups.length;
  const faces = joinParts(parts).map(({ face, name, isMain, n }) => {
    if (name !== null) return { ...face, name, isNamed: true };
    return { ...face, name: nameUnknownFace(isMain ? n : next++), isNamed: false };
  });
  return { faces, unfitting };
}

const isOneOf =
  (tracks: readonly FaceTrack[]) =>
  ({ track }: Owned) =>
    tracks.some((one) => isSameTrack(one, track));

/** Those that a name was given to; where none of them is found again, the group that was seen most clearly there. */
function findAppearances(
  groups: readonly FaceGroup[],
  owned: readonly Owned[][],
  { startMs, place, appearances }: Extract<CorrectionTarget, { kind: 'Person' }>,
): Owned[] {
  const found = owned.flat().filter(isOneOf(appearances?.tracks ?? []));
  if (found.length > 0 || appearances?.isWhole === false) return found;
  return owned[findFaceGroup(groups, { atMs: startMs, place })] ?? [];
}

/** Appearances that nobody told from their group take the name given to all of it, and follow its merges; of several, those of whom is seen longest. */
function withInherited(owned: readonly Owned[]): Owned[] {
  const rest = owned.filter(({ apart }) => apart === undefined);
  const name = chooseLongestSeen(rest.flatMap((one) => (one.name !== undefined && one.isOfWhole ? [{ ...one, of: one.name }] : [])));
  const together = chooseLongestSeen(rest.flatMap((one) => (one.together === undefined ? [] : [{ ...one, of: one.together }])));
  return owned.map((one) => {
    if (one.name !== undefined) return one;
    return { ...one, name: name ?? null, together: one.together ?? together };
  });
}

function chooseLongestSeen<T>(all: readonly { readonly track: FaceTrack; readonly of: T }[]): T | undefined {
  const seenMs = new Map<T, number>();
  for (const { track, of } of all) seenMs.set(of, (seenMs.get(of) ?? 0) + track.endMs - track.startMs);
  const [[most] = []] = [...seenMs].toSorted(([, a], [, b]) => b - a);
  return most;
}

interface Part {
  readonly face: FaceGroup;
  readonly name: string | null;
  /** Whether it has the clearest sighting of its group. */
  readonly isMain: boolean;
  readonly together: Correction['id'] | undefined;
}

/** A group as it is, or in as many parts as it has names and people told nameless ones from the rest; the part with its clearest sighting comes first. */
function partsOf(group: FaceGroup, owned: readonly Owned[]): Part[] {
  const byPerson = [...Map.groupBy(owned, personOf).values()];
  const partOf = (of: readonly Owned[], rest: Pick<Part, 'face' | 'isMain'>): Part => ({
    ...rest,
    name: of[0]?.name ?? null,
    together: of.find(({ together }) => together !== undefined)?.together,
  });
  if (byPerson.length < 2) return [partOf(owned, { face: group, isMain: true })];
  const clearest = clearestTrackOf(group);
  const parts = byPerson.map((of) => {
    const tracks = of.map(({ track }) => track);
    const isMain = tracks.some((track) => track === clearest);
    const { alike: _, ...rest } = group;
    return partOf(of, { isMain, face: isMain ? { ...group, tracks } : { ...rest, tracks, clearest: longestSightingIn(tracks) } });
  });
  return parts.toSorted((a, b) => Number(b.isMain) - Number(a.isMain));
}

function personOf({ name, together, apart }: Owned): string {
  return name ? `named ${name}` : `unknown ${together} ${apart}`;
}

/** Those that were put together are one face: the first of them, with the appearances of all. */
function joinParts<P extends Part>(parts: readonly P[]): P[] {
  const first = new Map<string, number>();
  const faces: P[] = [];
  for (const part of parts) {
    const key = `${part.together} ${part.name}`;
    const at = part.together === undefined ? undefined : first.get(key);
    const before = at === undefined ? undefined : faces[at];
    if (at === undefined || !before) first.set(key, faces.push(part) - 1);
    else faces[at] = { ...before, face: joinFaces(before.face, part.face) };
  }
  return faces;
}

function joinFaces(one: FaceGroup, other: FaceGroup): FaceGroup {
  const alike = [...(one.alike ?? []), ...(other.alike ?? [])].toSorted((a, b) => b.percent - a.percent);
  const tracks = [...one.tracks, ...other.tracks].toSorted((a, b) => a.startMs - b.startMs);
  return { ...one, tracks, ...(alike.length > 0 ? { alike } : {}) };
}

/** Where the longest of some appearances begins. */
function longestSightingIn(tracks: readonly FaceTrack[]): FaceGroup['clearest'] {
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
        kind: 'Face' as const,
        startMs,
        endMs,
        text: name,
        source: 'machine' as const,
        confidencePercent,
        engine,
        review: 'corrected' as const,
      })),
    );
}
