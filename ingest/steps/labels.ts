import { join } from 'node:path';
import { z } from 'zod';
import { overlapOf } from '#domain/moments/faces.ts';
import type { Moment } from '#domain/moments/moment.ts';
import { checkModels, EngineUsed, engineUsed } from '../engines/engine.ts';
import { labelSide, SeenThing } from '../engines/human-labels.ts';
import { labelEngine, modelPath } from '../engines/human-models.ts';
import { lookAtFilm, type Seen } from '../look-at-film.ts';
import type { Step, StepContext, StepOutcome } from '../step.ts';
import { probe } from './probe.ts';

const LabelsResult = EngineUsed.extend({ labels: z.array(z.string()) });
type LabelsResult = z.infer<typeof LabelsResult>;

const box = { width: labelSide, height: labelSide };
/** Pictures are so far apart, and a short film has so many. */
const [everySeconds, everySecondsMin, picturesMin] = [2, 0.25, 10];
/** One sighting at least has to be so sure, and each that counts so sure. */
const [sureMin, seenMin] = [0.55, 0.45];
/** What fills a picture from edge to edge is mostly something else: a sky of lights is no umbrella. */
const filledMax = 0.8;
/** Sightings so many pictures apart are one appearance. */
const joinedPictures = 3;
const child = join(import.meta.dirname, '..', 'engines', 'human-labels-child.ts');

/** Finds things of eighty everyday kinds in a film. What catalogues say of it stays beside it. */
export const labels: Step<LabelsResult> = {
  name: 'labels',
  version: 1,
  needs: [probe],
  optional: true,
  class: 'understood',
  share: 10,
  Result: LabelsResult,
  run: findLabels,
};

async function findLabels(context: StepContext): Promise<StepOutcome<LabelsResult>> {
  const { description, durationInSeconds } = context.resultOf(probe);
  const { video } = description;
  if (!video) return { is: 'skipped', reason: 'There is no picture.', layers: [] };
  await checkModels(labelEngine);
  const every = Math.max(everySecondsMin, Math.min(everySeconds, durationInSeconds / picturesMin));
  const pictures = await lookAtFilm(context, {
    video,
    box,
    Seen: z.array(SeenThing),
    everySeconds: () => every,
    call: (drawn) => ({ file: child, job: { pictures: drawn, model: modelPath('centernet') }, doing: 'Looking for things' }),
  });
  const moments = joinThings(pictures, Math.round(durationInSeconds * 1_000));
  const names = [...new Set(moments.map(({ text }) => text))].sort();
  return { is: 'done', result: { labels: names, ...engineUsed(labelEngine) }, layers: [{ name: 'labels', names, moments }] };
}

/** Appearances of things that were seen at least twice: once may be a trick of the light. */
export function joinThings(pictures: readonly Seen<readonly SeenThing[]>[], endMs: number): Moment[] {
  const { name: engine, version } = labelEngine;
  const sightings = pictures.flatMap(({ atMs, lengthMs, seen }) =>
    seen.filter(({ score, place }) => score >= seenMin && !isFilledBy(place)).map((thing) => ({ ...thing, atMs, lengthMs })),
  );
  return [...Map.groupBy(sightings, ({ name }) => name)].flatMap(([text, all]) => {
    const isSure = all.some(({ score }) => score >= sureMin) && new Set(all.map(({ atMs }) => atMs)).size > 1;
    if (!isSure) return [];
    return appearancesOf(all).map(({ startMs, endMs: lastMs, score }) => ({
      kind: 'Annotations' as const,
      source: 'machine' as const,
      engine: `${engine} ${version}`,
      text,
      startMs,
      endMs: Math.min(lastMs, endMs),
      confidencePercent: Math.round(score * 100),
    }));
  });
}

interface Appearance {
  startMs: number;
  endMs: number;
  score: number;
}

function appearancesOf(sightings: readonly { atMs: number; lengthMs: number; score: number }[]): Appearance[] {
  const all: Appearance[] = [];
  for (const { atMs, lengthMs, score } of sightings) {
    const last = all.at(-1);
    if (last && atMs - last.endMs <= joinedPictures * lengthMs) {
      last.endMs = atMs + lengthMs;
      last.score = Math.max(last.score, score);
    } else all.push({ startMs: atMs, endMs: atMs + lengthMs, score });
  }
  return all;
}

const whole = [0, 0, 1_000, 1_000] as const;

function isFilledBy(place: SeenThing['place']): boolean {
  return overlapOf(place, whole) > filledMax;
}
