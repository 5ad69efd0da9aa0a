import { limits } from '#contract/limits.ts';
import type { SearchItem } from '#contract/video-service/answers.ts';
import type { FoundVideo } from '#domain/search/search-request.ts';
import type { Secrets } from '#domain/tokens/secrets.ts';
import { frameThumbnailIds, makePosterThumbnailId, makeStillThumbnailIds } from '#domain/tokens/thumbnail-ids.ts';
import type { Video } from '#domain/videos/video.ts';
import { emptyId } from './empty-id.ts';
import { type AnswerForm, presentMatches } from './present-matches.ts';
import { type Reader, readsWords } from './reader.ts';
import { writeSearchClock } from './write-search-clock.ts';
import { writeServiceDate } from './write-service-date.ts';

/** For whom an answer is written, and what this archive calls itself and signs with. */
export interface Presenting {
  readonly reader: Reader;
  readonly secrets: Secrets;
  readonly accountId: string;
}

/** What was asked, and what it is answered by. */
export interface Asked {
  readonly texts: readonly string[];
  readonly form: AnswerForm;
}

/** A found video in the shape of the video service, as far as it is told to this reader. */
export function presentVideo(found: FoundVideo, asked: Asked, presenting: Presenting): SearchItem {
  const { video } = found;
  const { reader, secrets } = presenting;
  const frameId = video.hasVideo
    ? frameThumbnailIds(secrets, { videoId: video.id, caller: reader.callerId, version: video.picturesVersion })
    : undefined;
  return {
    ...presentForEverybody(video, presenting),
    ...(reader.reading === 'admin' ? presentForAdministrators(video) : { externalId: null, streamingPreset: null }),
    ...presentMatches(found, asked.form, { reader, frameId }),
    ...(found.lacks.length > 0 ? { lacks: [...found.lacks] } : {}),
    ...(found.isByMeaning && readsWords(reader) ? { byMeaning: true } : {}),
  };
}

type OfAdministrators = 'externalId' | 'streamingPreset' | 'created' | 'lastModified' | 'lastIndexed' | 'failureCode' | 'failureMessage';

function presentForEverybody(video: Video, { secrets, accountId }: Presenting): Omit<SearchItem, OfAdministrators | 'searchMatches'> {
  const isShown = video.state === 'Processed';
  return {
    accountId,
    id: video.id,
    partition: null,
    metadata: null,
    name: video.name,
    description: video.description,
    privacyMode: 'Private',
    userName: video.owner ?? '',
    isOwned: true,
    isBase: true,
    hasSourceVideoFile: video.origin === 'file',
    state: video.state,
    moderationState: 'OK',
    reviewState: 'None',
    isSearchable: isShown,
    processingProgress: `${video.processingPercent}%`,
    durationInSeconds: Math.round(video.durationInSeconds),
    thumbnailVideoId: video.id,
    thumbnailId: isShown ? makePosterThumbnailId(secrets, video.id, video.posterVersion) : emptyId,
    social: { likedByUser: false, likes: 0, views: video.views },
    isPlayable: (video.streamingPreset ?? 'NoStreaming') !== 'NoStreaming',
    ...(video.recordedAt ? { recorded: video.recordedAt } : {}),
    ...(isShown && video.hasVideo ? { stills: stillsOf(video, secrets) } : {}),
    ...(video.width && video.height ? { aspectRatio: video.width / video.height } : {}),
    indexingPreset: 'Default',
    sourceLanguage: video.language,
    sourceLanguages: [video.language],
    personModelId: emptyId,
  };
}

function presentForAdministrators(video: Video): Pick<SearchItem, OfAdministrators> {
  return {
    externalId: video.externalId,
    streamingPreset: video.streamingPreset,
    created: writeServiceDate(video.createdAt),
    lastModified: writeServiceDate(video.modifiedAt),
    lastIndexed: writeServiceDate(video.publishedAt ?? video.modifiedAt),
    ...(video.state === 'Failed' ? failureOf(video) : {}),
  };
}

function failureOf({ failureCode, failureMessage }: Video): Pick<SearchItem, 'failureCode' | 'failureMessage'> {
  return { ...(failureCode ? { failureCode } : {}), ...(failureMessage ? { failureMessage } : {}) };
}

/** Stills in equal steps over the whole film, none of them at its very first or last frame. */
function stillsOf(video: Video, secrets: Secrets): NonNullable<SearchItem['stills']> {
  const frameAt = (seconds: number) => Math.floor(seconds / limits.frameIntervalSeconds);
  const count = Math.min(limits.stillsPerCard, Math.max(1, frameAt(video.durationInSeconds)));
  const frames = Array.from({ length: count }, (_, n) => frameAt((video.durationInSeconds * (n + 0.5)) / count));
  const stillId = makeStillThumbnailIds(secrets, video.id, video.picturesVersion);
  return [...new Set(frames)].map((frame) => ({
    startTime: writeSearchClock(frame * limits.frameIntervalSeconds * 1_000),
    thumbnailId: stillId(frame),
  }));
}
