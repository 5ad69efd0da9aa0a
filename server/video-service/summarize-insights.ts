import type { SummarizedInsights } from '#contract/summarized-insights.ts';
import type { Moment } from '#domain/moments/moment.ts';
import type { Video } from '#domain/videos/video.ts';
import { countSpeech } from './count-speech.ts';
import { emptyId } from './empty-id.ts';
import { listNamed, type NamedInFilm } from './list-named.ts';
import { writeIndexClock } from './write-index-clock.ts';

/** The older summary of a film's insights. What this archive knows nothing of is empty there, not left out. */
export function summarizeInsights(video: Video, moments: readonly Moment[], thumbnailId: string): SummarizedInsights {
  const { id: videoId, durationInSeconds } = video;
  const unknown = { description: null, title: null, thumbnailId: emptyId };
  return {
    name: video.name,
    id: videoId,
    privacyMode: 'Private',
    duration: { time: writeIndexClock(durationInSeconds * 1_000), seconds: tenths(durationInSeconds) },
    thumbnailVideoId: videoId,
    thumbnailId,
    faces: listNamed(video, moments, 'Face').map((one) => {
      const seen = secondsOf(one);
      const ratio = durationInSeconds > 0 ? Math.min(1, Math.round((seen / durationInSeconds) * 10_000) / 10_000) : 0;
      return { ...appearing(one), videoId, confidence: one.confidence, ...unknown, seenDuration: tenths(seen), seenDurationRatio: ratio };
    }),
    keywords: [],
    sentiments: [],
    emotions: [],
    audioEffects: [],
    labels: listNamed(video, moments, 'Annotations').map(appearing),
    framePatterns: [],
    brands: listNamed(video, moments, 'Brand').map((one) => ({
      ...appearing(one),
      referenceId: null,
      referenceUrl: null,
      confidence: one.confidence,
      description: null,
      seenDuration: tenths(secondsOf(one)),
    })),
    namedLocations: [],
    namedPeople: [],
    topics: [],
    statistics: countSpeech(moments),
  };
}

function appearing({ id, name, times }: NamedInFilm): SummarizedInsights['labels'][number] {
  const appearances = times.map(({ startMs, endMs }) => ({
    startTime: writeIndexClock(startMs),
    endTime: writeIndexClock(endMs),
    startSeconds: tenths(startMs / 1_000),
    endSeconds: tenths(endMs / 1_000),
  }));
  return { id, name, appearances };
}

function secondsOf({ times }: NamedInFilm): number {
  return times.reduce((sum, { startMs, endMs }) => sum + Math.max(0, endMs - startMs), 0) / 1_000;
}

function tenths(seconds: number): number {
  return Math.round(seconds * 10) / 10;
}
