import { join } from 'node:path';
import type { EngineAtHand } from '../engines/engine.ts';
import { findPocketsphinx, pocketsphinx, pocketsphinxEngine } from './pocketsphinx.ts';
import type { SpeechEngine } from './speech-engine.ts';
import { speechService } from './speech-service.ts';
import type { SpeechSettings } from './speech-settings.ts';
import { whisperEngine } from './whisper-engine.ts';
import { isEnglishOnly, isModelHere, whisperFileName, whisperModels } from './whisper-models.ts';

/** A recogniser of speech, and whether it is used. */
export interface SpeechEngineAtHand extends Omit<EngineAtHand, 'step'> {
  /** Undefined for one that cannot be used. */
  readonly hears?: SpeechEngine;
}

const notThere = { name: 'Whisper', version: 'of FFmpeg 8', licence: 'MIT', source: 'package node-av', models: [] };

/**
 * The recognisers of speech in the order in which they are asked for: what the operator named goes before what was fetched, and that before
 * what is mostly wrong.
 */
export async function findSpeechEngines(settings: SpeechSettings, modelsFolder: string): Promise<SpeechEngineAtHand[]> {
  const { whisperModel, service, allowsRough, searchPath } = settings;
  const own = whisperModel ? [await whisperEngine(whisperModel)] : [];
  const services = service ? [speechService(service)] : [];
  const fetched = await Promise.all((await fetchedModels(modelsFolder)).map((path) => whisperEngine(path)));
  const all = [...own, ...services, ...fetched];
  const used = all.map((hears): SpeechEngineAtHand => ({ engine: hears.engine, hears }));
  const goodAt = 'Speech in the languages of its model. Not measured here: no model comes with the archive.';
  const none = { reason: 'There is no model file.', whatToDo: 'Fetch a model below, or name a file of your own in RUSHES_WHISPER_MODEL.' };
  return [
    ...used,
    ...(own.length + fetched.length === 0 ? [{ engine: { ...notThere, goodAt }, off: none }] : []),
    await roughEngine({ allowsRough, searchPath }),
  ];
}

async function roughEngine({ allowsRough, searchPath }: Pick<SpeechSettings, 'allowsRough' | 'searchPath'>): Promise<SpeechEngineAtHand> {
  const engine = pocketsphinxEngine;
  if (!allowsRough) return { engine, off: { reason: 'RUSHES_ROUGH_SPEECH=0 leaves it out.', whatToDo: 'Set it to 1 to have rough text.' } };
  const program = await findPocketsphinx(searchPath);
  if (program) return { engine, hears: pocketsphinx(program) };
  return { engine, off: { reason: 'It is not installed.', whatToDo: 'Rather use Whisper: most of what this one writes is wrong.' } };
}

/** Which of several reads a film: the first, and one for English only where the film speaks it. */
export function speechEngineFor(engines: readonly SpeechEngineAtHand[], language: string): SpeechEngine | undefined {
  const isEnglish = language.toLowerCase().startsWith('en');
  const hearsIt = (name: string) => isEnglish || (!isEnglishOnly(name) && name !== pocketsphinxEngine.name);
  return engines.find(({ engine, hears }) => hears && hearsIt(engine.name))?.hears;
}

async function fetchedModels(folder: string): Promise<string[]> {
  const here = await Promise.all(whisperModels.map((model) => isModelHere(folder, model)));
  return whisperModels.filter((_, n) => here[n]).map((model) => join(folder, whisperFileName(model)));
}
