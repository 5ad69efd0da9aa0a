/*
 * What is seen picture by picture comes to who and what appears in a film, and from when to when.
 */
import { serverLimits } from '#contract/limits.ts';
import { type FaceTrack, overlapOf, type Sighting } from '#domain/moments/faces.ts';
import type { Moment } from '#domain/moments/moment.ts';
import type { NumberedFace } from '#domain/videos/people/recognition.ts';
import type { SeenFace } from '../engines/human-faces.ts';
import type { SeenThing } from '../engines/human-labels.ts';
import type { Seen } from '../look-at-film.ts';

/** How much a face overlaps with where it was in the picture before, and over how many pictures it may be out of sight. */
const [followedMin, lostPictures] = [0.2, 2];
/** A place is noted again when it has less than this in common with the one noted before. */
const movedBelow = 0.7;
/**
 * How alike two faces are, of 1, that are one person's: on real footage two pictures of one person are at 0.69 (0.59 for one in ten), and
 * 99 of 100 pairs of different people below 0.61. Rather two groups of one person than one of two.
 */
const alikeMin = 0.66;
/** A face that is seen in a single picture counts from this certainty on. */
const certainMin = 0.9;

interface Film {
  readonly shotStartsMs: readonly number[];
  readonly endMs: number;
}

/** What is seen of people in a film, from the faces in its pictures: followed within shots, and told apart by how alike they are. */
export function groupFaces(pictures: readonly Seen<readonly SeenFace[]>[], film: Film): Omit<NumberedFace, 'engine'>[] {
  const groups: Group[] = [];
  for (const track of followFaces(pictures, film).toSorted((a, b) => b.sightings - a.sightings)) joinGroup(groups, track);
  return groups
    .map(({ tracks, embedding }) => ({ tracks: tracks.toSorted((a, b) => a.startMs - b.startMs), clearest: clearestOf(tracks), embedding }))
    .filter(({ tracks, clearest }) => clearest.score >= certainMin || tracks.reduce((sum, { sightings }) => sum + sightings, 0) > 1)
    .toSorted((a, b) => seenMsOf(b.tracks) - seenMsOf(a.tracks))
    .slice(0, serverLimits.peoplePerFilmMax)
    .map(({ tracks, clearest: { atMs, place, score }, embedding }) => ({
      clearest: { atMs, place },
      confidencePercent: Math.round(score * 100),
      tracks: tracks.map(({ startMs, endMs, places }) => ({ startMs, endMs, places })),
      numbers: unitOf(embedding),
    }));
}

/** A sighting, and how sure it was. */
interface ScoredSighting extends Sighting {
  readonly score: number;
}

interface FollowedTrack extends FaceTrack {
  places: Sighting[];
  endMs: number;
  readonly shot: number;
  /** Empty until its face was told from others. */
  embedding: Float32Array;
  last: Sighting;
  clearest: ScoredSighting;
  sightings: number;
}

/** Every face from where it comes into a shot until it leaves it. */
function followFaces(pictures: readonly Seen<readonly SeenFace[]>[], { shotStartsMs, endMs }: Film): FollowedTrack[] {
  const tracks: FollowedTrack[] = [];
  for (const { atMs, lengthMs, seen } of pictures) {
    const shot = shotStartsMs.findLastIndex((startMs) => startMs <= atMs);
    const untilMs = Math.min(atMs + lengthMs, shotStartsMs[shot + 1] ?? endMs, endMs);
    const near = tracks.filter((track) => track.shot === shot && atMs - track.last.atMs <= (lostPictures + 0.5) * lengthMs);
    const free = new Set(near);
    for (const face of seen) {
      const nearest = [...free].toSorted((a, b) => overlapOf(b.last.place, face.place) - overlapOf(a.last.place, face.place))[0];
      const sighting = { atMs, place: face.place, score: face.score };
      if (nearest && overlapOf(nearest.last.place, face.place) >= followedMin) {
        free.delete(nearest);
        goOn(nearest, { sighting, face, untilMs });
      } else {
        tracks.push(begin({ sighting, face, untilMs, shot }));
      }
    }
  }
  return tracks;
}

interface NextSighting {
  readonly sighting: ScoredSighting;
  readonly face: SeenFace;
  readonly untilMs: number;
}

function begin({ sighting, face, untilMs, shot }: NextSighting & { shot: number }): FollowedTrack {
  const { atMs, place } = sighting;
  const times = { startMs: atMs, endMs: Math.max(untilMs, atMs + 1), places: [{ atMs, place }] };
  return { ...times, shot, embedding: numbersOf(face) ?? new Float32Array(), last: sighting, clearest: sighting, sightings: 1 };
}

