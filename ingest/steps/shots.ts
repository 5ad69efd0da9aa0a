import { createReadStream } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { serverLimits } from '#contract/limits.ts';
import { writeFramePack } from '#domain/files/frame-pack.ts';
import { noteOtherPictures } from '#domain/videos/desk/poster.ts';
import { Change, ChangeFinder, greyPictures, picturesAround, type Stretch, shotsBetween, shotsOf } from '../analysis/find-shots.ts';
import { type Engine, EngineUsed, toEngineUsed } from '../engines/engine.ts';
import { fitInto, uprightSizeOf } from '../media/geometry.ts';
import type { VideoStream } from '../media/media-description.ts';
import { toPictureTrack } from '../media/media-plans.ts';
import { prepareOriginalInput } from '../original-input.ts';
import type { Step, StepContext, StepOutcome } from '../step.ts';
import { requireWhole } from '../whole-output.ts';
import { probe } from './probe.ts';
import { frameBox, listDrawn } from './stills.ts';

const ShotsResult = EngineUsed.extend({ shots: z.number().int() });
type ShotsResult = z.infer<typeof ShotsResult>;

/** What tells one shot from the next. */
export const shotFinderEngine: Engine = {
  name: 'Shots in small pictures',
  version: '1',
  licence: 'Apache-2.0',
  source: 'Rushes',
  goodAt: 'Cuts, and dissolves of up to two seconds: finds 59 of 60 within a fifth of a second, with no false ones.',
  models: [],
};

// To decode takes as long as it did for the stills.
const timeoutFactor = 4;

/** Finds where the film changes from one shot to the next, and draws a still of each shot. */
export const shots: Step<ShotsResult> = {
  name: 'shots',
  version: 2,
  needs: [probe],
  optional: true,
  class: 'understood',
  share: 6,
  Result: ShotsResult,
  run: findShots,
};

/** In pictures: what a worker that is cut off does again is five minutes of film at most. */
const stretchPictures = 3_000;
/** Pictures from one still that is drawn to the next: every shot holds two at least. */
const stillEvery = 3;
/** Drawn before a stretch: a multiple of whole seconds and of stills, and as far as the key frame may be from which on a file without an index can be entered. */
const lead = 120;

const StretchSeen = z.object({
  /** How many pictures of it there are: fewer where the film ends. */
  pictures: z.number().int(),
  changes: z.array(Change),
  /** One of each part of a shot that lies in it. */
  stills: z.array(z.object({ at: z.number().int(), jpegBase64: z.string() })),
});
type StretchSeen = z.infer<typeof StretchSeen>;

async function findShots(context: StepContext): Promise<StepOutcome<ShotsResult>> {
  const { description, durationInSeconds } = context.resultOf(probe);
  const { video } = description;
  if (!video) {
    await context.store.remove(context.video.keys.shotPack, 'The picture is gone.');
    return { is: 'skipped', reason: 'There is no picture.', layers: [] };
  }
  const stills: Still[] = [];
  const changes: Change[] = [];
  let pictures = 0;
  for (let from = 0; from < durationInSeconds * greyPictures.perSecond; from += stretchPictures) {
    const seen = await context.piece(`from ${from} by ${shotFinderEngine.version}`, StretchSeen, () => lookAtStretch(context, video, from));
    if (seen.pictures > 0) pictures = from + seen.pictures;
    changes.push(...seen.changes);
    stills.push(...(await writeStills(context, seen)));
  }
  const found = shotsOf(changes, pictures);
  const stillsMs = await keepStills(context, stills, found);
  const result = { shots: found.length, ...toEngineUsed(shotFinderEngine) };
  return { is: 'done', result, layers: [{ name: 'shots', startsMs: found.map(([from]) => msOf(from)), stillsMs }] };
}

