import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { encodeJpeg } from '#domain/drawing/encode-jpeg.ts';
import { findErasures, withoutForgottenFaces } from '#domain/moments/erasures.ts';
import { type FaceGroup, faceMarkOf } from '#domain/moments/faces.ts';
import { findShotStarts } from '#domain/moments/layers.ts';
import { recogniseFaces } from '#domain/videos/people/recognition.ts';
import { groupFaces } from '../analysis/sightings.ts';
import { cutSquare } from '../engines/cut-square.ts';
import { checkModels, EngineUsed, toEngineUsed } from '../engines/engine.ts';
import { SeenFace } from '../engines/human-faces.ts';
import { faceEngine, toModelPath } from '../engines/human-models.ts';
import { type RawPicture, readPictures } from '../engines/raw-pictures.ts';
import { drawStretch, lookAtFilm } from '../look-at-film.ts';
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
  share: 12,
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
  const models = { blazeface: toModelPath('blazeface'), facemesh: toModelPath('facemesh'), faceres: toModelPath('faceres') };
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
  return { is: 'done', result: { groups: groups.length, ...toEngineUsed(faceEngine) }, layers: [{ name: 'faces', groups }] };
}

const [pictureSide, pictureTimes] = [160, 1.8];

/** Puts a picture of each face into the store, and takes away those that were found before. */
async function keepPictures(context: StepContext, video: VideoStream, groups: readonly FaceGroup[]): Promise<void> {
  const folder = join(context.workFolder, 'faces');
  await mkdir(folder);
  for (const group of groups) {
    const stretch = { fromSeconds: group.clearest.atMs / 1_000, lengthSeconds: 1, everySeconds: 1 };
    const drawn = await drawStretch(context, { video, box, stretch });
    for await (const picture of readPictures(drawn)) await writeFile(join(folder, `${faceMarkOf(group)}.jpg`), drawFace(picture, group));
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
