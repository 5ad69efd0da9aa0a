import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { errorMessage } from '#domain/db/error-message.ts';
import { publishVideo } from '#domain/videos/publish-video.ts';
import { failStep, findSteps, finishStep, recordProgress, startStep } from '#domain/videos/record-step.ts';
import { momentsOfFootageFacts } from './footage/footage-facts.ts';
import { readKeptSidecars } from './footage/sidecars.ts';
import type { IngestContext, StepContext } from './ingest-context.ts';
import { uprightSize } from './media/geometry.ts';
import { StepFailure } from './step-failure.ts';
import { ProbeResult, probe } from './steps/probe.ts';
import { makeRenditions, RenditionsResult } from './steps/renditions.ts';
import { drawSoundPoster, SoundPosterResult } from './steps/sound-poster.ts';
import { makeStills, StillsResult } from './steps/stills.ts';
import { momentsOfCaptions, readSpokenText, SubtitlesResult } from './steps/subtitles.ts';

/** How much of the whole work each step is, in percent, as the person who waits sees it. */
const shares = { probe: 3, stills: 17, renditions: 75, subtitles: 3, publish: 2 } as const;
type StepName = keyof typeof shares;

type Step<T> = { name: StepName; Result: z.ZodType<T>; run: (context: StepContext) => Promise<T>; message?: (result: T) => string | null };

/**
 * Takes footage from its original to a published video, step by step. A step that was done before, by this worker or by one that
 * died, is not done again; a step that was cut off begins anew and leaves the same result. With `longFromSeconds` it stops after the
 * first step where the film is that long: answers whether the video is published.
 */
export async function ingestVideo(
  context: IngestContext,
  footage: Pick<StepContext, 'video' | 'originalPath'>,
  { signal, longFromSeconds = Number.POSITIVE_INFINITY }: { signal: AbortSignal; longFromSeconds?: number | undefined },
): Promise<boolean> {
  const { video } = footage;
  const once = await stepRunner(context, footage, signal);
  const probed = await once({ name: 'probe', Result: ProbeResult, run: probe, message: (result) => result.damage });
  if (probed.durationInSeconds >= longFromSeconds) return false;
  const { video: picture, audio } = probed.description;
  const stills = picture
    ? await once({ name: 'stills', Result: StillsResult, run: (step) => makeStills(step, probed, picture) })
    : await once({ name: 'stills', Result: SoundPosterResult, run: drawSoundPoster });
  const renditions = await once({
    name: 'renditions',
    Result: RenditionsResult,
    run: (step) => makeRenditions(step, probed, stills.frames > 0 ? stills : null),
  });
  const { durationInSeconds } = renditions;
  const subtitles = await once({
    name: 'subtitles',
    Result: SubtitlesResult,
    run: (step) => readSpokenText(step, probed, durationInSeconds),
    message: (result) => result.warnings.join('; ') || null,
  });
  await once({
    name: 'publish',
    Result: RenditionsResult,
    run: async (step) => {
      const { facts } = await readKeptSidecars(step.store, video.keys.sidecars);
      const moments = [...(await momentsOfCaptions(step, subtitles, durationInSeconds)), ...momentsOfFootageFacts(facts)];
      const size = picture ? uprightSize(picture) : { width: null, height: null };
      const tracks = { hasVideo: picture !== null, hasAudio: audio !== null };
      await publishVideo(context.pool, { videoId: video.id, moments, ...renditions, ...size, ...tracks });
      return renditions;
    },
  });
  return true;
}

/** Runs steps in order, each at most once for a video, and keeps their state, result and progress. */
async function stepRunner(context: IngestContext, footage: Pick<StepContext, 'video' | 'originalPath'>, signal: AbortSignal) {
  const { pool, folder } = context;
  const { video } = footage;
  const records = new Map((await findSteps(pool, video.id)).map((record) => [record.step, record]));
  let percentBefore = 0;
  return async <T>({ name, Result, run, message }: Step<T>): Promise<T> => {
    signal.throwIfAborted();
    const offset = percentBefore;
    percentBefore += shares[name];
    const record = records.get(name);
    const earlier = record?.state === 'done' ? Result.safeParse(record.result) : undefined;
    if (earlier?.success) return earlier.data;
    await startStep(pool, video.id, name);
    await recordProgress(pool, video.id, { step: name, stepPercent: 0, videoPercent: offset });
    const workFolder = join(folder.work, `${video.id}-${name}`);
    await rm(workFolder, { recursive: true, force: true });
    await mkdir(workFolder, { recursive: true });
    const progress = throttled((share) =>
      recordProgress(pool, video.id, {
        step: name,
        stepPercent: Math.round(share * 100),
        videoPercent: Math.round(offset + share * shares[name]),
      }),
    );
    try {
      const result = await run({ ...context, ...footage, workFolder, signal, progress });
      await finishStep(pool, video.id, { step: name, result, message: message?.(result) ?? null });
      return result;
    } catch (error) {
      const code = error instanceof StepFailure && error.kind.is === 'try-again' ? error.kind.code : undefined;
      await failStep(pool, video.id, { step: name, message: errorMessage(error), ...(code ? { code } : {}) });
      throw error;
    } finally {
      await rm(workFolder, { recursive: true, force: true });
    }
  };
}

const progressEveryMs = 1_000;

/** Progress is written at most once a second; one that cannot be written is no loss. */
function throttled(write: (share: number) => Promise<void>): (share: number) => void {
  let lastMs = 0;
  return (share) => {
    const nowMs = Date.now();
    if (nowMs - lastMs < progressEveryMs) return;
    lastMs = nowMs;
    write(share).catch(() => {});
  };
}
