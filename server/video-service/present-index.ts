import type { VideoIndex } from '#contract/video-service.ts';
import type { Moment } from '#domain/moments/moment.ts';
import { posterThumbnailId } from '#domain/tokens/thumbnail-ids.ts';
import type { Video } from '#domain/videos/video.ts';
import { emptyId } from './empty-id.ts';
import { presentInsights } from './present-insights.ts';
import type { Presenting } from './present-video.ts';
import { readsWords } from './reader.ts';
import { summarizeInsights } from './summarize-insights.ts';
import { writeIndexClock } from './write-index-clock.ts';
import { writeServiceDate } from './write-service-date.ts';

/**
 * The video service's index of one video: what is said, written and seen in it, for those who read words. `isSummarized`: with the
 * older summary beside it, which the service gives to those who ask.
 */
export function presentIndex(
  { video, moments, isSummarized }: { video: Video; moments: readonly Moment[]; isSummarized: boolean },
  { reader, secrets, accountId }: Presenting,
): VideoIndex {
  const duration = writeIndexClock(video.durationInSeconds * 1_000);
  const privacyMode = 'Private' as const;
  const thumbnailId = posterThumbnailId(secrets, video.id);
  return {
    accountId,
    id: video.id,
    state: video.state,
    privacyMode,
    partition: null,
    name: video.name,
    description: video.description,
    userName: video.owner ?? '',
    created: writeServiceDate(video.createdAt),
    isOwned: true,
    isEditable: false,
    isBase: true,
    durationInSeconds: Math.round(video.durationInSeconds),
    duration,
    summarizedInsights: isSummarized && readsWords(reader) ? summarizeInsights(video, moments, thumbnailId) : null,
    videos: [
      {
        accountId,
        id: video.id,
        state: video.state,
        privacyMode,
        moderationState: 'OK',
        reviewState: 'None',
        processingProgress: `${video.processingPercent}%`,
        failureCode: video.failureCode ?? 'None',
        failureMessage: video.failureMessage ?? '',
        externalId: null,
        externalUrl: null,
        metadata: null,
        insights: presentInsights(video, moments, reader),
        thumbnailId,
        width: video.width,
        height: video.height,
        publishedUrl: null,
        publishedProxyUrl: null,
        viewToken: null,
        detectSourceLanguage: false,
        languageAutoDetectMode: 'None',
        sourceLanguage: video.language,
        sourceLanguages: [video.language],
        language: video.language,
        languages: [video.language],
        indexingPreset: 'Default',
        streamingPreset: video.streamingPreset ?? 'NoStreaming',
        linguisticModelId: emptyId,
        personModelId: emptyId,
        isAdult: false,
        isSearchable: video.state === 'Processed',
      },
    ],
    videosRanges: [{ videoId: video.id, range: { start: '0:00:00', end: duration } }],
    social: { likedByUser: false, likes: 0, views: video.views },
  };
}
