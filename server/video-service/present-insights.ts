import type { Insights, Instance } from '#contract/video-service.ts';
import type { Moment, MomentKind } from '#domain/moments/moment.ts';
import type { Video } from '#domain/videos/video.ts';
import { emptyId } from './empty-id.ts';
import { listNamed, listSpeakers } from './list-named.ts';
import { type Reader, readsWords } from './reader.ts';
import { writeIndexClock } from './write-index-clock.ts';

/** What is known of a film, kind by kind; a kind without content is left out, as the service does. Whoever reads no words learns its length and language. */
export function presentInsights(video: Video, moments: readonly Moment[], reader: Reader): Insights {
  const { language } = video;
  return {
    version: '1.0.0.0',
    duration: writeIndexClock(video.durationInSeconds * 1_000),
    sourceLanguage: language,
    sourceLanguages: [language],
    language,
    languages: [language],
    ...(readsWords(reader) ? contentOf(video, moments) : {}),
  };
}

type Content = Pick<Insights, 'transcript' | 'ocr' | 'faces' | 'labels' | 'brands' | 'speakers'>;

function contentOf(video: Video, moments: readonly Moment[]): Content {
  const { language } = video;
  const speakers = listSpeakers(moments);
  const of = (kind: MomentKind) => moments.filter((moment) => moment.kind === kind);
  const line = (moment: Moment, n: number) => ({
    id: n + 1,
    text: moment.text,
    confidence: moment.confidencePercent / 100,
    language,
    instances: [instanceOf(moment)],
  });
  const flat = { left: 0, top: 0, width: 0, height: 0, angle: 0 };
  const face = { description: null, thumbnailId: emptyId, title: null, imageUrl: null, thumbnails: [] };
  const brand = { referenceId: null, referenceUrl: null, referenceType: 'Wiki', description: null, tags: [], isCustom: false };
  return {
    transcript: unlessEmpty(
      of('Transcript').map((moment, n) => ({ ...line(moment, n), speakerId: speakers.indexOf(moment.speaker ?? '') + 1 || -1 })),
    ),
    ocr: unlessEmpty(of('Ocr').map((moment, n) => ({ ...line(moment, n), ...flat }))),
    faces: unlessEmpty(
      listNamed(video, moments, 'Face').map(({ id, name, confidence, times }) => ({
        id,
        name,
        confidence,
        instances: times.map(instanceOf),
        ...face,
      })),
    ),
    labels: unlessEmpty(
      listNamed(video, moments, 'Annotations').map(({ id, name, times }) => ({ id, name, instances: times.map(instanceOf), language })),
    ),
    brands: unlessEmpty(
      listNamed(video, moments, 'Brand').map(({ id, name, confidence, times }) => ({
        id,
        name,
        confidence,
        instances: times.map(instanceOf),
        ...brand,
      })),
    ),
    speakers: unlessEmpty(
      speakers.map((name, n) => ({
        id: n + 1,
        name,
        instances: of('Transcript')
          .filter((moment) => moment.speaker === name)
          .map(instanceOf),
      })),
    ),
  };
}

function instanceOf({ startMs, endMs }: Pick<Moment, 'startMs' | 'endMs'>): Instance {
  const [start, end] = [writeIndexClock(startMs), writeIndexClock(endMs)];
  return { start, end, adjustedStart: start, adjustedEnd: end };
}

function unlessEmpty<T>(list: T[]): T[] | undefined {
  return list.length > 0 ? list : undefined;
}
