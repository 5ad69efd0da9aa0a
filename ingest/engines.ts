import type { JobQueue } from '#domain/jobs/job-queue.ts';
import type { TextEncoder } from '#domain/meaning/encode-film.ts';
import { builtInEncoder } from '#domain/meaning/encoder/choose-encoder.ts';
import { errorMessageOf } from '#domain/system/error-message.ts';
import { type KnownEngine, registerEngines } from '#domain/videos/engines.ts';
import { hearWithoutModel, type KnownModel, registerModels } from '#domain/videos/fetched-models.ts';
import { checkModels, type Engine, type EngineAtHand } from './engines/engine.ts';
import { faceEngine, labelEngine } from './engines/human-models.ts';
import { paddleText } from './engines/paddle-text.ts';
import { sileroVoice } from './engines/silero-voice.ts';
import type { IngestContext } from './ingest-context.ts';
import { findSpeechEngines, type SpeechEngineAtHand, speechEngineFor } from './speech/find-speech-engines.ts';
import { findLackingModels, isModelHere, removeUnwantedModels, whisperModels, whisperRepository } from './speech/whisper-models.ts';
import { brandFinder, brands } from './steps/brands.ts';
import { keywords, wordCounter } from './steps/keywords.ts';
import { labels } from './steps/labels.ts';
import { language, languageTeller } from './steps/language.ts';
import { meaning, sentenceEngineOf } from './steps/meaning.ts';
import { people } from './steps/people.ts';
import { pictureSubtitles, subtitleReader } from './steps/picture-subtitles.ts';
import { shotFinderEngine, shots } from './steps/shots.ts';
import { speech } from './steps/speech.ts';
import { text } from './steps/text.ts';
import { voice } from './steps/voice.ts';

/** Engines that come with the archive, and the step that each works for. */
const ownEngines: readonly { readonly engine: Engine; readonly step: string }[] = [
  { engine: shotFinderEngine, step: shots.name },
  { engine: sileroVoice, step: voice.name },
  { engine: subtitleReader, step: pictureSubtitles.name },
  { engine: languageTeller, step: language.name },
  { engine: paddleText, step: text.name },
  { engine: faceEngine, step: people.name },
  { engine: labelEngine, step: labels.name },
  { engine: brandFinder, step: brands.name },
  { engine: wordCounter, step: keywords.name },
];

type EnginesOfWorker = Pick<IngestContext, 'pool' | 'folder' | 'speech' | 'encoder' | 'tools'>;

/** Tells the archive what this worker recognises things with; films that could not wait for a model that is here now are heard. */
export async function tellEngines({ context, queue }: { context: EnginesOfWorker; queue: JobQueue }): Promise<void> {
  await publishEngines(context);
  if ((await findLackingModels(context)).length === 0) await hearWithoutModel({ ...context, queue });
}

/** Tells the archive what this worker recognises things with, and which models it could fetch. */
export async function publishEngines({ pool, folder, speech: settings, encoder, tools }: EnginesOfWorker): Promise<void> {
  // Else it would be told as here again.
  await removeUnwantedModels({ pool, folder });
  const own = await Promise.all(
    ownEngines.map(async (one) => {
      const off = one.engine === subtitleReader ? tools.withoutSubtitles : undefined;
      return off ? { ...one, off } : await tryEngine(one);
    }),
  );
  const ofMeaning = await tryEncoders(encoder);
  const forSpeech = await findSpeechEngines(settings, folder.models);
  const heard = await Promise.all(forSpeech.map((one) => trySpeechEngine(one, forSpeech)));
  await registerEngines(pool, [...heard, ...own, ...ofMeaning].map(toKnownEngine));
  await registerModels(pool, await Promise.all(whisperModels.map((model) => toKnownModel(model, folder.models))));
}

/** An engine that misses a file, or whose file is broken, is not used. */
async function tryEngine({ engine, step }: (typeof ownEngines)[number]): Promise<EngineAtHand> {
  const reason = await checkModels(engine).then(
    () => undefined,
    (error: Error) => error.message,
  );
  return { engine, step, ...(reason ? { off: { reason, whatToDo: 'Restore the original file and restart the worker.' } } : {}) };
}

/** The encoder that is used, which an operator's own has to be seen at work to be; and the archive's own behind that one. */
async function tryEncoders({ choice, signs }: TextEncoder): Promise<EngineAtHand[]> {
  const step = meaning.name;
  const used = await tryEngine({ engine: sentenceEngineOf(choice), step });
  if (!choice.own) return [used];
  const whatToDo = `Set RUSHES_MEANING_MODEL to an ONNX sentence-embedding model, with its tokenizer.json beside it, and restart the archive.`;
  const reason = used.off?.reason ?? (await signs(['a sentence']).then(() => undefined, errorMessageOf));
  const before = {
    reason: `${used.engine.name} is used instead.`,
    whatToDo: 'Remove RUSHES_MEANING_MODEL to use this one.',
  };
  return [
    { ...used, ...(reason ? { off: { reason, whatToDo } } : {}) },
    { engine: sentenceEngineOf(builtInEncoder), step, off: before },
  ];
}

/** One that another goes before is not used either, whatever a film's language. */
async function trySpeechEngine(one: SpeechEngineAtHand, all: readonly SpeechEngineAtHand[]): Promise<EngineAtHand> {
  const { engine, hears, off } = one;
  if (!hears) return { engine, step: speech.name, ...(off ? { off } : {}) };
  const used = [speechEngineFor(all, 'en'), speechEngineFor(all, 'und')];
  const before = used.find((other) => other !== hears);
  if (used.includes(hears) || !before) return await tryEngine({ engine, step: speech.name });
  const reason = `${before.engine.name} is used instead.`;
  return { engine, step: speech.name, off: { reason, whatToDo: 'Remove the other one to use this one.' } };
}

function toKnownEngine({ engine: { models, runtime: _, ...engine }, step, off }: EngineAtHand): KnownEngine {
  return { ...engine, step, models: models.map(({ path }) => path.replace(/^.*[/\\]/, '')), off: off ?? null };
}

async function toKnownModel(model: (typeof whisperModels)[number], folder: string): Promise<KnownModel> {
  const { name, bytes, goodAt } = model;
  const { licence, name: source } = whisperRepository;
  return { name, bytes, goodAt, licence, source, isHere: await isModelHere(folder, model) };
}
