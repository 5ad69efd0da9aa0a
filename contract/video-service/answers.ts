import { z } from 'zod';
import { SpeechStatistics, SummarizedInsights } from './summarized-insights.ts';

/*
 * Shapes of the video service. Facts: the public OpenAPI description of Azure AI Video Indexer "Operations".
 * Fields beyond that description are marked "ours"; a client of the other service must do without them.
 */

/** A stretch of a text: offset of its first UTF-16 unit, and of the one after its last. */
export type TextRange = readonly [from: number, to: number];

export const SearchMatch = z.object({
  /** `hh:mm:ss` with up to seven decimals. */
  startTime: z.string(),
  type: z.string(),
  /** The whole line, label or name. */
  text: z.string(),
  /** The part that matched, cut from `text` as it stands there. */
  exactText: z.string(),
  /** Ours: every stretch of `text` to mark, as offsets in UTF-16 units: of its first, and of the one after its last. */
  ranges: z.array(z.tuple([z.number().int(), z.number().int()])).optional(),
  /** Ours: a small frame of that second, opened by the token of the caller that got this answer. */
  thumbnailId: z.string().optional(),
  /** Ours: a time that is reckoned by the letters of a long line; speech as a recogniser heard it that gets most words wrong, and nobody has looked at it. */
  estimated: z.literal(true).optional(),
  rough: z.literal(true).optional(),
  /** Ours: it means what was asked, in other words; nothing of it is marked. */
  byMeaning: z.literal(true).optional(),
  /** Ours: in suggestions, the number of videos that carry this name among their facts. */
  videos: z.number().int().optional(),
});
export type SearchMatch = z.infer<typeof SearchMatch>;

export const VideoState = z.enum(['Uploaded', 'Processing', 'Processed', 'Failed', 'Quarantined']);
export type VideoState = z.infer<typeof VideoState>;

const Social = z.object({ likedByUser: z.boolean(), likes: z.number().int(), views: z.number().int() });

export const SearchItem = z.object({
  accountId: z.string(),
  id: z.string(),
  partition: z.string().nullable(),
  /** Filled for administrators only, as is `streamingPreset`. */
  externalId: z.string().nullable(),
  metadata: z.string().nullable(),
  name: z.string(),
  description: z.string().nullable(),
  /** `created` and its two siblings: administrators only. */
  created: z.string().optional(),
  lastModified: z.string().optional(),
  lastIndexed: z.string().optional(),
  /** Ours, administrators only: why it could not be ingested, as a code and in a sentence. */
  failureCode: z.string().optional(),
  failureMessage: z.string().optional(),
  privacyMode: z.enum(['Private', 'Public']),
  userName: z.string(),
  isOwned: z.boolean(),
  isBase: z.boolean(),
  hasSourceVideoFile: z.boolean(),
  state: VideoState,
  moderationState: z.enum(['OK', 'Explicit', 'Removed']),
  reviewState: z.enum(['None', 'InProgress', 'Completed']),
  isSearchable: z.boolean(),
  processingProgress: z.string().nullable(),
  durationInSeconds: z.number().int(),
  thumbnailVideoId: z.string().nullable(),
  thumbnailId: z.string().nullable(),
  social: Social.optional(),
  /** Best first, at most 100. */
  searchMatches: z.array(SearchMatch),
  /** Ours: how many matches there are in truth, in all and of each kind. */
  searchMatchesTotal: z.number().int().optional(),
  searchMatchCounts: z.record(z.string(), z.number().int()).optional(),
  /** Ours: how many matches are counted and not shown, to visitors who have read as much of this video as they may for now. */
  searchMatchesWithheld: z.number().int().optional(),
  /** Ours: what was asked for that this video holds nowhere, as it was typed. */
  lacks: z.array(z.string()).optional(),
  /** Ours: whether it is found by what it means and not by its words, and whether its media can be played in this archive. */
  byMeaning: z.literal(true).optional(),
  isPlayable: z.boolean().optional(),
  /** Ours: when it was recorded, as far as that is known: a year, a month or a day. */
  recorded: z.string().nullish(),
  /** Ours: up to 12 stills over the whole film, for the card; and width divided by height of the upright picture. */
  stills: z.array(z.object({ startTime: z.string(), thumbnailId: z.string() })).optional(),
  aspectRatio: z.number().optional(),
  indexingPreset: z.string().nullable(),
  streamingPreset: z.string().nullable(),
  sourceLanguage: z.string().nullable(),
  sourceLanguages: z.array(z.string()).nullable(),
  personModelId: z.string(),
});
export type SearchItem = z.infer<typeof SearchItem>;

