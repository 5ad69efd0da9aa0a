import { z } from 'zod';
import { serverLimits } from '#contract/limits.ts';
import { matchKindOf } from '#contract/match-kinds.ts';
import { Problem } from '#contract/problem.ts';
import { VideoState } from '#contract/video-service/answers.ts';
import { findRanges } from '#contract/video-service/exact-text.ts';
import { parseClockSeconds } from '#domain/existing-work/video-index.ts';
import type { Moment } from '#domain/moments/moment.ts';
import { askOutside } from '#domain/networks/ask-outside.ts';
import { countByKind } from '#domain/search/match/count-matches.ts';
import type { MomentMatch } from '#domain/search/match/moment-match.ts';
import type { FoundVideo, SearchAnswer } from '#domain/search/search-request.ts';
import type { Video } from '#domain/videos/video.ts';
import { VideoServiceProblem } from '../video-service/video-service-problem.ts';

const tryAgainSeconds = 30;

/** Thrown where the token or the credentials that came along are not taken. */
export class AzureRefusal extends Error {
  constructor(host: string, status: number) {
    super(`${host} answered ${status}: it rejects the archive’s credentials`);
    this.name = 'AzureRefusal';
  }
}

/**
 * Asks a service of Azure. Throws AzureRefusal for 401 and 403, and a Problem for whatever else is no answer: what is not there, too many
 * calls, and a service that does not answer in time.
 */
export async function askAzure(url: URL, request: RequestInit = {}): Promise<Response> {
  const away = (cause: unknown) => {
    throw makeNoAnswerProblem(cause);
  };
  const answer = await askOutside(url, {
    redirect: 'error',
    ...request,
    signal: AbortSignal.timeout(serverLimits.azureAnswersWithinMs),
  }).catch(away);
  if (answer.ok) return answer;
  // Its words may name accounts and addresses.
  await answer.body?.cancel();
  switch (answer.status) {
    case 401:
    case 403:
      throw new AzureRefusal(url.host, answer.status);
    case 400:
      throw new Problem('invalid_parameter', 'The video service does not understand this request.');
    case 404:
    case 410:
      throw new VideoServiceProblem('not_found', 'BREAKDOWN_NOT_FOUND', 'There is no such video.');
    case 429: {
      const retryAfterSeconds = Number(answer.headers.get('retry-after')) || tryAgainSeconds;
      throw new Problem('rate_limited', 'The video service is receiving too many requests. Try again in a moment.', { retryAfterSeconds });
    }
    default:
      return away(`${url.host} answered ${answer.status}`);
  }
}

function makeNoAnswerProblem(cause: unknown): Problem {
  const retryAfterSeconds = tryAgainSeconds;
  return new Problem('unavailable', 'The video service does not answer. Try again in a moment.', { retryAfterSeconds, cause });
}

/** Reads an answer to its end and makes something of it. Throws a Problem where it breaks off, falls silent or is something else. */
export async function readAnswer<T>(answer: Response, read: (answer: Response) => Promise<T>): Promise<T> {
  return await read(answer).catch((cause: unknown) => {
    throw makeNoAnswerProblem(cause);
  });
}

/*
 * What Azure AI Video Indexer answers, as far as the pages show it. Names of fields: its public OpenAPI description; what it leaves out
 * or names otherwise than described is taken for missing.
 */

/** As milliseconds; 0 for what is no time. */
const Clock = z
  .string()
  .catch('')
  .transform((text) => Math.round((parseClockSeconds(text) || 0) * 1_000));
const text = z.string().nullish().catch(null);
const time = z.coerce.date().catch(new Date(0));
const Social = z
  .object({ views: z.number().int().catch(0) })
  .nullish()
  .catch(null);

const Match = z.object({ startTime: Clock, type: z.string(), text: z.string(), exactText: z.string().catch('') });

const Item = z.object({
  id: z.string(),
  name: z.string(),
  description: text,
  userName: text,
  externalId: text,
  created: time,
  lastModified: time,
  lastIndexed: time,
  state: VideoState.catch('Processed'),
  durationInSeconds: z.number().catch(0),
  sourceLanguage: text,
  streamingPreset: text,
  thumbnailId: text,
  social: Social,
  processingProgress: text,
  searchMatches: z.array(Match).nullish().catch([]),
});

/** Of a search, and of a list of films. */
export const AzureAnswer = z.object({
  /** A film that none can be made of is left out: the others are there. */
  results: z.array(Item.nullable().catch(null)).nullish(),
  nextPage: z
    .object({ done: z.boolean().catch(true), totalCount: z.number().int().nullish().catch(null) })
    .nullish()
    .catch(null),
});
type AzureAnswer = z.infer<typeof AzureAnswer>;

