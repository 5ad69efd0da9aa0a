import { access, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { limits } from '#contract/limits.ts';
import type { Storyboard } from '#contract/video-service/storyboard.ts';
import { drawTitlePoster } from '#domain/drawing/title-poster.ts';
import { writeFramePack } from '#domain/files/frame-pack.ts';
import { findChosenPosterMs, noteOtherPictures, posterStep, showPoster, writePoster } from '#domain/videos/desk/poster.ts';
import { findFootage } from '#domain/videos/footage.ts';
import { planPoster } from '../media/choose-poster.ts';
import { fitInto, uprightSizeOf } from '../media/geometry.ts';
import type { VideoStream } from '../media/media-description.ts';
import { type StillsPlan, toPictureTrack } from '../media/media-plans.ts';
import { playsAsItIs } from '../media/plays-as-it-is.ts';
import { prepareOriginalInput, preparePassInput } from '../original-input.ts';
import type { Step, StepContext, StepOutcome } from '../step.ts';
import { makeRefusal } from '../step-failure.ts';
import type { DecodeReport } from '../tools/media-tools.ts';
import { requireWhole } from '../whole-output.ts';
import { type ProbeResult, probe } from './probe.ts';

export const StillsResult = z.object({
  /** None where there is only sound. */
  frames: z.number().int(),
  /** Whether every picture that was looked at could be decoded without complaint. */
  decodesCleanly: z.boolean(),
  /** Whether those were key frames alone. */
  fromKeyFrames: z.boolean().default(false),
});
export type StillsResult = z.infer<typeof StillsResult>;

/** Small frames and stills of shots are as large as fits into this. */
export const frameBox = { width: 320, height: 570 };
const posterBox = { width: 1_280, height: 1_280 };
const tileBox = { width: 160, height: 160 };
const tilesMax = 100;
const storyboardColumns = 10;
const candidatesMax = 24;
/** More pictures lost than one in a hundred, and the film is not worth keeping. */
const brokenShareMax = 0.01;
// It enters the film at a key frame; some have none but their first.
const posterFactor = 4;

/** Draws everything still from the film: small frames every two seconds, storyboard, poster. */
export const stills: Step<StillsResult> = {
  name: 'stills',
  version: 1,
  needs: [probe],
  optional: false,
  class: 'playable',
  share: 17,
  Result: StillsResult,
  run: drawStills,
};

async function drawStills(context: StepContext): Promise<StepOutcome<StillsResult>> {
  const probed = context.resultOf(probe);
  const { video } = probed.description;
  if (video) return { is: 'done', result: await drawFromPicture(context, probed, video) };
  const { framePack, storyboard, storyboardIndex } = context.video.keys;
  for (const key of [framePack, storyboard, storyboardIndex]) await context.store.remove(key, 'The picture is gone.');
  await noteOtherPictures(context.pool, context.video.id);
  await drawSoundPoster(context);
  return { is: 'done', result: { frames: 0, decodesCleanly: true, fromKeyFrames: false } };
}

/** A film that plays as it is waits for nothing but its key frames; all its pictures are looked at behind its back. */
async function drawFromPicture(context: StepContext, probed: ProbeResult, video: VideoStream): Promise<StillsResult> {
  const draw = (keyFramesOnly: boolean) => drawSmall(context, { probed, video, keyFramesOnly, withPoster: true });
  const quick = context.tools.drawsFromKeyFrames && playsAsItIs(probed) ? await draw(true) : undefined;
  const fromKeyFrames = quick?.report.clean === true;
  const { plan, frames, report } = fromKeyFrames ? quick : await draw(false);
  refuseBrokenPicture(report, { frames, packets: probed.scan.video?.packets ?? 0 });
  await keepSmall(context, plan);
  await keepPoster(context, plan);
  return { frames, decodesCleanly: report.clean, fromKeyFrames };
}

/** Draws small frames, storyboard, candidates for the poster and it, where it is wanted, into the work folder, in the place of those drawn before. */
export async function drawSmall(
  context: StepContext,
  { probed, video, keyFramesOnly, withPoster }: { probed: ProbeResult; video: VideoStream; keyFramesOnly: boolean; withPoster: boolean },
): Promise<{ plan: StillsPlan; frames: number; report: DecodeReport }> {
  const folder = join(context.workFolder, 'small');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  const poster = withPoster ? fitInto(uprightSizeOf(video), posterBox) : null;
  const plan = { ...planStills(folder, probed, video), keyFramesOnly, poster };
  const input = await preparePassInput(context, probed.durationInSeconds);
  const report = await context.tools.drawStills(input, plan);
  return { plan, report, frames: (await listDrawn(folder, 'frame-')).length };
}

/** Puts the small frames and the storyboard into the store. */
export async function keepSmall(context: StepContext, plan: StillsPlan): Promise<void> {
  const frames = await listDrawn(plan.folder, 'frame-');
  await requireWhole([...frames, join(plan.folder, 'storyboard.jpg')], context.workFolder);
  const pack = join(plan.folder, 'frames.pack');
  await writeFramePack(pack, frames);
  await context.store.put(context.video.keys.framePack, { path: pack });
  await noteOtherPictures(context.pool, context.video.id);
  await keepStoryboard(context, plan, frames.length);
}

function planStills(folder: string, probed: ProbeResult, video: VideoStream): Omit<StillsPlan, 'keyFramesOnly' | 'poster'> {
  const size = uprightSizeOf(video);
  const seconds = Math.max(probed.durationInSeconds, 0.1);
  const tileSeconds = limits.frameIntervalSeconds * Math.max(1, Math.ceil(seconds / tilesMax / limits.frameIntervalSeconds));
  const tiles = Math.min(tilesMax, Math.floor(seconds / tileSeconds) + 1);
  return {
    ...toPictureTrack(video),
    startSeconds: probed.description.startSeconds,
    frames: { everySeconds: limits.frameIntervalSeconds, ...fitInto(size, frameBox) },
    candidates: { everySeconds: Math.max(0.2, seconds / candidatesMax), ...fitInto(size, frameBox) },
    storyboard: {
      everySeconds: tileSeconds,
      ...fitInto(size, tileBox),
      columns: Math.min(storyboardColumns, tiles),
      rows: Math.ceil(tiles / storyboardColumns),
    },
    folder,
  };
}

function refuseBrokenPicture(report: DecodeReport, found: { frames: number; packets: number }): void {
  if (found.frames === 0) throw makeRefusal('unreadable_media', 'No frame of the video can be decoded.');
  if (report.brokenPackets <= found.packets * brokenShareMax) return;
  throw makeRefusal('unreadable_media', `The video is damaged: ${report.brokenPackets} of ${found.packets} frames cannot be decoded.`);
}

/** Only tiles that were drawn count, as many as there are small frames at their seconds: a picture may end before its film does. */
async function keepStoryboard(context: StepContext, plan: StillsPlan, frames: number): Promise<void> {
  const { columns, rows, width, height, everySeconds } = plan.storyboard;
  const count = Math.min(columns * rows, Math.floor(((frames - 1) * plan.frames.everySeconds) / everySeconds) + 1);
  const index: Storyboard = { columns, rows, count, tileWidth: width, tileHeight: height, intervalSeconds: everySeconds };
  const { keys } = context.video;
  await context.store.put(keys.storyboardIndex, Buffer.from(JSON.stringify(index)));
  await context.store.put(keys.storyboard, { path: join(plan.folder, 'storyboard.jpg') });
}

async function keepPoster(context: StepContext, plan: StillsPlan): Promise<void> {
  const [poster] = await listDrawn(plan.folder, 'poster');
  if (poster) await requireWhole([poster], context.workFolder);
  await context.store.put(context.video.keys.poster, { path: poster ?? (await chooseCandidate(plan)) });
}

/** A seek may miss in a file with a torn time line; the small picture is there all the same. */
async function chooseCandidate(plan: StillsPlan): Promise<string> {
  const atSeconds = (await planPoster(plan))?.atSeconds ?? 0;
  return (await listDrawn(plan.folder, 'candidate-'))[Math.round(atSeconds / plan.candidates.everySeconds)] ?? '';
}

interface PosterAt {
  readonly probed: ProbeResult;
  readonly video: VideoStream;
  readonly atSeconds: number;
  readonly path: string;
}

/** Draws one picture of the film as a poster; false where there is none: a seek may miss in a file with a torn time line. */
async function drawPosterAt(context: StepContext, { probed, video, atSeconds, path }: PosterAt): Promise<boolean> {
  const input = await prepareOriginalInput(context, { durationInSeconds: probed.durationInSeconds, factor: posterFactor });
  const at = { ...toPictureTrack(video), startSeconds: probed.description.startSeconds };
  await context.tools.drawPoster(input, { ...at, atSeconds, ...fitInto(uprightSizeOf(video), posterBox), path });
  return await access(path).then(
    () => true,
    () => false,
  );
}

/** The files of a folder whose names begin so, in order. */
export async function listDrawn(folder: string, prefix: string): Promise<string[]> {
  const names = await readdir(folder);
  return names
    .filter((name) => name.startsWith(prefix))
    .sort()
    .map((name) => join(folder, name));
}

/** Gives a recording without pictures a poster that shows its title, as it is by now: what came with it may have told another one since the work on it began. */
async function drawSoundPoster({ pool, store, video }: StepContext): Promise<void> {
  const { name } = (await findFootage(pool, video.id)) ?? video;
  await store.put(video.keys.poster, drawTitlePoster(name));
}

const PosterResult = z.object({ atMs: z.number().int() });
type PosterResult = z.infer<typeof PosterResult>;

/** Draws the second of a film that an editor chose to stand for it, beside the poster that the archive chose. */
export const poster: Step<PosterResult> = {
  name: posterStep,
  version: 1,
  needs: [probe, stills],
  optional: true,
  class: 'understood',
  share: 0,
  Result: PosterResult,
  run: drawChosen,
};

async function drawChosen(context: StepContext): Promise<StepOutcome<PosterResult>> {
  const { pool, store, video } = context;
  const probed = context.resultOf(probe);
  const picture = probed.description.video;
  for (;;) {
    const atMs = await findChosenPosterMs(pool, video.id);
    if (atMs === null || !picture) {
      await showPoster(pool, video.id, null);
      return { is: 'skipped', reason: 'The archive chose its poster.' };
    }
    const path = join(context.workFolder, 'chosen.jpg');
    if (!(await drawPosterAt(context, { probed, video: picture, atSeconds: atMs / 1_000, path }))) {
      // The one that is shown may be of a file that the film has no more.
      await writePoster(pool, video.id, null);
      throw makeRefusal('processing_failed', 'There is no frame at the time chosen for the poster. Choose another one.');
    }
    await requireWhole([path], context.workFolder);
    await store.put(video.keys.chosenPoster, { path });
    // Somebody may have chosen another one meanwhile.
    if (await showPoster(pool, video.id, atMs)) return { is: 'done', result: { atMs } };
  }
}
