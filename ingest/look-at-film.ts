import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { RawPictures } from './engines/raw-pictures.ts';
import { fitInto, type Size, uprightSizeOf } from './media/geometry.ts';
import type { VideoStream } from './media/media-description.ts';
import { toPictureTrack } from './media/media-plans.ts';
import { prepareOriginalInput } from './original-input.ts';
import type { StepContext } from './step.ts';
import { probe } from './steps/probe.ts';
import type { ChildCall } from './tools/run-child.ts';

/** How a recogniser looks at a film. */
interface Looking<T> {
  readonly video: VideoStream;
  /** Pictures are drawn as large as fits into this. */
  readonly box: Size;
  /** Seconds from one picture to the next in a stretch of the film. */
  readonly everySeconds: (stretch: Stretch) => number;
  /** What is done with the pictures of a stretch; it answers something of each. */
  readonly call: (pictures: RawPictures) => Omit<ChildCall<unknown>, 'Result'>;
  readonly Seen: z.ZodType<T>;
}

interface Stretch {
  readonly fromSeconds: number;
  readonly lengthSeconds: number;
}

/** What was seen in a picture, which stands for `lengthMs` from `atMs` on. */
export interface Seen<T> {
  readonly atMs: number;
  readonly lengthMs: number;
  readonly seen: T;
}

const stretchSeconds = 60;
/** A rest shorter than this is looked at with the stretch before it. */
const shortestSeconds = 5;
/** Recognisers share the machine with all that makes films playable. */
const timeoutFactor = 20;

/** Has a recogniser look at pictures of the whole film, in stretches, each once: one that was cut off goes on behind those that were done. */
export async function lookAtFilm<T>(context: StepContext, looking: Looking<T>): Promise<Seen<T>[]> {
  const { durationInSeconds } = context.resultOf(probe);
  const all: Seen<T>[] = [];
  for (const stretch of stretchesOf(durationInSeconds)) {
    const { fromSeconds, lengthSeconds } = stretch;
    const everySeconds = looking.everySeconds(stretch);
    const name = `${fromSeconds} +${lengthSeconds} every ${everySeconds}`;
    const seen = await context.piece(name, z.array(looking.Seen), () => lookAtStretch(context, looking, { ...stretch, everySeconds }));
    const lengthMs = Math.round(everySeconds * 1_000);
    all.push(...seen.map((one, n) => ({ atMs: Math.round((fromSeconds + n * everySeconds) * 1_000), lengthMs, seen: one })));
    context.progress((fromSeconds + lengthSeconds) / durationInSeconds);
  }
  return all;
}

function stretchesOf(durationInSeconds: number): Stretch[] {
  const count = Math.max(1, Math.ceil((durationInSeconds - shortestSeconds) / stretchSeconds));
  return Array.from({ length: count }, (_, n) => {
    const fromSeconds = n * stretchSeconds;
    return { fromSeconds, lengthSeconds: n === count - 1 ? durationInSeconds - fromSeconds : stretchSeconds };
  });
}

async function lookAtStretch<T>(context: StepContext, { video, box, call, Seen }: Looking<T>, stretch: PicturesOf): Promise<T[]> {
  const pictures = await drawStretch(context, { video, box, stretch });
  try {
    const { signal } = context;
    const timeoutMs = 60_000 + stretch.lengthSeconds * timeoutFactor * 1_000;
    return await context.runEngine({ path: pictures.path, timeoutMs, signal }, { ...call(pictures), Result: z.array(Seen) });
  } finally {
    await rm(pictures.path, { force: true });
  }
}

interface PicturesOf extends Stretch {
  readonly everySeconds: number;
}

/** Draws pictures of a stretch into a file of the step's scratch folder. */
export async function drawStretch(
  context: StepContext,
  { video, box, stretch }: { video: VideoStream; box: Size; stretch: PicturesOf },
): Promise<RawPictures> {
  const { startSeconds } = context.resultOf(probe).description;
  const pictures = { path: join(context.workFolder, `${stretch.fromSeconds}.rgb`), ...fitInto(uprightSizeOf(video), box) };
  const input = {
    ...(await prepareOriginalInput(context, { durationInSeconds: stretch.lengthSeconds, factor: timeoutFactor })),
    onSecond: undefined,
  };
  const track = { ...toPictureTrack(video), startSeconds };
  await context.tools.drawPictures(input, { ...track, ...stretch, ...pictures });
  return pictures;
}
