import { constants } from 'node:fs';
import { access, realpath, rm, writeFile } from 'node:fs/promises';
import { basename, delimiter, isAbsolute, join } from 'node:path';
import { z } from 'zod';
import type { HeardLine } from '#domain/transcripts/heard-line.ts';
import { parseSphinxSpeech } from '#domain/transcripts/sphinx-speech.ts';
import type { Engine, EngineAtHand } from '../engines/engine.ts';
import type { Stretch } from '../engines/silero-voice.ts';
import { StepFailure } from '../step-failure.ts';
import { readStretchAsWav } from './chunk-sound.ts';
import type { SpeechEngine } from './speech-engine.ts';
import { openSpeechService } from './speech-service.ts';
import type { SpeechSettings } from './speech-settings.ts';
import { makeWhisperEngine } from './whisper-engine.ts';
import { isEnglishOnly, isModelHere, nameWhisperFile, whisperModels } from './whisper-models.ts';

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
  const own = whisperModel ? [await makeWhisperEngine(whisperModel)] : [];
  const services = service ? [openSpeechService(service)] : [];
  const fetched = await Promise.all((await listFetchedModels(modelsFolder)).map((path) => makeWhisperEngine(path)));
  // The same model may lie at both places, or the operator have named the fetched one.
  const others = fetched.filter(({ engine }) => !own.some((named) => named.engine.name === engine.name));
  const all = [...own, ...services, ...others];
  const used = all.map((hears): SpeechEngineAtHand => ({ engine: hears.engine, hears }));
  const goodAt = 'Speech in the languages of its model. Not measured here: the archive comes without a model.';
  const none = {
    reason: 'There is no model file.',
    whatToDo: 'Download a model below, or set RUSHES_WHISPER_MODEL to a file of your own.',
  };
  return [
    ...used,
    ...(own.length + fetched.length === 0 ? [{ engine: { ...notThere, goodAt }, off: none }] : []),
    await findRoughEngine({ allowsRough, searchPath }),
  ];
}

async function findRoughEngine({
  allowsRough,
  searchPath,
}: Pick<SpeechSettings, 'allowsRough' | 'searchPath'>): Promise<SpeechEngineAtHand> {
  const engine = pocketsphinxEngine;
  if (!allowsRough)
    return { engine, off: { reason: 'RUSHES_ROUGH_SPEECH=0 turns it off.', whatToDo: 'Set it to 1 to get rough transcripts.' } };
  const program = await findPocketsphinx(searchPath);
  if (program) return { engine, hears: makePocketsphinx(program) };
  return { engine, off: { reason: 'It is not installed.', whatToDo: 'Use Whisper instead: most of what this one writes is wrong.' } };
}

/** Which of several reads a film: the first, and one for English only where the film speaks it. */
export function speechEngineFor(engines: readonly SpeechEngineAtHand[], language: string): SpeechEngine | undefined {
  const isEnglish = language.toLowerCase().startsWith('en');
  const hearsIt = (name: string) => isEnglish || (!isEnglishOnly(name) && name !== pocketsphinxEngine.name);
  return engines.find(({ engine, hears }) => hears && hearsIt(engine.name))?.hears;
}

async function listFetchedModels(folder: string): Promise<string[]> {
  const here = await Promise.all(whisperModels.map((model) => isModelHere(folder, model)));
  return whisperModels.filter((_, n) => here[n]).map((model) => join(folder, nameWhisperFile(model)));
}

/** What it says is mostly wrong on real speech, whatever it says of itself. */
const trust = 0.2;
const chunkSeconds = 30;
const names = ['pocketsphinx_continuous', 'pocketsphinx'];
/** Where Debian puts the models that come with it. */
const modelFolder = '/usr/share/pocketsphinx';

const pocketsphinxEngine: Engine = {
  name: 'pocketsphinx',
  version: 'rough',
  licence: 'BSD-2-Clause',
  source: 'a system package',
  goodAt: 'English read aloud by a clear voice. Rough: gets most words of real speech wrong (80% on our clips).',
  models: [],
};

/** The recogniser of the system, by its true name; undefined where it is not installed. */
async function findPocketsphinx(searchPath: string): Promise<string | undefined> {
  for (const folder of searchPath.split(delimiter).filter(isAbsolute))
    for (const name of names) {
      const path = join(folder, name);
      if (await isThere(path, constants.X_OK)) return await realpath(path);
    }
  return undefined;
}

/** The recogniser with this program. */
function makePocketsphinx(program: string): SpeechEngine {
  const hear: SpeechEngine['hear'] = async ({ runProgram }, { input, workFolder, chunks }) => {
    const programs = (await isThere(modelFolder, constants.R_OK)) ? [modelFolder] : [];
    const lines: HeardLine[] = [];
    for (const chunk of chunks) {
      const path = join(workFolder, 'chunk.wav');
      await writeFile(path, await readStretchAsWav(input.path, chunk));
      const { exitCode, stdout } = await runProgram({ ...input, path }, { command: program, args: argumentsFor(program, path), programs });
      await rm(path);
      if (exitCode !== 0) throw new StepFailure({ is: 'try-again' }, `pocketsphinx ended with ${exitCode}.`);
      lines.push(...linesOf(stdout, chunk));
    }
    return lines;
  };
  return { engine: pocketsphinxEngine, trust, isRough: true, chunkSeconds, hear };
}

/** Since version 5 it is one program with verbs; before that it took a file in the place of a microphone. */
function argumentsFor(program: string, path: string): string[] {
  return basename(program) === 'pocketsphinx' ? ['single', path] : ['-infile', path, '-time', 'yes', '-logfn', '/dev/null'];
}

/** Where it counts the time of each utterance anew, nobody knows when within the chunk one was said. */
function linesOf(printed: string, [startMs, endMs]: Stretch): HeardLine[] {
  const speech = parseSphinxSpeech(printed);
  if (!speech) return [];
  const read = z.array(speech.Line.or(z.null()).catch(null)).parse(speech.entries);
  const lines = read.filter((line) => line !== null);
  const [start, end] = [startMs / 1_000, endMs / 1_000];
  if (speech.refusal) return [{ start, end, text: lines.map(({ text }) => text).join(' '), words: [] }];
  return lines.map((line) => ({
    ...line,
    start: start + line.start,
    end: Math.min(end, start + line.end),
    words: line.words.map((word) => (word.start === undefined ? word : { ...word, start: start + word.start })),
  }));
}

async function isThere(path: string, mode: number): Promise<boolean> {
  return await access(path, mode).then(
    () => true,
    () => false,
  );
}
