import { join } from 'node:path';
import { z } from 'zod';
import { joinThings } from '../analysis/sightings.ts';
import { checkModels, EngineUsed, toEngineUsed } from '../engines/engine.ts';
import { labelSide, SeenThing } from '../engines/human-labels.ts';
import { labelEngine, toModelPath } from '../engines/human-models.ts';
import { lookAtFilm } from '../look-at-film.ts';
import type { Step, StepContext, StepOutcome } from '../step.ts';
import { probe } from './probe.ts';

const LabelsResult = EngineUsed.extend({ labels: z.array(z.string()) });
type LabelsResult = z.infer<typeof LabelsResult>;

const box = { width: labelSide, height: labelSide };
/** Pictures are so far apart, and a short film has so many. */
const [everySeconds, everySecondsMin, picturesMin] = [2, 0.25, 10];
const child = join(import.meta.dirname, '..', 'engines', 'human-labels-child.ts');

/** Finds things of eighty everyday kinds in a film. What catalogues say of it stays beside it. */
export const labels: Step<LabelsResult> = {
  name: 'labels',
  version: 1,
  needs: [probe],
  optional: true,
  class: 'understood',
  share: 7,
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
    call: (drawn) => ({ file: child, job: { pictures: drawn, model: toModelPath('centernet') }, doing: 'Looking for things' }),
  });
  const engine = `${labelEngine.name} ${labelEngine.version}`;
  const moments = joinThings(pictures, Math.round(durationInSeconds * 1_000)).map((moment) => ({ ...moment, engine }));
  const names = [...new Set(moments.map(({ text }) => text))].sort();
  return { is: 'done', result: { labels: names, ...toEngineUsed(labelEngine) }, layers: [{ name: 'labels', names, moments }] };
}
