import { constants } from 'node:fs';
import { access, realpath, rm, writeFile } from 'node:fs/promises';
import { basename, delimiter, isAbsolute, join } from 'node:path';
import { z } from 'zod';
import type { Engine } from '../engines/engine.ts';
import type { Stretch } from '../engines/silero-voice.ts';
import { StepFailure } from '../step-failure.ts';
import type { HeardLine } from '../transcripts/heard-line.ts';
import { sphinxSpeech } from '../transcripts/sphinx-speech.ts';
import { readStretchAsWav } from './chunk-sound.ts';
import type { SpeechEngine } from './speech-engine.ts';

/** What it says is mostly wrong on real speech, whatever it says of itself. */
const trust = 0.2;
const chunkSeconds = 30;
const names = ['pocketsphinx_continuous', 'pocketsphinx'];
/** Where Debian puts the models that come with it. */
const modelFolder = '/usr/share/pocketsphinx';

export const pocketsphinxEngine: Engine = {
  name: 'pocketsphinx',
  version: 'rough',
  licence: 'BSD-2-Clause',
  source: 'a package of the system',
  goodAt: 'English read aloud by a clear voice. Rough: most words of real speech come out wrong, of our clips 80 of 100.',
  models: [],
};

/** The recogniser of the system, by its true name; undefined where it is not installed. */
export async function findPocketsphinx(searchPath: string): Promise<string | undefined> {
  for (const folder of searchPath.split(delimiter).filter(isAbsolute))
    for (const name of names) {
      const path = join(folder, name);
      if (await isThere(path, constants.X_OK)) return await realpath(path);
    }
  return undefined;
}

/** The recogniser with this program. */
export function pocketsphinx(program: string): SpeechEngine {
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
  const speech = sphinxSpeech(printed);
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