/** An answer as our own search gives one; `pictures` are the ids of the films' thumbnails, by films. */
export function readAzureAnswer(
  { results, nextPage }: AzureAnswer,
  asked: { skip: number; pageSize: number },
): { answer: SearchAnswer; pictures: ReadonlyMap<string, string> } {
  const items = (results ?? []).filter((item) => item !== null);
  // A page that brings the list no further would be asked for again and again.
  const done = nextPage?.done ?? true;
  const skip = asked.skip + asked.pageSize;
  const total = nextPage?.totalCount ?? undefined;
  return {
    answer: {
      results: items.map(toFoundVideo),
      nextPage: { pageSize: asked.pageSize, skip, done, ...(total === undefined ? {} : { totalCount: total }) },
    },
    pictures: new Map(items.flatMap(({ id, thumbnailId }) => (thumbnailId ? [[id, thumbnailId] as const] : []))),
  };
}

function toFoundVideo(item: z.infer<typeof Item>): FoundVideo {
  const matches = (item.searchMatches ?? []).map(toMatch);
  return { video: toVideo(item), matches, counts: countByKind(matches), lacks: [] };
}

type OfFilm = Pick<z.infer<typeof Item>, 'id' | 'name' | 'durationInSeconds'> & Partial<z.infer<typeof Item>>;

function toVideo({ id, name, durationInSeconds, ...item }: OfFilm): Video {
  const createdAt = item.created ?? new Date(0);
  return {
    id,
    name,
    durationInSeconds,
    state: item.state ?? 'Processed',
    externalId: item.externalId ?? null,
    description: item.description ?? null,
    owner: item.userName ?? null,
    language: item.sourceLanguage ?? '',
    recordedAt: null,
    place: null,
    rights: null,
    people: [],
    labels: [],
    brands: [],
    // Its pictures are asked for by other ids than ours.
    origin: 'file',
    width: null,
    height: null,
    hasVideo: false,
    hasAudio: true,
    posterMs: null,
    posterVersion: 0,
    picturesVersion: 0,
    streamingPreset: item.streamingPreset ?? 'Default',
    failureCode: null,
    failureMessage: null,
    processingPercent: Number.parseInt(item.processingProgress ?? '', 10) || 0,
    views: item.social?.views ?? 0,
    createdAt,
    modifiedAt: item.lastModified ?? createdAt,
    publishedAt: item.lastIndexed ?? null,
  };
}

const timedKinds: readonly MomentMatch['kind'][] = ['Transcript', 'Ocr', 'Face', 'Annotations', 'Brand'];

function toMatch({ startTime: startMs, type, text: whole, exactText }: z.infer<typeof Match>): MomentMatch {
  const kind = matchKindOf(type);
  return {
    kind,
    startMs,
    isTimed: timedKinds.includes(kind),
    text: whole,
    ranges: findRanges(whole, exactText),
    score: 0,
    // A line is told from the others by where it stands.
    ...(kind === 'Transcript' || kind === 'Ocr' ? { lines: [startMs] } : {}),
  };
}

const Line = z.object({
  text: z.string(),
  confidence: z.number().catch(1),
  instances: z.array(z.object({ start: Clock, end: Clock })).catch([]),
});
const Lines = z.array(Line.nullable().catch(null)).nullish().catch([]);

/** Of one film. */
export const AzureIndex = z.object({
  id: z.string(),
  name: z.string(),
  description: text,
  userName: text,
  created: time,
  state: VideoState.catch('Processed'),
  durationInSeconds: z.number().catch(0),
  social: Social,
  videos: z
    .array(
      z.object({ sourceLanguage: text, streamingPreset: text, thumbnailId: text, insights: z.object({ transcript: Lines, ocr: Lines }) }),
    )
    .catch([]),
});

/** The film of an index, and what is said and written in it. The rest of an index is shown by the service's own page. */
export function readAzureIndex(index: z.infer<typeof AzureIndex>): { video: Video; moments: Moment[]; thumbnailId: string | undefined } {
  const [first] = index.videos;
  const momentsOf = (kind: 'Transcript' | 'Ocr', lines: z.infer<typeof Lines>): Moment[] =>
    (lines ?? []).flatMap((line) =>
      (line?.instances ?? []).map(({ start, end }) => ({
        kind,
        startMs: start,
        endMs: Math.max(end, start),
        text: line?.text ?? '',
        source: 'machine' as const,
        confidencePercent: Math.round((line?.confidence ?? 1) * 100),
      })),
    );
  const said = momentsOf('Transcript', first?.insights.transcript);
  const moments = [...said, ...momentsOf('Ocr', first?.insights.ocr)].sort((a, b) => a.startMs - b.startMs);
  const { sourceLanguage, streamingPreset, thumbnailId } = first ?? {};
  return { video: toVideo({ ...index, sourceLanguage, streamingPreset }), moments, thumbnailId: thumbnailId ?? undefined };
}
