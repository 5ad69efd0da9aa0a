import { publishVideo } from '#domain/videos/publish-video.ts';
import { uprightSizeOf } from '#ingest/media/geometry.ts';
import type { Step } from '#ingest/step.ts';
import { facts } from '#ingest/steps/facts.ts';
import { probe } from '#ingest/steps/probe.ts';
import { publish } from '#ingest/steps/publish.ts';

/** In the place of what makes a film watchable, which takes longer than most of what understands it: the film can be found, and not be played. */
export const publishAsItIs: Step = {
  ...publish,
  needs: [facts, probe],
  run: async ({ pool, video, resultOf }) => {
    const { description, durationInSeconds } = resultOf(probe);
    const size = description.video ? uprightSizeOf(description.video) : { width: null, height: null };
    const tracks = { hasVideo: description.video !== null, hasAudio: description.audio !== null };
    await publishVideo(pool, { videoId: video.id, durationInSeconds, streamingPreset: 'NoStreaming', ...size, ...tracks });
    return { is: 'done', result: {} };
  },
};
