import { limits } from '#contract/limits.ts';
import type { Insights, Instance, InstanceSource, VideoIndex } from '#contract/video-service/answers.ts';
import { faceMarkOf } from '#domain/moments/faces.ts';
import type { Keyword } from '#domain/moments/keyword.ts';
import type { PlacedText, Shot } from '#domain/moments/layers.ts';
import type { Moment, MomentKind } from '#domain/moments/moment.ts';
import type { NamedFace } from '#domain/moments/name-faces.ts';
import {
  frameOfShot,
  frameThumbnailIds,
  makeFaceThumbnailIds,
  makePosterThumbnailId,
  type PictureIds,
} from '#domain/tokens/thumbnail-ids.ts';
import { type SpeechOfFilm, sayWhySkipped } from '#domain/videos/speech-of-film.ts';
import { emptyId } from './empty-id.ts';
import { type FilmOfNames, listNamed, listPeople, listSpeakers, provenanceOf } from './list-named.ts';
import type { Presenting } from './present-video.ts';
import { readsWords } from './reader.ts';
import { countSpeech, summarizeInsights } from './summarize-insights.ts';
import { writeIndexClock } from './write-index-clock.ts';
import { writeServiceDate } from './write-service-date.ts';

/**
 * The video service's index of one video: what is said, written and seen in it, for those who read words. `isSummarized`: with the
 * older summary beside it, which the service gives to those who ask.
 */
export function presentIndex(
  { isSummarized, ...film }: IndexedFilm & { isSummarized: boolean },
  { reader, secrets, accountId }: Presenting,
): VideoIndex {
  const { video } = film;
  const duration = writeIndexClock(video.durationInSeconds * 1_000);
  const thumbnailId = makePosterThumbnailId(secrets, video.id, video.posterVersion);
  const faceOf = makeFaceThumbnailIds(secrets, { videoId: video.id, caller: reader.callerId });
  return {
    accountId,
    id: video.id,
    state: video.state,
    privacyMode: 'Private',
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
    summarizedInsights:
      isSummarized && readsWords(reader) ? summarizeInsights({ ...film, people: listPicturedPeople(film, faceOf) }, thumbnailId) : null,
    videos: [videoOf(film, { accountId, thumbnailId, insights: presentInsights(film, { reader, secrets }) })],
    videosRanges: [{ videoId: video.id, range: { start: '0:00:00', end: duration } }],
    social: { likedByUser: false, likes: 0, views: video.views },
  };
}

/** What an index tells of. */
interface IndexedFilm extends FilmOfNames {
  /** In order; none where they are not known. */
  readonly shots: readonly Shot[];
  readonly speech: SpeechOfFilm;
  readonly keywords: readonly Keyword[];
  /** Where in the picture written texts stand, as far as that is known. */
  readonly placedTexts: readonly PlacedText[];
  /** Those that were found in its pictures, named or not. */
  readonly faces: readonly NamedFace[];
}

/** The one video of an index. */
function videoOf(
  { video }: IndexedFilm,
  { accountId, thumbnailId, insights }: Pick<Presenting, 'accountId'> & { thumbnailId: string; insights: Insights },
): VideoIndex['videos'][number] {
  return {
    accountId,
    id: video.id,
    state: video.state,
    privacyMode: 'Private',
    moderationState: 'OK',
    reviewState: 'None',
    processingProgress: `${video.processingPercent}%`,
    failureCode: video.failureCode ?? 'None',
    failureMessage: video.failureMessage ?? '',
    externalId: null,
    externalUrl: null,
    metadata: null,
    insights,
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
  };
}

/** What is known of a film, kind by kind; a kind without content is left out, as the service does. Whoever reads no words learns its length and language. */
function presentInsights(film: IndexedFilm, { reader, secrets }: Pick<Presenting, 'reader' | 'secrets'>): Insights {
  const { video } = film;
  const { language } = video;
  const pictureOf = frameThumbnailIds(secrets, { videoId: video.id, caller: reader.callerId, version: video.picturesVersion });
  const faceOf = makeFaceThumbnailIds(secrets, { videoId: video.id, caller: reader.callerId });
  return {
    version: '1.0.0.0',
    duration: writeIndexClock(video.durationInSeconds * 1_000),
    sourceLanguage: language,
    sourceLanguages: [language],
    language,
    languages: [language],
    ...(readsWords(reader)
      ? { ...contentOf(film), faces: unlessEmpty(listFaces(film, faceOf)), shots: unlessEmpty(listShots(film, pictureOf)) }
      : {}),
  };
}

