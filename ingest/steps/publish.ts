import { z } from 'zod';
import { publishVideo } from '#domain/videos/publish-video.ts';
import { uprightSize } from '../media/geometry.ts';
import type { Step } from '../step.ts';
import { captions } from './captions.ts';
import { facts } from './facts.ts';
import { probe } from './probe.ts';
import { renditions } from './renditions.ts';
import { stills } from './stills.ts';

const PublishResult = z.object({});

/** Opens the film to search and player, as soon as it can be played, has its poster, and what is said in it was read as far as it came with it. */
export const publish: Step<z.infer<typeof PublishResult>> = {
  ...{ name: 'publish', version: 1, needs: [facts, probe, stills, renditions, captions], optional: false, class: 'playable', share: 2 },
  Result: PublishResult,
  run: async ({ pool, video, resultOf }) => {
    const { video: picture, audio } = resultOf(probe).description;
    const size = picture ? uprightSize(picture) : { width: null, height: null };
    const tracks = { hasVideo: picture !== null, hasAudio: audio !== null };
    await publishVideo(pool, { videoId: video.id, ...resultOf(renditions), ...size, ...tracks });
    return { is: 'done', result: {} };
  },
};
