import { z } from 'zod';
import { type FootageFacts, Language } from '../footage/footage-facts.ts';
import { isNobody } from '../moments/moment.ts';
import { type HeardLine, type HeardSpeech, Share } from '../transcripts/heard-line.ts';
import { type CatalogueRecord, remarkIdNotKept } from '../videos/catalogue-record.ts';

/*
 * What Azure AI Video Indexer knows of a film: the answer of its "Get Video Index", as people keep it in a file. Names of fields:
 * its public OpenAPI description. Only what this archive has a place for is read; topics, emotions and scenes are not.
 */

const Clock = z
  .string()
  .regex(/^(?:\d{1,2}\.)?\d{1,3}:\d{2}:\d{2}(?:\.\d{1,9})?$/)
  .transform((text) => parseClockSeconds(text));

/** "0:00:05.24", "1.02:03:04" with days, as seconds; NaN for what is no time. */
export function parseClockSeconds(text: string): number {
  const [, days = '0', hours, minutes, seconds] = /^(?:(\d+)\.(?=\d+:))?(\d+):(\d+):([\d.]+)$/.exec(text) ?? [];
  return Number(days) * 86_400 + Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
}

const Instance = z.object({ start: Clock, end: Clock });
const Instances = z.array(z.unknown()).default([]).catch([]);
const Text = z.string().nullish().catch(undefined);
const Entries = z.array(z.unknown()).default([]).catch([]);

const Insights = z.object({
  sourceLanguage: Text,
  language: Text,
  transcript: Entries,
  ocr: Entries,
  faces: Entries,
  labels: Entries,
  brands: Entries,
  speakers: Entries,
});
type Insights = z.infer<typeof Insights>;

const Index = z.object({
  name: Text,
  description: Text,
  userName: Text,
  durationInSeconds: z.number().min(0).optional().catch(undefined),
  videos: z.tuple([z.object({ id: z.string().min(1), externalId: Text, insights: Insights })], z.unknown()),
});
type Index = z.infer<typeof Index>;

const Spoken = z.object({ text: z.string(), confidence: Share, speakerId: z.number().optional().catch(undefined), instances: Instances });
const Written = z.object({ text: z.string(), confidence: Share, instances: Instances });
const Named = z.object({ name: z.string(), instances: Instances });
const Speaker = z.object({ id: z.number(), name: z.string() });

/** The speech of an Index; undefined for what is none. */
export function parseVideoIndexSpeech(json: unknown): HeardSpeech | undefined {
  const index = readIndex(json);
  if (!index) return undefined;
  const { insights } = index.videos[0];
  const speakers = speakersOf(insights);
  const Line = Spoken.transform(({ text, confidence, speakerId, instances }, context): HeardLine => {
    const [time] = timesOf(instances);
    if (!time) context.addIssue('a line without times');
    const speaker = speakers.get(speakerId ?? -1);
    return { start: 0, end: 0, ...time, text, words: [], confidence, ...(speaker ? { speaker } : {}) };
  });
  const language = languageOf(insights);
  return { engine: 'Azure AI Video Indexer', entries: insights.transcript, Line, ...(language ? { language } : {}) };
}

/** What an Index says of its film as a whole, and who and what it places at a time; undefined for what is no Index. */
export function parseVideoIndexFacts(json: unknown): Partial<FootageFacts> | undefined {
  const index = readIndex(json);
  if (!index) return undefined;
  const [{ id, externalId, insights }] = index.videos;
  const language = languageOf(insights);
  return {
    videoId: id,
    externalId: externalId || id,
    ...(index.name ? { title: index.name } : {}),
    ...(index.description ? { description: index.description } : {}),
    ...(index.userName ? { owner: index.userName } : {}),
    ...(language ? { language } : {}),
    ...namedIn(insights),
  };
}

/** A film that is known by its Index alone, and what of it could not be read; undefined for what is no Index. */
export function parseVideoIndexRecord(json: unknown): { record: z.input<typeof CatalogueRecord>; remarks: string[] } | undefined {
  const index = readIndex(json);
  const facts = parseVideoIndexFacts(json);
  if (!index || !facts) return undefined;
  const { insights } = index.videos[0];
  const speakers = speakersOf(insights);
  const remarks = remarkIdNotKept(facts);
  /** Each entry at each of its times. */
  const lines = <T extends { instances: unknown[] }>(name: 'transcript' | 'ocr', Entry: z.ZodType<T>) =>
    insights[name].flatMap((given, n) => {
      const entry = Entry.safeParse(given).data;
      const times = entry ? timesOf(entry.instances) : [];
      if (!entry || times.length === 0) remarks.push(`${name} ${n + 1} ignored: it has no text or no readable times`);
      return entry ? times.map((time) => ({ ...entry, ...time })) : [];
    });
  const { videoId, title, externalId, description, owner, language, people, labels, brands } = facts;
  const record = {
    id: `video-indexer:${videoId}`,
    externalId,
    videoId,
    title: title ?? '',
    description,
    owner,
    language,
    people,
    labels,
    brands,
    durationSeconds: index.durationInSeconds ?? 0,
    lines: lines('transcript', Spoken).map(({ speakerId, ...line }) => ({ ...line, speaker: speakers.get(speakerId ?? -1) })),
    ocr: lines('ocr', Written),
  };
  return { record, remarks };
}

function readIndex(json: unknown): Index | undefined {
  return Index.safeParse(json).data;
}

function languageOf({ sourceLanguage, language }: Insights): string | undefined {
  return [sourceLanguage, language].find((told) => Language.safeParse(told).success) ?? undefined;
}

/** Names of voices; those that only tell them apart are none. */
function speakersOf(insights: Insights): ReadonlyMap<number, string> {
  const named = insights.speakers.flatMap((entry) => Speaker.safeParse(entry).data ?? []);
  return new Map(named.filter(({ name }) => !isNobody(name)).map(({ id, name }) => [id, name]));
}

function namedIn(insights: Insights): Pick<FootageFacts, 'people' | 'labels' | 'brands'> {
  const of = (entries: readonly unknown[]) =>
    entries
      .flatMap((entry) => Named.safeParse(entry).data ?? [])
      .filter(({ name }) => !isNobody(name))
      .map(({ name, instances }) => ({ name, at: timesOf(instances) }));
  return { people: of(insights.faces), labels: of(insights.labels), brands: of(insights.brands) };
}

function timesOf(instances: readonly unknown[]): { start: number; end: number }[] {
  return instances.flatMap((instance) => Instance.safeParse(instance).data ?? []);
}
