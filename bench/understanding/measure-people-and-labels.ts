import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { sql } from '#domain/db/sql.ts';
import { type FaceGroup, overlapOf, Place } from '#domain/moments/faces.ts';
import { findLayers, type Layer } from '#domain/moments/layers.ts';
import { findSteps } from '#domain/videos/record-step.ts';
import { steps } from '#ingest/steps.ts';
import { openTestIngest, type TestIngest } from '#testing/test-ingest.ts';
import { until } from '#testing/until.ts';
import { watchSteps } from '../process-memory.ts';

const root = resolve(import.meta.dirname, '..', '..');

const SeenTruth = z.object({ at: z.number(), place: Place });
const FacesTruth = z.object({ file: z.string(), faces: z.array(z.object({ person: z.string(), seen: z.array(SeenTruth) })) });
type FacesTruth = z.infer<typeof FacesTruth>;
const LabelsTruth = z.object({ file: z.string(), labels: z.array(z.string()), mayBe: z.array(z.string()) });
type LabelsTruth = z.infer<typeof LabelsTruth>;

/** A film with what was found in it. */
interface LookedAt {
  readonly file: string;
  readonly id: string;
  readonly layers: readonly Layer[];
}

/**
 * Has the shared clips and the samples looked at, and measures by what is written down of them: groups of faces where nobody is or of two
 * people, how many people and how many of their seconds were found; and how many labels are right, and how many of those that there are.
 */
export async function measurePeopleAndLabels(media: string): Promise<object[]> {
  const run = steps.filter((step) => step.class === 'playable' || ['shots', 'people', 'labels'].includes(step.name));
  const archive = await openTestIngest(undefined, { steps: run });
  return await measureIn(archive, media).finally(() => archive.close());
}

async function measureIn(archive: TestIngest, media: string): Promise<object[]> {
  const truthOfLabels = await readTruth('labels.jsonl', LabelsTruth);
  const truthOfFaces = await readTruth('faces.jsonl', FacesTruth);
  const films: LookedAt[] = [];
  using memory = watchSteps();
  for (const { file } of truthOfLabels) films.push(await lookAt(archive, { media, file }));
  return [
    {
      step: 'faces',
      set: 'clips',
      films: films.length,
      ...measureFaces(films, truthOfFaces),
      ...(await speedOf(archive, films, 'people')),
      peakRssMB: memory.peakMB('people'),
    },
    {
      step: 'labels',
      set: 'clips',
      films: films.length,
      ...measureLabels(films, truthOfLabels),
      ...(await speedOf(archive, films, 'labels')),
      peakRssMB: memory.peakMB('labels'),
    },
  ];
}

async function readTruth<T>(name: string, Truth: z.ZodType<T>): Promise<T[]> {
  const text = await readFile(join(root, 'bench', 'truth', name), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => Truth.parse(JSON.parse(line)));
}

async function lookAt(archive: TestIngest, { media, file }: { media: string; file: string }): Promise<LookedAt> {
  const { id } = await archive.ingest(join(file.startsWith('samples/') ? root : media, file));
  const { pool } = archive.context;
  const areDone = async () => {
    const steps = await findSteps(pool, id);
    return ['people', 'labels'].every((name) =>
      steps.some(({ step, state }) => step === name && ['done', 'skipped', 'failed'].includes(state)),
    );
  };
  await until(areDone, { withinMs: 3_600_000 });
  return { file, id, layers: (await findLayers(pool, id)).filter(({ name }) => name === 'faces' || name === 'labels') };
}

/** Half a second: what a picture stands for in films that are looked at once a second. */
const nearMs = 600;
const samePlaceMin = 0.2;

function measureFaces(films: readonly LookedAt[], truth: readonly FacesTruth[]): object {
  const counts = { groups: 0, falseGroups: 0, mixedGroups: 0, people: 0, peopleFound: 0, seconds: 0, secondsFound: 0 };
  for (const { file, layers } of films) {
    const groups = layers.flatMap((layer) => (layer.name === 'faces' ? layer.groups : []));
    const people = truth.find((one) => one.file === file)?.faces ?? [];
    const shown = groups.map((group) => people.filter(({ seen }) => seen.some((one) => isSeenIn(group, one))));
    counts.groups += groups.length;
    counts.falseGroups += shown.filter(({ length }) => length === 0).length;
    counts.mixedGroups += shown.filter(({ length }) => length > 1).length;
    counts.people += people.length;
    counts.peopleFound += people.filter((person) => shown.some((those) => those.includes(person))).length;
    const seconds = people.flatMap(({ seen }) => seen);
    counts.seconds += seconds.length;
    counts.secondsFound += seconds.filter((one) => groups.some((group) => isSeenIn(group, one))).length;
  }
  return { ...counts, recall: rounded(counts.secondsFound / Math.max(1, counts.seconds)) };
}

function isSeenIn({ tracks }: FaceGroup, { at, place }: z.infer<typeof SeenTruth>): boolean {
  const atMs = at * 1_000;
  return tracks.some(({ startMs, endMs, places }) => {
    const stood = places.findLast((one) => one.atMs <= atMs + nearMs) ?? places[0];
    return startMs - nearMs <= atMs && atMs <= endMs + nearMs && stood !== undefined && overlapOf(stood.place, place) >= samePlaceMin;
  });
}

function measureLabels(films: readonly LookedAt[], truth: readonly LabelsTruth[]): object {
  const wrong: string[] = [];
  const missed: string[] = [];
  let [said, right, there] = [0, 0, 0];
  for (const { file, layers } of films) {
    const { labels = [], mayBe = [] } = truth.find((one) => one.file === file) ?? {};
    const names = layers.flatMap((layer) =>
      layer.name === 'labels' && layer.moments.some(({ source }) => source === 'machine') ? layer.names : [],
    );
    said += names.length;
    there += labels.length;
    right += labels.filter((label) => names.includes(label)).length;
    wrong.push(...names.filter((name) => !labels.includes(name) && !mayBe.includes(name)).map((name) => `${name} in ${file}`));
    missed.push(...labels.filter((label) => !names.includes(label)).map((name) => `${name} in ${file}`));
  }
  return {
    said,
    precision: rounded((said - wrong.length) / Math.max(1, said)),
    recall: rounded(right / Math.max(1, there)),
    wrong,
    missed,
  };
}

/** Seconds of film for a second of the step, over all films; and over those of 720 lines. */
async function speedOf({ context }: TestIngest, films: readonly LookedAt[], step: string): Promise<object> {
  const { rows } = await context.pool.query<{ all: number; hd: number }>(sql`
    select sum(v.duration_seconds) / sum(extract(epoch from s.ended_at - s.started_at)::float8) as all,
           sum(v.duration_seconds) filter (where v.height = 720)
             / sum(extract(epoch from s.ended_at - s.started_at)::float8) filter (where v.height = 720) as hd
      from ingest_steps s join videos v on v.id = s.video_id
     where s.video_id = any (${films.map(({ id }) => id)}::text[]) and s.step = ${step}`);
  return { realTimeFactor: rounded(rows[0]?.all ?? 0), realTimeFactor720: rounded(rows[0]?.hd ?? 0) };
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