/** Draws a stretch with what stands around it, finds its changes and the stills of what lies between them. */
async function lookAtStretch(context: StepContext, video: VideoStream, from: number): Promise<StretchSeen> {
  const { description, durationInSeconds } = context.resultOf(probe);
  const path = join(context.workFolder, 'grey.raw');
  const folder = join(context.workFolder, 'drawn');
  await mkdir(folder);
  const { width, height, perSecond } = greyPictures;
  const first = Math.max(0, from - lead);
  const stretch = { fromSeconds: first / perSecond, lengthSeconds: (from + stretchPictures + picturesAround.behind - first) / perSecond };
  const stills = { everySeconds: stillEvery / perSecond, ...fitInto(uprightSizeOf(video), frameBox), folder };
  const source = { ...toPictureTrack(video), startSeconds: description.startSeconds };
  // Where pictures can be entered only from far before, all that comes before is decoded as well.
  const untilSeconds = Math.min(durationInSeconds, stretch.fromSeconds + stretch.lengthSeconds);
  const input = await prepareOriginalInput(context, { durationInSeconds: untilSeconds, factor: timeoutFactor });
  const onSecond = (second: number) =>
    context.progress(Math.min(1, Math.max(from / perSecond, stretch.fromSeconds + second) / Math.max(1, durationInSeconds)));
  await context.tools.drawGrey({ ...input, onSecond }, { ...source, ...stretch, everySeconds: 1 / perSecond, width, height, path, stills });
  const finder = new ChangeFinder(first);
  let added = first;
  for await (const picture of picturesOf(path, width * height)) {
    finder.add(picture);
    added += 1;
  }
  const until = Math.min(from + stretchPictures, added);
  const changes = finder.changes([from, until]);
  const parts = until > from ? shotsBetween(changes, [from, until]) : [];
  const seen = { pictures: Math.max(0, until - from), changes, stills: await readStills(context, folder, { first, parts }) };
  await rm(folder, { recursive: true });
  return seen;
}

/** Of the stills that were drawn from a picture on, that nearest to the middle of each part. */
async function readStills(context: StepContext, folder: string, { first, parts }: { first: number; parts: readonly Stretch[] }) {
  const paths = await listDrawn(folder, 'still-');
  const stills = paths.map((path, n) => ({ at: first + n * stillEvery, path }));
  const chosen = nearestToMiddle(parts, stills).filter((still) => still !== undefined);
  const files = chosen.map(({ path }) => path);
  await requireWhole(files, context.workFolder);
  return await Promise.all(chosen.map(async ({ at, path }) => ({ at, jpegBase64: await readFile(path, 'base64') })));
}

interface Still {
  /** Its picture. */
  readonly at: number;
  readonly path: string;
}

/** Writes what was kept of a stretch where it takes no memory. */
async function writeStills(context: StepContext, { stills }: StretchSeen): Promise<Still[]> {
  return await Promise.all(
    stills.map(async ({ at, jpegBase64 }) => {
      const path = join(context.workFolder, `${at}.jpg`);
      await writeFile(path, jpegBase64, 'base64');
      return { at, path };
    }),
  );
}

/** For each stretch the still in it that is nearest to its middle, where there is one; both in order. */
function nearestToMiddle(stretches: readonly Stretch[], stills: readonly Still[]): (Still | undefined)[] {
  let n = 0;
  return stretches.map(([from, until]) => {
    const here: Still[] = [];
    for (let still = stills[n]; still && still.at < until; still = stills[++n]) if (still.at >= from) here.push(still);
    const off = ({ at }: Still) => Math.abs(at - (from + until) / 2);
    return here.reduce<Still | undefined>((best, still) => (best && off(best) <= off(still) ? best : still), undefined);
  });
}

/** Puts a still of each shot into the store; returns where each stands, in milliseconds. */
async function keepStills(context: StepContext, stills: readonly Still[], found: readonly Stretch[]): Promise<(number | null)[]> {
  const shortest = new Set(found.toSorted((a, b) => lengthOf(a) - lengthOf(b)).slice(0, serverLimits.shotStillsPerFilm));
  const chosen = nearestToMiddle(found, stills).map((still, n) => (shortest.has(found[n] ?? [0, 0]) ? still : undefined));
  const kept = chosen.filter((still) => still !== undefined);
  const key = context.video.keys.shotPack;
  if (kept.length === 0) await context.store.remove(key, 'No shot stills could be made.');
  else {
    const pack = join(context.workFolder, 'shots.pack');
    const [files, timesMs] = [kept.map(({ path }) => path), kept.map(({ at }) => msOf(at))];
    await writeFramePack(pack, files, timesMs);
    await context.store.put(key, { path: pack });
  }
  await noteOtherPictures(context.pool, context.video.id);
  return chosen.map((still) => (still ? msOf(still.at) : null));
}

function lengthOf([from, until]: Stretch): number {
  return until - from;
}

function msOf(picture: number): number {
  return Math.round((picture / greyPictures.perSecond) * 1_000);
}

/** Pieces of this length, in order; what is left over at the end is dropped. Others get a word in between. */
async function* picturesOf(path: string, bytes: number): AsyncGenerator<Uint8Array> {
  let left: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path, { highWaterMark: 64 * bytes })) {
    const all: Buffer = Buffer.concat([left, chunk]);
    const whole = all.length - (all.length % bytes);
    for (let at = 0; at < whole; at += bytes) yield all.subarray(at, at + bytes);
    left = all.subarray(whole);
  }
}