type Content = Pick<
  Insights,
  'transcript' | 'ocr' | 'keywords' | 'labels' | 'brands' | 'speakers' | 'audioEffects' | 'statistics' | 'noTranscript' | 'noMeaning'
>;

function contentOf(film: IndexedFilm): Content {
  const { moments, keywords, speech } = film;
  const { language } = film.video;
  const speakers = listSpeakers(moments);
  const of = (kind: MomentKind) => moments.filter((moment) => moment.kind === kind);
  const line = (moment: Moment, n: number) => ({
    id: n + 1,
    text: moment.text,
    confidence: moment.confidencePercent / 100,
    provenance: provenanceOf([moment]),
    language,
    instances: [instanceOf(moment)],
  });
  const boxOf = boxesOf(film);
  return {
    transcript: unlessEmpty(
      of('Transcript').map((moment, n) => ({ ...line(moment, n), speakerId: speakers.indexOf(moment.speaker ?? '') + 1 || -1 })),
    ),
    ocr: unlessEmpty(of('Ocr').map((moment, n) => ({ ...line(moment, n), ...boxOf(moment) }))),
    keywords: unlessEmpty(
      keywords.map(({ text, weight, times }, n) => ({
        id: n + 1,
        text,
        confidence: weight,
        provenance: 'machine' as const,
        language,
        instances: times.map(instanceOf),
      })),
    ),
    labels: unlessEmpty(
      listNamed(film, 'Annotations').map(({ id, name, provenance, times }) => ({
        id,
        name,
        provenance,
        language,
        instances: times.map((time) => ({ ...instanceOf(time), confidence: time.confidence })),
      })),
    ),
    brands: unlessEmpty(listBrands(film)),
    speakers: unlessEmpty(
      speakers.map((name, n) => ({
        id: n + 1,
        name,
        instances: of('Transcript')
          .filter((moment) => moment.speaker === name)
          .map(instanceOf),
      })),
    ),
    audioEffects: listSpeech(speech),
    statistics: speakers.length > 0 ? countSpeech(moments) : undefined,
    noTranscript: speech.noTranscript && of('Transcript').length === 0 ? sayWhySkipped(speech.noTranscript) : undefined,
    noMeaning: speech.noMeaning ? sayWhySkipped(speech.noMeaning) : undefined,
  };
}

/** What the service knows of a brand from elsewhere; here nobody looks it up. */
const unlinkedBrand = { referenceId: null, referenceUrl: null, referenceType: 'Wiki', description: null, tags: [], isCustom: false };

function listBrands(film: IndexedFilm): NonNullable<Content['brands']> {
  const sourceOf = sourcesOf(film.moments);
  return listNamed(film, 'Brand').map(({ id, name, confidence, provenance, times }) => ({
    id,
    name,
    confidence,
    provenance,
    instances: times.map((time) => ({ ...instanceOf(time), brandType: sourceOf(time), instanceSource: sourceOf(time) })),
    ...unlinkedBrand,
  }));
}

/** How much of what is called speech lies within captions, as measured on films that have them. */
const speechConfidence = 0.985;

function listSpeech({ speechMs }: SpeechOfFilm): Content['audioEffects'] {
  const instances = speechMs.map(([startMs, endMs]) => ({ ...instanceOf({ startMs, endMs }), confidence: speechConfidence }));
  return instances.length > 0 ? [{ id: 1, type: 'Speech', instances }] : undefined;
}

/** What stands at a time tells where a name was found: in what is said, or in what is written. */
function sourcesOf(moments: readonly Moment[]): (time: Pick<Moment, 'startMs' | 'endMs'>) => InstanceSource {
  const sources = new Map<string, InstanceSource>();
  for (const { kind, startMs, endMs } of moments)
    if ((kind === 'Transcript' || kind === 'Ocr') && !sources.has(`${startMs} ${endMs}`)) sources.set(`${startMs} ${endMs}`, kind);
  return ({ startMs, endMs }) => sources.get(`${startMs} ${endMs}`) ?? 'General';
}