export const NextPage = z.object({
  pageSize: z.number().int(),
  skip: z.number().int(),
  done: z.boolean(),
  totalCount: z.number().int().nullish(),
  /** Ours, sent back by further pages so that their order stays: the time of the first, and what proves that this archive said so. Only administrators may name a time of their own. */
  createdBefore: z.string().optional(),
  createdBeforeSignature: z.string().optional(),
  /** Ours: the last video of this page of the list of all; the next one sends it back, so that none is left out when others go meanwhile. */
  after: z.string().optional(),
});
export type NextPage = z.infer<typeof NextPage>;

/** What was searched for in place of words that occur nowhere; `literally` is the query that takes them to the letter. */
export const SearchedFor = z.object({ text: z.string(), literally: z.string() });
export type SearchedFor = z.infer<typeof SearchedFor>;

/** A query that would find something, spelt much like one that found nothing, and in how many videos; `orMore`: in no fewer. */
export const NearestQuery = z.object({ text: z.string(), videos: z.number().int(), orMore: z.literal(true).optional() });
export type NearestQuery = z.infer<typeof NearestQuery>;

export const SearchResponse = z.object({
  results: z.array(SearchItem),
  nextPage: NextPage,
  /** Ours: what was asked, as it came, and how many videos were left out before these. */
  query: z.union([z.string(), z.array(z.string())]).optional(),
  skip: z.number().int().optional(),
  /** Ours: absent when every word was taken as it is. */
  searchedFor: SearchedFor.optional(),
  /** Ours: only when nothing was found, or nothing in the field that the query made up. */
  nearest: z.array(NearestQuery).optional(),
  /** Ours: how many of the best videos an order, a filter or words that must or must not be there were applied to, when there are more. */
  arrangedAmong: z.number().int().optional(),
  /** Ours: what this caller may read of a match; absent when it is everything. */
  reading: z.enum(['counts', 'locked']).optional(),
});
export type SearchResponse = z.infer<typeof SearchResponse>;

/** Ours: a match of one film. */
export const FilmMatch = SearchMatch.extend({
  /** What `text` shows, by the ids that the index document gives the lines of this kind; only what was said or written has them. */
  lines: z.array(z.number().int()).optional(),
});
export type FilmMatch = z.infer<typeof FilmMatch>;

/** Ours: every match of one film in order of time; what belongs to the film as a whole stands at its beginning. */
export const FilmMatches = z.object({
  searchMatches: z.array(FilmMatch),
  searchMatchesTotal: z.number().int(),
  searchMatchCounts: z.record(z.string(), z.number().int()),
  searchedFor: SearchedFor.optional(),
});
export type FilmMatches = z.infer<typeof FilmMatches>;

/** Ours: the line before a moment, and the two after it, as a moment may stand in two. */
export const LinesAround = z.object({ before: z.string().nullable(), after: z.array(z.string()) });
export type LinesAround = z.infer<typeof LinesAround>;

/** `h:mm:ss.fffffff`, the .NET "g" form: hour not padded, trailing zeros dropped. */
const Instance = z.object({ start: z.string(), end: z.string(), adjustedStart: z.string(), adjustedEnd: z.string() });
export type Instance = z.infer<typeof Instance>;
const SureInstance = Instance.extend({ confidence: z.number() });

/** Ours: whether a machine found it, or one that is mostly wrong, what people made of that, or that a name came with the film. */
const Provenance = z.enum(['machine', 'rough', 'corrected', 'verified', 'catalogue']);
export type Provenance = z.infer<typeof Provenance>;

const InsightLine = z.object({
  id: z.number().int(),
  text: z.string(),
  confidence: z.number(),
  provenance: Provenance.optional(),
  language: z.string(),
  instances: z.array(Instance),
});
const TextBox = { left: z.number(), top: z.number(), width: z.number(), height: z.number(), angle: z.number() };
const Named = z.object({
  id: z.number().int(),
  name: z.string(),
  confidence: z.number(),
  provenance: Provenance.optional(),
  instances: z.array(Instance),
});

/** Where a name stands: in what is said, in what is written, or in neither. */
const InstanceSource = z.enum(['Transcript', 'Ocr', 'General']);
export type InstanceSource = z.infer<typeof InstanceSource>;

