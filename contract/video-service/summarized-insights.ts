import { z } from 'zod';

/** Seconds have one decimal. */
const Appearance = z.object({ startTime: z.string(), endTime: z.string(), startSeconds: z.number(), endSeconds: z.number() });
const Summarized = z.object({ id: z.number().int(), name: z.string(), appearances: z.array(Appearance) });
/** What this archive knows nothing of. */
const none = z.tuple([]);
/** By the number of the speaker, as in the transcript. */
const bySpeaker = z.record(z.string(), z.number());

/** Who speaks how much, by the numbers of speakers in the transcript. */
export const SpeechStatistics = z.object({
  /** How often somebody else begins to speak. */
  correspondenceCount: z.number().int(),
  /** Shares of all that is spoken. */
  speakerTalkToListenRatio: bySpeaker,
  /** In whole seconds. */
  speakerLongestMonolog: bySpeaker,
  speakerNumberOfFragments: bySpeaker,
  speakerWordCount: bySpeaker,
});

/** The older summary of an index: every name once with all its appearances, and who speaks how much. */
export const SummarizedInsights = z.object({
  name: z.string(),
  id: z.string(),
  privacyMode: z.enum(['Private', 'Public']),
  duration: z.object({ time: z.string(), seconds: z.number() }),
  thumbnailVideoId: z.string(),
  thumbnailId: z.string(),
  faces: z.array(
    Summarized.extend({
      videoId: z.string(),
      confidence: z.number(),
      description: z.string().nullable(),
      title: z.string().nullable(),
      thumbnailId: z.string(),
      /** In seconds, and as a share of the film. */
      seenDuration: z.number(),
      seenDurationRatio: z.number(),
    }),
  ),
  keywords: z.array(Summarized.extend({ isTranscript: z.boolean() })),
  sentiments: none,
  emotions: none,
  audioEffects: z.array(
    z.object({
      audioEffectKey: z.literal('Speech'),
      seenDuration: z.number(),
      seenDurationRatio: z.number(),
      appearances: z.array(Appearance),
    }),
  ),
  labels: z.array(Summarized),
  framePatterns: none,
  brands: z.array(
    Summarized.extend({
      referenceId: z.string().nullable(),
      referenceUrl: z.string().nullable(),
      confidence: z.number(),
      description: z.string().nullable(),
      seenDuration: z.number(),
    }),
  ),
  namedLocations: none,
  namedPeople: none,
  topics: none,
  statistics: SpeechStatistics,
});
export type SummarizedInsights = z.infer<typeof SummarizedInsights>;
