import { z } from 'zod';
import { type PublishedFacts, publishVideo } from '#domain/videos/publish-video.ts';
import { uprightSizeOf } from '../media/geometry.ts';
import type { Step, StepContext } from '../step.ts';
import { captions } from './captions.ts';
import { facts } from './facts.ts';
import { probe } from './probe.ts';
import { renditions } from './renditions.ts';
import { stills } from './stills.ts';

const PublishResult = z.object({});

/** Opens the film to search and player, as soon as it can be played, has its poster, and what is said in it was read as far as it came with it. */
export const publish: Step<z.infer<typeof PublishResult>> = {
  name: 'publish',
  version: 1,
  needs: [facts, probe, stills, renditions, captions],
  optional: false,
  class: 'playable',
  share: 2,
  Result: PublishResult,
  run: async (context) => {
    await publishVideo(context.pool, playingFactsOf(context));
    return { is: 'done', result: {} };
  },
};

/** What is told of a film with its place among those that can be watched. */
export function playingFactsOf({ video, resultOf }: Pick<StepContext, 'video' | 'resultOf'>): PublishedFacts {
  const { video: picture, audio } = resultOf(probe).description;
  const size = picture ? uprightSizeOf(picture) : { width: null, height: null };
  const { durationInSeconds, streamingPreset } = resultOf(renditions);
  return { videoId: video.id, durationInSeconds, streamingPreset, ...size, hasVideo: picture !== null, hasAudio: audio !== null };
}
