import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runHeld } from '../tools/run-held.ts';
import { findSandbox } from '../tools/sandbox.ts';
import { findSpeechEngines, speechEngineFor } from './find-speech-engines.ts';

const folder = await mkdtemp(join(tmpdir(), 'rushes-speech-engines-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const [models, programs, own] = [join(folder, 'models'), join(folder, 'bin'), join(folder, 'ours.bin')];
await mkdir(models);
await mkdir(programs);
await writeFile(own, 'a model');
const service = { url: 'http://ears.example/v1/audio/transcriptions', model: 'ears-1' };

/** A recogniser of the old kind: it prints what it heard, then the time of each word. */
async function installPocketsphinx(): Promise<void> {
  const program = join(programs, 'pocketsphinx_continuous');
  await writeFile(
    program,
    '#!/bin/sh\n[ "$1" = -infile ] && head -c4 "$2"\nprintf "\\nturn left\\nturn 0.50 0.90 0.99\\nleft 1.00 1.40 0.5\\n"\n',
  );
  await chmod(program, 0o755);
}

const nameFor = (engines: Awaited<ReturnType<typeof findSpeechEngines>>, language = 'en') =>
  speechEngineFor(engines, language)?.engine.name;

test('what the operator named goes before what was fetched, and that before what is mostly wrong', async () => {
  const all = { whisperModel: own, service, allowsRough: true, searchPath: programs, modelHub: '' };
  expect(nameFor(await findSpeechEngines({ allowsRough: true, searchPath: '', modelHub: '' }, models))).toBeUndefined();
  await installPocketsphinx();
  expect(nameFor(await findSpeechEngines({ allowsRough: true, searchPath: programs, modelHub: '' }, models))).toBe('pocketsphinx');
  expect(nameFor(await findSpeechEngines({ allowsRough: false, searchPath: programs, modelHub: '' }, models))).toBeUndefined();
  await writeFile(join(models, 'ggml-base.en.bin'), 'cut off');
  const fetched = await findSpeechEngines({ allowsRough: true, searchPath: programs, modelHub: '' }, models);
  expect(nameFor(fetched)).toBe('Whisper base.en');
  expect(nameFor(fetched, 'de')).toBeUndefined();
  expect(nameFor(await findSpeechEngines({ ...all, whisperModel: undefined }, models))).toBe('Speech service at ears.example');
  expect(nameFor(await findSpeechEngines(all, models))).toBe('Whisper (ours.bin)');
});

test('a model that is not what its name says is not run', async () => {
  await writeFile(join(models, 'ggml-small.bin'), 'something else');
  const engine = speechEngineFor(await findSpeechEngines({ allowsRough: false, searchPath: '', modelHub: '' }, models), 'de');
  const never = () => Promise.reject(new Error('it was run'));
  const heard = engine?.hear(
    { runEngine: never, runProgram: never },
    { input: { path: own, timeoutMs: 1_000 }, workFolder: folder, chunks: [[0, 1_000]] },
  );
  await expect(heard).rejects.toMatchObject({
    kind: { is: 'tool-missing' },
    message: 'Whisper small cannot be used: its file ggml-small.bin is damaged: its checksum is wrong.',
  });
});

test('what pocketsphinx prints of a chunk stands at its seconds of the film', async () => {
  await installPocketsphinx();
  const sandbox = await findSandbox(join(folder, 'data'));
  const sound = join(folder, 'sound.pcm');
  await writeFile(sound, Buffer.alloc(5 * 32_000));
  const rough = speechEngineFor(
    await findSpeechEngines({ allowsRough: true, searchPath: programs, modelHub: '' }, join(folder, 'none')),
    'en',
  );
  const heard = await rough?.hear(
    { runEngine: () => Promise.reject(new Error('no child is needed')), runProgram: (input, call) => runHeld(sandbox, input, call) },
    { input: { path: sound, timeoutMs: 20_000 }, workFolder: folder, chunks: [[2_000, 4_000]] },
  );
  expect(rough?.isRough).toBe(true);
  expect(heard).toMatchObject([
    {
      start: 2.5,
      text: 'turn left',
      words: [
        { text: 'turn', start: 2.5 },
        { text: 'left', start: 3 },
      ],
    },
  ]);
  expect(rough?.trust).toBe(0.2);
});
