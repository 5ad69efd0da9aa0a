import type { SummarizedInsights } from '#contract/video-service/summarized-insights.ts';
import type { Keyword } from '#domain/moments/keyword.ts';
import type { Moment } from '#domain/moments/moment.ts';
import type { SpeechOfFilm } from '#domain/videos/speech-of-film.ts';
import type { Video } from '#domain/videos/video.ts';
import { listNamed, listSpeakers, type NamedInFilm } from './list-named.ts';
import { writeIndexClock } from './write-index-clock.ts';

/** What a summary tells of. */
interface SummarizedFilm {
  readonly video: Video;
  readonly moments: readonly Moment[];
  readonly keywords: readonly Keyword[];
  /** Where somebody speaks. */
  readonly speech: Pick<SpeechOfFilm, 'speechMs'>;
  /** Everybody who is seen, named or not, each with a picture. */
  readonly people: readonly (Appearing & Pick<NamedInFilm, 'confidence'> & { readonly thumbnailId: string })[];
}

/** The older summary of a film's insights. What this archive knows nothing of is empty there, not left out. */
export function summarizeInsights(
  { video, moments, keywords, speech: { speechMs }, people }: SummarizedFilm,
  thumbnailId: string,
): SummarizedInsights {
  const { id: videoId, durationInSeconds } = video;
  const speech = { name: 'Speech', id: 1, times: speechMs.map(([startMs, endMs]) => ({ startMs, endMs })) };
  const seenIn = (one: Timed) => {
    const seen = secondsOf(one);
    const ratio = durationInSeconds > 0 ? Math.min(1, Math.round((seen / durationInSeconds) * 10_000) / 10_000) : 0;
    return { seenDuration: roundToTenths(seen), seenDurationRatio: ratio };
  };
  return {
    name: video.name,
    id: videoId,
    privacyMode: 'Private',
    duration: { time: writeIndexClock(durationInSeconds * 1_000), seconds: roundToTenths(durationInSeconds) },
    thumbnailVideoId: videoId,
    thumbnailId,
    faces: people.map((one) => ({
      ...presentAppearing(one),
      videoId,
      confidence: one.confidence,
      description: null,
      title: null,
      thumbnailId: one.thumbnailId,
      ...seenIn(one),
    })),
    keywords: keywords.map(({ text, times }, n) => ({ ...presentAppearing({ id: n + 1, name: text, times }), isTranscript: true })),
    sentiments: [],
    emotions: [],
    audioEffects:
      speechMs.length > 0 ? [{ audioEffectKey: 'Speech', ...seenIn(speech), appearances: presentAppearing(speech).appearances }] : [],
    labels: listNamed({ video, moments }, 'Annotations').map(presentAppearing),
    framePatterns: [],
    brands: listNamed({ video, moments }, 'Brand').map((one) => ({
      ...presentAppearing(one),
      referenceId: null,
      referenceUrl: null,
      confidence: one.confidence,
      description: null,
      seenDuration: roundToTenths(secondsOf(one)),
    })),
    namedLocations: [],
    namedPeople: [],
    topics: [],
    statistics: countSpeech(moments),
  };
}

interface Timed {
  readonly times: readonly Pick<Moment, 'startMs' | 'endMs'>[];
}

type Appearing = Timed & Pick<NamedInFilm, 'id' | 'name'>;

function presentAppearing({ id, name, times }: Appearing): SummarizedInsights['labels'][number] {
  const appearances = times.map(({ startMs, endMs }) => ({
    startTime: writeIndexClock(startMs),
    endTime: writeIndexClock(endMs),
    startSeconds: roundToTenths(startMs / 1_000),
    endSeconds: roundToTenths(endMs / 1_000),
  }));
  return { id, name, appearances };
}

function secondsOf({ times }: Timed): number {
  return times.reduce((sum, { startMs, endMs }) => sum + Math.max(0, endMs - startMs), 0) / 1_000;
}

function roundToTenths(seconds: number): number {
  return Math.round(seconds * 10) / 10;
}

/** What one speaker says before another one does. */
interface Fragment {
  readonly speaker: string;
  ms: number;
  words: number;
}

/** Who speaks how much in a film, by the numbers that its transcript gives them. What nobody is known to say counts for nobody. */
export function countSpeech(moments: readonly Moment[]): SummarizedInsights['statistics'] {
  const fragments = fragmentsOf(moments);
  const allMs = fragments.reduce((sum, { ms }) => sum + ms, 0);
  const bySpeaker = (measure: (own: readonly Fragment[]) => number) =>
    Object.fromEntries(listSpeakers(moments).map((name, n) => [n + 1, measure(fragments.filter(({ speaker }) => speaker === name))]));
  const msOf = (own: readonly Fragment[]) => own.reduce((sum, { ms }) => sum + ms, 0);
  return {
    correspondenceCount: Math.max(0, fragments.length - 1),
    speakerTalkToListenRatio: bySpeaker((own) => (allMs > 0 ? Math.round((msOf(own) / allMs) * 1_000) / 1_000 : 0)),
    speakerLongestMonolog: bySpeaker((own) => Math.floor(Math.max(...own.map(({ ms }) => ms)) / 1_000)),
    speakerNumberOfFragments: bySpeaker((own) => own.length),
    speakerWordCount: bySpeaker((own) => own.reduce((sum, { words }) => sum + words, 0)),
  };
}

function fragmentsOf(moments: readonly Moment[]): Fragment[] {
  const fragments: Fragment[] = [];
  for (const { kind, speaker, startMs, endMs, text } of moments) {
    if (kind !== 'Transcript' || !speaker) continue;
    const last = fragments.at(-1);
    const fragment = last?.speaker === speaker ? last : { speaker, ms: 0, words: 0 };
    fragment.ms += Math.max(0, endMs - startMs);
    fragment.words += text.split(/\s+/).filter((word) => word !== '').length;
    if (fragment !== last) fragments.push(fragment);
  }
  return fragments;
}