type TextBox = Pick<NonNullable<Insights['ocr']>[number], 'left' | 'top' | 'width' | 'height' | 'angle'>;

/** The box of each written text in pixels of the picture, asked in order of time; an empty one where it is not known. Corrected ones stand where they were read. */
function boxesOf({ video, placedTexts }: IndexedFilm): (moment: Moment) => TextBox {
  const keyOf = ({ startMs, endMs }: Pick<Moment, 'startMs' | 'endMs'>) => `${startMs} ${endMs}`;
  const placesAt = Map.groupBy(placedTexts, keyOf);
  const [width, height] = [video.width ?? 0, video.height ?? 0];
  return (moment) => {
    const place = moment.source === 'machine' ? placesAt.get(keyOf(moment))?.shift()?.place : undefined;
    if (!place) return { left: 0, top: 0, width: 0, height: 0, angle: 0 };
    const [left, top] = [Math.round(place.x * width), Math.round(place.y * height)];
    return { left, top, width: Math.round(place.width * width), height: Math.round(place.height * height), angle: 0 };
  };
}

/** Lists the people of a film, each with the picture that stands for them; an empty id where there is none. */
function listPicturedPeople(film: IndexedFilm, faceOf: (mark: string) => string) {
  return listPeople(film).map((person) => {
    const [face] = person.faces;
    return { ...person, thumbnailId: face ? faceOf(faceMarkOf(face)) : emptyId };
  });
}

function listFaces(film: IndexedFilm, faceOf: (mark: string) => string): NonNullable<Insights['faces']> {
  return listPicturedPeople(film, faceOf).map(({ id, name, confidence, provenance, times, faces, thumbnailId }) => {
    const thumbnails = faces.map((face) => {
      const mark = faceOf(faceMarkOf(face));
      return { id: mark, fileName: `FaceInstanceThumbnail_${mark}.jpg`, instances: face.tracks.map(instanceOf) };
    });
    const instances = times.map((time) => ({
      ...instanceOf(time),
      thumbnailsIds: faces.flatMap(({ tracks }, n) =>
        tracks.some((track) => overlaps(track, time)) ? [thumbnails[n]?.id ?? emptyId] : [],
      ),
    }));
    return { id, name, confidence, provenance, instances, description: null, thumbnailId, title: null, imageUrl: null, thumbnails };
  });
}

type Span = Pick<Moment, 'startMs' | 'endMs'>;

function overlaps(one: Span, other: Span): boolean {
  return one.startMs <= other.endMs && other.startMs <= one.endMs;
}

/** Every shot with its still, or else the frame nearest to its middle; without a picture where none of it was drawn. */
function listShots({ video, shots }: IndexedFilm, pictureOf: PictureIds): NonNullable<Insights['shots']> {
  return shots.map(({ startMs, stillMs }, n) => {
    const nextMs = shots[n + 1]?.startMs;
    const endMs = nextMs ?? Math.max(startMs, Math.round(video.durationInSeconds * 1_000));
    const instance = instanceOf({ startMs, endMs });
    const untilMs = nextMs === undefined ? endMs : nextMs - foundWithinMs;
    const picture = stillMs === null ? frameWithin(startMs, untilMs) : frameOfShot(stillMs);
    const pictures = picture === null ? [] : [{ ...instance, thumbnailId: pictureOf(picture) }];
    return { id: n + 1, instances: [instance], keyFrames: pictures.length > 0 ? [{ id: n + 1, instances: pictures }] : [] };
  });
}

/** The picture may have changed so long before the next shot is said to begin. */
const foundWithinMs = 100;

/** The frame within a stretch, by its number, that is nearest to its middle; null where none stands there. */
function frameWithin(startMs: number, untilMs: number): number | null {
  const everyMs = limits.frameIntervalSeconds * 1_000;
  const nearest = Math.round((startMs + untilMs) / 2 / everyMs);
  return nearest * everyMs >= startMs && nearest * everyMs < untilMs ? nearest : null;
}

function instanceOf({ startMs, endMs }: Pick<Moment, 'startMs' | 'endMs'>): Instance {
  const [start, end] = [writeIndexClock(startMs), writeIndexClock(endMs)];
  return { start, end, adjustedStart: start, adjustedEnd: end };
}

function unlessEmpty<T>(list: T[]): T[] | undefined {
  return list.length > 0 ? list : undefined;
}
