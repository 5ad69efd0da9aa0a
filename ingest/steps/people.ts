import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { encodeJpeg } from '#domain/drawing/encode-jpeg.ts';
import { findErasures, withoutForgottenFaces } from '#domain/moments/erasures.ts';
import { type FaceGroup, type FaceTrack, faceMark, overlapOf, type Sighting } from '#domain/moments/faces.ts';
import { findShotStarts } from '#domain/moments/layers.ts';
import { type NumberedFace, recogniseFaces } from '#domain/videos/people/recognition.ts';
import { cutSquare } from '../engines/cut-square.ts';
import { checkModels, EngineUsed, engineUsed } from '../engines/engine.ts';
import { SeenFace } from '../engines/human-faces.ts';
import { faceEngine, modelPath } from '../engines/human-models.ts';
import { type RawPicture, readPictures } from '../engines/raw-pictures.ts';
import { drawStretch, lookAtFilm, type Seen } from '../look-at-film.ts';
import type { VideoStream } from '../media/media-description.ts';
import type { Step, StepContext, StepOutcome } from '../step.ts';
import { probe } from './probe.ts';
import { shots } from './shots.ts';

const PeopleResult = EngineUsed.extend({ groups: z.number().int() });
type PeopleResult = z.infer<typeof PeopleResult>;

const box = { width: 1_280, height: 1_280 };
/** Pictures are a second apart; half of that where shots are shorter than this, and so that a short film has ten. */
const shortShotSeconds = 4;
const [everySecondsMin, picturesMin] = [0.25, 10];
const child = join(import.meta.dirname, '..', 'engines', 'human-faces-child.ts');

/** Finds the people in a film by their faces: who they are nobody knows until an editor names them. What tells a face from others goes with the step, unless an administrator lets people be recognised across films: then it is kept of those who are named. */
export const people: Step<PeopleResult> = {
  name: 'people',
  version: 1,
  needs: [probe],
  follows: [shots],
  optional: true,
  class: 'understood',
  share: 16,
  Result: PeopleResult,
  run: findPeople,
};

async function findPeople(context: StepContext): Promise<StepOutcome<PeopleResult>> {
  const { description, durationInSeconds } = context.resultOf(probe);
  const { video } = description;
  if (!video) {
    await context.store.remove(context.video.keys.faces, 'The picture is gone.');
    return { is: 'skipped', reason: 'There is no picture.', layers: [] };
  }
  await checkModels(faceEngine);
  const shotStartsMs = await findShotStarts(context.pool, context.video.id);
  const models = { blazeface: modelPath('blazeface'), facemesh: modelPath('facemesh'), faceres: modelPath('faceres') };
  const pictures = await lookAtFilm(context, {
    video,
    box,
    Seen: z.array(SeenFace),
    everySeconds: ({ fromSeconds, lengthSeconds }) => {
      const untilMs = (fromSeconds + lengthSeconds) * 1_000;
      const shotsHere = shotStartsMs.filter((startMs) => startMs >= fromSeconds * 1_000 && startMs < untilMs).length;
      const every = Math.min(1, durationInSeconds / picturesMin) / (shotsHere * shortShotSeconds > lengthSeconds ? 2 : 1);
      return Math.max(everySecondsMin, every);
    },
    call: (drawn) => ({ file: child, job: { pictures: drawn, models }, doing: 'Looking for faces' }),
  });
  const { name, version } = faceEngine;
  const film = { shotStartsMs, endMs: Math.round(durationInSeconds * 1_000) };
  const found = groupFaces(pictures, film).map((group) => ({ ...group, engine: `${name} ${version}` }));
  // Also no picture is made of somebody who was forgotten.
  const kept = withoutForgottenFaces(found, await findErasures(context.pool, [context.video.id]));
  await keepPictures(context, video, kept);
  // Last, as drawing takes minutes: who is named meanwhile is known then, and nothing that is kept for them is taken for that of an older look.
  const groups = await recogniseFaces(context.pool, context.video.id, kept);
  return { is: 'done', result: { groups: groups.length, ...engineUsed(faceEngine) }, layers: [{ name: 'faces', groups }] };
}

const [pictureSide, pictureTimes] = [160, 1.8];

/** Puts a picture of each face into the store, and takes away those that were found before. */
async function keepPictures(context: StepContext, video: VideoStream, groups: readonly FaceGroup[]): Promise<void> {
  const folder = join(context.workFolder, 'faces');
  await mkdir(folder);
  for (const group of groups) {
    const stretch = { fromSeconds: group.clearest.atMs / 1_000, lengthSeconds: 1, everySeconds: 1 };
    const drawn = await drawStretch(context, { video, box, stretch });
    for await (const picture of readPictures(drawn)) await writeFile(join(folder, `${faceMark(group)}.jpg`), drawFace(picture, group));
    await rm(drawn.path);
  }
  await context.store.putFolder(context.video.keys.faces, { path: folder });
}

function drawFace(picture: RawPicture, { clearest }: FaceGroup): Buffer {
  const [left, top, width, height] = clearest.place;
  const [across, down] = [picture.width / 1_000, picture.height / 1_000];
  const side = Math.max(width * across, height * down) * pictureTimes;
  const square = { left: (left + width / 2) * across - side / 2, top: (top + height / 2) * down - side / 2, side };
  const cut = cutSquare(picture, square, pictureSide);
  const pixels = Buffer.alloc(pictureSide * pictureSide * 4);
  for (let n = 0; n < cut.length; n++) pixels[Math.floor(n / 3) * 4 + (n % 3)] = cut[n] ?? 0;
  return encodeJpeg(pixels, { width: pictureSide, height: pictureSide, quality: 85 });
}

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
const groupsMax = 200;

interface Film {
  readonly shotStartsMs: readonly number[];
  readonly endMs: number;
}

/** What is seen of people in a film, from the faces in its pictures: followed within shots, and told apart by how alike they are. */
function groupFaces(pictures: readonly Seen<readonly SeenFace[]>[], film: Film): Omit<NumberedFace, 'engine'>[] {
  const groups: Group[] = [];
  for (const track of followFaces(pictures, film).toSorted((a, b) => b.sightings - a.sightings)) joinGroup(groups, track);
  return groups
    .map(({ tracks, embedding }) => ({ tracks: tracks.toSorted((a, b) => a.startMs - b.startMs), clearest: clearestOf(tracks), embedding }))
    .filter(({ tracks, clearest }) => clearest.score >= certainMin || tracks.reduce((sum, { sightings }) => sum + sightings, 0) > 1)
    .toSorted((a, b) => seenMs(b.tracks) - seenMs(a.tracks))
    .slice(0, groupsMax)
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
  if (clearness(sighting) > clearness(track.clearest)) track.clearest = sighting;
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
function clearness({ score, place: [, , width, height] }: ScoredSighting): number {
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
    const alike = isSeenBeside ? 0 : alikeness(group.embedding, track.embedding);
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
function alikeness(one: Float32Array, other: Float32Array): number {
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
  return tracks.map(({ clearest }) => clearest).reduce((best, one) => (clearness(one) > clearness(best) ? one : best));
}

function seenMs(tracks: readonly FaceTrack[]): number {
  return tracks.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
}