/** Kinds without content are left out of the object. */
export const Insights = z.object({
  version: z.string(),
  duration: z.string(),
  sourceLanguage: z.string(),
  sourceLanguages: z.array(z.string()),
  language: z.string(),
  languages: z.array(z.string()),
  transcript: z.array(InsightLine.extend({ speakerId: z.number().int() })).optional(),
  ocr: z.array(InsightLine.extend(TextBox)).optional(),
  keywords: z.array(InsightLine).optional(),
  faces: z
    .array(
      Named.extend({
        description: z.string().nullable(),
        thumbnailId: z.string(),
        title: z.string().nullable(),
        imageUrl: z.string().nullable(),
        /** Each with the pictures of whom it shows. */
        instances: z.array(Instance.extend({ thumbnailsIds: z.array(z.string()) })),
        thumbnails: z.array(z.object({ id: z.string(), fileName: z.string(), instances: z.array(Instance) })),
      }),
    )
    .optional(),
  /** Each appearance says how sure it is; the label itself does not. */
  labels: z.array(Named.omit({ confidence: true }).extend({ language: z.string(), instances: z.array(SureInstance) })).optional(),
  brands: z
    .array(
      Named.extend({
        referenceId: z.string().nullable(),
        referenceUrl: z.string().nullable(),
        referenceType: z.string(),
        instances: z.array(Instance.extend({ brandType: InstanceSource, instanceSource: InstanceSource })),
        description: z.string().nullable(),
        tags: z.array(z.string()),
        isCustom: z.boolean(),
      }),
    )
    .optional(),
  /** Where the picture changes from one shot to the next, each with a picture of it. */
  shots: z
    .array(
      z.object({
        id: z.number().int(),
        instances: z.array(Instance),
        keyFrames: z.array(z.object({ id: z.number().int(), instances: z.array(Instance.extend({ thumbnailId: z.string() })) })),
      }),
    )
    .optional(),
  speakers: z.array(z.object({ id: z.number().int(), name: z.string(), instances: z.array(Instance) })).optional(),
  /** Where somebody speaks, as one effect with all its stretches; the archive listens for no other. */
  audioEffects: z.array(z.object({ id: z.number().int(), type: z.literal('Speech'), instances: z.array(SureInstance) })).optional(),
  /** Who speaks how much; only where it is known who speaks. */
  statistics: SpeechStatistics.optional(),
  /** Ours, and the next: why nothing is written down of what is said, and why it is not found by its meaning; a sentence each. */
  noTranscript: z.string().optional(),
  noMeaning: z.string().optional(),
});
export type Insights = z.infer<typeof Insights>;

export const VideoIndex = z.object({
  accountId: z.string(),
  id: z.string(),
  partition: z.string().nullable(),
  name: z.string(),
  description: z.string().nullable(),
  userName: z.string(),
  created: z.string(),
  privacyMode: z.enum(['Private', 'Public']),
  state: VideoState,
  isOwned: z.boolean(),
  isEditable: z.boolean(),
  isBase: z.boolean(),
  durationInSeconds: z.number().int(),
  duration: z.string(),
  /** Only for those who ask for it. */
  summarizedInsights: SummarizedInsights.nullable().optional(),
  videos: z.array(
    z.object({
      accountId: z.string(),
      id: z.string(),
      state: VideoState,
      moderationState: z.enum(['OK', 'Explicit', 'Removed']),
      reviewState: z.enum(['None', 'InProgress', 'Completed']),
      privacyMode: z.enum(['Private', 'Public']),
      processingProgress: z.string(),
      failureCode: z.string(),
      failureMessage: z.string(),
      externalId: z.string().nullable(),
      externalUrl: z.string().nullable(),
      metadata: z.string().nullable(),
      insights: Insights,
      thumbnailId: z.string(),
      width: z.number().int().nullable(),
      height: z.number().int().nullable(),
      publishedUrl: z.string().nullable(),
      publishedProxyUrl: z.string().nullable(),
      viewToken: z.string().nullable(),
      detectSourceLanguage: z.boolean(),
      languageAutoDetectMode: z.enum(['None', 'Single', 'Multi']),
      sourceLanguage: z.string(),
      sourceLanguages: z.array(z.string()),
      language: z.string(),
      languages: z.array(z.string()),
      indexingPreset: z.string(),
      streamingPreset: z.string(),
      linguisticModelId: z.string(),
      personModelId: z.string(),
      isAdult: z.boolean(),
      isSearchable: z.boolean(),
    }),
  ),
  videosRanges: z.array(z.object({ videoId: z.string(), range: z.object({ start: z.string(), end: z.string() }) })),
  social: Social.optional(),
});
export type VideoIndex = z.infer<typeof VideoIndex>;

export const VideoServiceError = z.object({ ErrorType: z.string(), Message: z.string() });
export type VideoServiceError = z.infer<typeof VideoServiceError>;
