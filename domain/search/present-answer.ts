import { limits } from '#contract/limits.ts';
import type { SearchItem, SearchMatch, SearchResponse } from '#contract/video-service.ts';
import { signPageTime } from '../tokens/page-time.ts';
import type { Secrets } from '../tokens/secrets.ts';
import { frameThumbnailIds, type PictureIds, posterThumbnailId, stillThumbnailIds } from '../tokens/thumbnail-ids.ts';
import { clockText } from './clock-text.ts';
import type { MomentMatch } from './match/moment-match.ts';
import type { FoundVideo, SearchAnswer } from './search-request.ts';

/** For whom an answer is written. */
export interface Audience {
  readonly secrets: Secrets;
  readonly accountId: string;
  /** Only this caller opens the frames that the answer names. */
  readonly caller: string;
  readonly adminFields: boolean;
}

const emptyId = '00000000-0000-0000-0000-000000000000';

/** An answer in the shape of the video service. What only administrators may see is left out for everybody else. */
export function presentAnswer(
  { results, nextPage, searchedFor, nearest, arrangedAmong }: SearchAnswer,
  audience: Audience,
): SearchResponse {
  const { createdBefore, ...page } = nextPage;
  return {
    results: results.map((found) => presentVideo(found, audience)),
    nextPage: { ...page, ...(createdBefore ? anchorOf(createdBefore, audience) : {}) },
    ...(searchedFor ? { searchedFor } : {}),
    ...(nearest ? { nearest: [...nearest] } : {}),
    ...(arrangedAmong === undefined ? {} : { arrangedAmong }),
  };
}

/** The time that further pages send back, and the proof that it comes from here. */
function anchorOf(time: Date, { secrets }: Audience): Pick<SearchResponse['nextPage'], 'createdBefore' | 'createdBeforeSignature'> {
  const createdBefore = time.toISOString();
  return { createdBefore, createdBeforeSignature: signPageTime(secrets, createdBefore) };
}

function presentVideo({ video, matches, matchesTotal, withheld = 0, counts, lacks }: FoundVideo, audience: Audience): SearchItem {
  const isShown = video.state === 'Processed';
  const frameId = video.hasVideo ? frameThumbnailIds(audience.secrets, { videoId: video.id, caller: audience.caller }) : undefined;
  return {
    accountId: audience.accountId,
    id: video.id,
    partition: null,
    metadata: null,
    name: video.name,
    description: video.description,
    ...adminFields(video, audience),
    privacyMode: 'Private',
    userName: video.owner ?? '',
    isOwned: false,
    isBase: true,
    hasSourceVideoFile: video.origin === 'file',
    state: video.state,
    moderationState: 'OK',
    reviewState: 'None',
    isSearchable: isShown,
    processingProgress: `${video.processingPercent}%`,
    durationInSeconds: Math.round(video.durationInSeconds),
    thumbnailVideoId: video.id,
    thumbnailId: isShown ? posterThumbnailId(audience.secrets, video.id) : emptyId,
    social: { likedByUser: false, likes: 0, views: video.views },
    searchMatches: matches.map((match) => presentMatch(match, frameId)),
    searchMatchesTotal: matchesTotal,
    ...(withheld > 0 ? { searchMatchesWithheld: withheld } : {}),
    ...(matchesTotal > 0 ? { searchMatchCounts: { ...counts } } : {}),
    ...(lacks.length > 0 ? { lacks: [...lacks] } : {}),
    ...(video.recordedAt ? { recorded: video.recordedAt } : {}),
    ...(isShown && video.hasVideo ? { stills: stillsOf(video, audience) } : {}),
    ...(video.width && video.height ? { aspectRatio: video.width / video.height } : {}),
    indexingPreset: 'Default',
    sourceLanguage: video.language,
    sourceLanguages: [video.language],
    personModelId: emptyId,
  };
}

type Video = FoundVideo['video'];

function adminFields(
  video: Video,
  audience: Audience,
): Pick<SearchItem, 'externalId' | 'streamingPreset' | 'created' | 'lastModified' | 'lastIndexed' | 'failureMessage'> {
  if (!audience.adminFields) return { externalId: null, streamingPreset: null };
  return {
    externalId: video.externalId,
    streamingPreset: video.streamingPreset,
    created: dateText(video.createdAt),
    lastModified: dateText(video.modifiedAt),
    lastIndexed: dateText(video.publishedAt ?? video.modifiedAt),
    ...(video.state === 'Failed' && video.failureMessage ? { failureMessage: video.failureMessage } : {}),
  };
}

/** The service writes its dates with an offset. */
function dateText(date: Date): string {
  return date.toISOString().replace('Z', '+00:00');
}

/** Without `frameId` no frame can be named. */
function presentMatch(match: MomentMatch, frameId: PictureIds | undefined): SearchMatch {
  const [exactText = ''] = match.exactTexts.toSorted((a, b) => b.length - a.length);
  const exactTexts = [...new Set(match.exactTexts)];
  return {
    startTime: clockText(match.startMs),
    type: match.kind,
    text: match.text,
    exactText,
    ...(exactTexts.length > 1 ? { exactTexts } : {}),
    ...(match.videos === undefined ? {} : { videos: match.videos }),
    ...(frameId && match.isTimed ? { thumbnailId: frameId(frameAt(match.startMs / 1_000)) } : {}),
  };
}

/** Stills in equal steps over the whole film, none of them at its very first or last frame. */
function stillsOf(video: Video, { secrets }: Audience): NonNullable<SearchItem['stills']> {
  const count = Math.min(limits.stillsPerCard, Math.max(1, frameAt(video.durationInSeconds)));
  const frames = Array.from({ length: count }, (_, n) => frameAt((video.durationInSeconds * (n + 0.5)) / count));
  const stillId = stillThumbnailIds(secrets, video.id);
  return [...new Set(frames)].map((frame) => ({
    startTime: clockText(frame * limits.frameIntervalSeconds * 1_000),
    thumbnailId: stillId(frame),
  }));
}

function frameAt(seconds: number): number {
  return Math.floor(seconds / limits.frameIntervalSeconds);
}
