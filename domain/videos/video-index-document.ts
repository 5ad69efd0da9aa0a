import type { Insights, Instance, VideoIndex } from '#contract/video-service.ts';
import type { Moment, MomentKind } from '../moments/moment.ts';
import { clockTime } from './clock-time.ts';
import type { Video } from './video.ts';

const noThumbnail = '00000000-0000-0000-0000-000000000000';

/** The video service's index of one video: what is said, written and seen in it, in that service's own shape. */
export function videoIndexDocument(
  video: Video,
  moments: readonly Moment[],
  { accountId, thumbnailId }: { accountId: string; thumbnailId: string | null },
): VideoIndex {
  const duration = clockTime(video.durationInSeconds * 1_000);
  const created = video.createdAt.toISOString().replace('Z', '+00:00');
  const privacyMode = 'Private' as const;
  const common = { accountId, id: video.id, state: video.state, privacyMode };
  return {
    ...common,
    partition: null,
    name: video.name,
    description: video.description,
    userName: video.owner ?? '',
    created,
    isOwned: true,
    isEditable: false,
    isBase: true,
    durationInSeconds: Math.round(video.durationInSeconds),
    duration,
    summarizedInsights: null,
    videos: [
      {
        ...common,
        moderationState: 'OK',
        reviewState: 'None',
        processingProgress: `${video.processingPercent}%`,
        failureCode: video.failureCode ?? 'None',
        failureMessage: video.failureMessage ?? '',
        externalId: null,
        externalUrl: null,
        metadata: null,
        insights: insightsOf(video, moments),
        thumbnailId: thumbnailId ?? noThumbnail,
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
        linguisticModelId: noThumbnail,
        personModelId: noThumbnail,
        isAdult: false,
        isSearchable: video.state === 'Processed',
      },
    ],
    videosRanges: [{ videoId: video.id, range: { start: '0:00:00', end: duration } }],
    social: { likedByUser: false, likes: 0, views: video.views },
  };
}

/** A kind without content is left out, as the service does. */
function insightsOf(video: Video, moments: readonly Moment[]): Insights {
  const { language } = video;
  const speakers = speakersOf(moments);
  const of = (kind: MomentKind) => moments.filter((moment) => moment.kind === kind);
  const line = (moment: Moment, n: number) => ({
    id: n + 1,
    text: moment.text,
    confidence: moment.confidencePercent / 100,
    language,
    instances: [instanceOf(moment)],
  });
  const flat = { left: 0, top: 0, width: 0, height: 0, angle: 0 };
  const face = { description: null, thumbnailId: noThumbnail, title: null, imageUrl: null, thumbnails: [] };
  const brand = { referenceId: null, referenceUrl: null, referenceType: 'Wiki', description: null, tags: [], isCustom: false };
  return withoutEmpty({
    version: '1.0.0.0',
    duration: clockTime(video.durationInSeconds * 1_000),
    sourceLanguage: language,
    sourceLanguages: [language],
    language,
    languages: [language],
    transcript: of('Transcript').map((moment, n) => ({ ...line(moment, n), speakerId: speakers.indexOf(moment.speaker ?? '') + 1 || -1 })),
    ocr: of('Ocr').map((moment, n) => ({ ...line(moment, n), ...flat })),
    faces: named(video, video.people, of('Face')).map((one) => ({ ...one, ...face })),
    labels: named(video, video.labels, of('Annotations')).map(({ confidence: _confidence, ...one }) => ({ ...one, language })),
    brands: named(video, video.brands, of('Brand')).map((one) => ({ ...one, ...brand })),
    speakers: speakers.map((name, n) => ({
      id: n + 1,
      name,
      instances: of('Transcript')
        .filter((moment) => moment.speaker === name)
        .map(instanceOf),
    })),
  });
}

function speakersOf(moments: readonly Moment[]): string[] {
  return [...new Set(moments.flatMap((moment) => (moment.kind === 'Transcript' && moment.speaker ? [moment.speaker] : [])))];
}

/** Everybody and everything that the catalogue or a moment names, each once; what has no moment is there for the whole film. */
function named(video: Video, catalogue: readonly string[], moments: readonly Moment[]) {
  const names = [...new Set([...moments.map((moment) => moment.text), ...catalogue])];
  const wholeFilm = { startMs: 0, endMs: video.durationInSeconds * 1_000, confidencePercent: 100 };
  return names.map((name, n) => {
    const own = moments.filter((moment) => moment.text === name);
    const seen = own.length > 0 ? own : [wholeFilm];
    const confidence = Math.max(...seen.map((one) => one.confidencePercent)) / 100;
    return { id: n + 1, name, confidence, instances: seen.map(instanceOf) };
  });
}

function instanceOf({ startMs, endMs }: Pick<Moment, 'startMs' | 'endMs'>): Instance {
  const [start, end] = [clockTime(startMs), clockTime(endMs)];
  return { start, end, adjustedStart: start, adjustedEnd: end };
}

function withoutEmpty(insights: Insights): Insights {
  const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;
  return { ...insights, ...Object.fromEntries(Object.entries(insights).map(([key, value]) => [key, isEmpty(value) ? undefined : value])) };
}