function goOn(track: FollowedTrack, { sighting, face, untilMs }: NextSighting): void {
  const { atMs, place } = sighting;
  track.last = sighting;
  track.endMs = Math.max(track.endMs, untilMs);
  track.sightings++;
  if (overlapOf(track.places.at(-1)?.place ?? place, place) < movedBelow) track.places.push({ atMs, place });
  if (clearnessOf(sighting) > clearnessOf(track.clearest)) track.clearest = sighting;
  const numbers = numbersOf(face);
  if (numbers) track.embedding = numbers.map((value, n) => (track.embedding[n] ?? 0) + value);
}

/** The numbers that tell a face from others, of length 1 as a whole, so that each sighting counts as much. */
function numbersOf({ embedding }: SeenFace): Float32Array | undefined {
  if (embedding === null) return undefined;
  const numbers = Float32Array.from(Buffer.from(embedding, 'base64'));
  const length = Math.hypot(...numbers) || 1;
  return numbers.map((value) => value / length);
}

/** A large face that the finder was sure of shows a person best. */
function clearnessOf({ score, place: [, , width, height] }: ScoredSighting): number {
  return score * Math.sqrt(width * height);
}

interface Group {
  readonly tracks: FollowedTrack[];
  readonly embedding: Float32Array;
}

/** Adds a track to the group that it is most alike, or begins one. Whoever is seen twice at once is two people. */
function joinGroup(groups: Group[], track: FollowedTrack): void {
  let best: Group | undefined;
  let bestAlike = alikeMin;
  for (const group of groups) {
    const isSeenBeside = group.tracks.some(({ startMs, endMs }) => startMs < track.endMs && track.startMs < endMs);
    const alike = isSeenBeside ? 0 : alikenessOf(group.embedding, track.embedding);
    if (alike >= bestAlike) [best, bestAlike] = [group, alike];
  }
  if (!best) groups.push({ tracks: [track], embedding: track.embedding.slice() });
  else {
    best.tracks.push(track);
    for (const [n, value] of track.embedding.entries()) best.embedding[n] = (best.embedding[n] ?? 0) + value;
  }
}

/** The direction alone. */
function unitOf(embedding: Float32Array): number[] {
  const length = Math.hypot(...embedding) || 1;
  return Array.from(embedding, (value) => value / length);
}

/** The cosine of the angle between two directions. */
function alikenessOf(one: Float32Array, other: Float32Array): number {
  let [both, oneSquared, otherSquared] = [0, 0, 0];
  for (const [n, value] of one.entries()) {
    const otherValue = other[n] ?? 0;
    both += value * otherValue;
    oneSquared += value * value;
    otherSquared += otherValue * otherValue;
  }
  return both / (Math.sqrt(oneSquared * otherSquared) || 1);
}

function clearestOf(tracks: readonly FollowedTrack[]): ScoredSighting {
  return tracks.map(({ clearest }) => clearest).reduce((best, one) => (clearnessOf(one) > clearnessOf(best) ? one : best));
}

function seenMsOf(tracks: readonly FaceTrack[]): number {
  return tracks.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
}

/** One sighting at least has to be so sure, and each that counts so sure. */
const [sureMin, seenMin] = [0.55, 0.45];
/** What fills a picture from edge to edge is mostly something else: a sky of lights is no umbrella. */
const filledMax = 0.8;
/** Sightings so many pictures apart are one appearance. */
const joinedPictures = 3;

/** Appearances of things that were seen at least twice: once may be a trick of the light. */
export function joinThings(pictures: readonly Seen<readonly SeenThing[]>[], endMs: number): Omit<Moment, 'engine'>[] {
  const sightings = pictures.flatMap(({ atMs, lengthMs, seen }) =>
    seen.filter(({ score, place }) => score >= seenMin && !isFilledBy(place)).map((thing) => ({ ...thing, atMs, lengthMs })),
  );
  return [...Map.groupBy(sightings, ({ name }) => name)].flatMap(([text, all]) => {
    const isSure = all.some(({ score }) => score >= sureMin) && new Set(all.map(({ atMs }) => atMs)).size > 1;
    if (!isSure) return [];
    return appearancesOf(all).map(({ startMs, endMs: lastMs, score }) => ({
      kind: 'Annotations' as const,
      source: 'machine' as const,
      text,
      startMs,
      endMs: Math.min(lastMs, endMs),
      confidencePercent: Math.round(score * 100),
    }));
  });
}

interface Appearance {
  startMs: number;
  endMs: number;
  score: number;
}

function appearancesOf(sightings: readonly { atMs: number; lengthMs: number; score: number }[]): Appearance[] {
  const all: Appearance[] = [];
  for (const { atMs, lengthMs, score } of sightings) {
    const last = all.at(-1);
    if (last && atMs - last.endMs <= joinedPictures * lengthMs) {
      last.endMs = atMs + lengthMs;
      last.score = Math.max(last.score, score);
    } else all.push({ startMs: atMs, endMs: atMs + lengthMs, score });
  }
  return all;
}

const whole = [0, 0, 1_000, 1_000] as const;

function isFilledBy(place: SeenThing['place']): boolean {
  return overlapOf(place, whole) > filledMax;
}
