import { open } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { z } from 'zod';
import type { HeardLine } from '#domain/transcripts/heard-line.ts';
import { linesOfWords } from '../analysis/spoken-lines.ts';
import { checkModels, checksumOf, type Engine } from '../engines/engine.ts';
import { Stretch } from '../engines/silero-voice.ts';
import { StepFailure } from '../step-failure.ts';
import type { SpeechEngine } from './speech-engine.ts';
import { nameWhisperFile, whisperModels, whisperRepository } from './whisper-models.ts';

const child = join(import.meta.dirname, 'whisper-child.ts');

/** What the child is asked: sound as `SoundPlan` says it, the model, and what to listen to. */
export const WhisperJob = z.object({
  path: z.string(),
  model: z.string(),
  /** `auto`, or a tag that the model knows. */
  language: z.string(),
  threads: z.number().int(),
  chunks: z.array(Stretch),
  workFolder: z.string(),
});

/** Words with their times in seconds from the start of the sound. */
export const WhisperWords = z.array(z.object({ text: z.string(), start: z.number(), end: z.number() }));

/** Whisper looks at half a minute at a time; what is a little shorter is never cut. */
const chunkSeconds = 28;
/** It does not say how sure it is. */
const trust = 0.8;

/** Whisper with the model in this file. */
export async function makeWhisperEngine(path: string): Promise<SpeechEngine> {
  const known = whisperModels.find((model) => nameWhisperFile(model) === basename(path));
  const sha256 = (await checksumOf(path)) ?? '';
  const engine: Engine = {
    name: known ? `Whisper ${known.name}` : `Whisper (${basename(path)})`,
    version: sha256.slice(0, 8) || 'missing',
    licence: known ? whisperRepository.licence : null,
    source: known ? `${whisperRepository.name} at ${whisperRepository.revision.slice(0, 8)}` : 'this archive’s own file',
    goodAt: known?.goodAt ?? 'See its maker’s description; not measured here.',
    models: [{ path, sha256: known?.sha256 ?? sha256 }],
  };
  const hear: SpeechEngine['hear'] = async ({ runEngine }, { input, workFolder, chunks }) => {
    await checkModels(engine);
    const job: z.infer<typeof WhisperJob> = {
      path: input.path,
      model: path,
      language: (await hearsEnglishOnly(path)) ? 'en' : 'auto',
      // Its threads wait for each other at full speed: one too many, and all of them stand still.
      threads: Math.max(1, Math.floor(availableParallelism() / 2)),
      chunks: [...chunks],
      workFolder,
    };
    const held = { ...input, outputFolder: workFolder };
    const words = await runEngine(held, { file: child, job, doing: 'Whisper', Result: WhisperWords, models: [path] });
    return chunks.flatMap((chunk) => linesWithin(words, chunk));
  };
  return { engine, trust, chunkSeconds, hear };
}

/** A chunk ends in silence, so no line goes on behind it. */
function linesWithin(words: z.infer<typeof WhisperWords>, [startMs, endMs]: Stretch): HeardLine[] {
  return linesOfWords(words.filter(({ start }) => start * 1_000 >= startMs && start * 1_000 < endMs));
}

const mark = 0x67676d6c;
const englishVocabulary = 51_864;

/** As the head of its file says it: its mark, then how many tokens it knows. Throws a StepFailure for a file of another kind. */
async function hearsEnglishOnly(path: string): Promise<boolean> {
  await using file = await open(path, 'r');
  const { buffer } = await file.read(Buffer.alloc(8), 0, 8, 0);
  if (buffer.readUInt32LE(0) !== mark)
    throw new StepFailure({ is: 'tool-missing' }, `Whisper cannot be used: ${basename(path)} is not a whisper.cpp model file.`);
  return buffer.readUInt32LE(4) === englishVocabulary;
}
