import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { sha256Of } from '#domain/files/sha256.ts';
import type { Step } from '../step.ts';
import { steps } from '../steps.ts';
import { checkModels } from './engine.ts';

const folder = await mkdtemp(join(tmpdir(), 'rushes-models-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

test('a model file that is missing or has another checksum is not used, and which it is is said', async () => {
  const path = join(folder, 'ears.onnx');
  const engine = { name: 'Ears 2', models: [{ path, sha256: sha256Of('as it should be') }] };
  await expect(checkModels(engine)).rejects.toThrow('Ears 2 cannot be used: its file ears.onnx is missing.');
  await writeFile(path, 'as it should be');
  await checkModels(engine);
  await writeFile(path, 'as it SHOULD be');
  await utimes(path, 1_000, 1_000);
  await expect(checkModels(engine)).rejects.toThrow('Ears 2 cannot be used: its file ears.onnx is damaged: its checksum is wrong.');
});

test('an engine whose runtime has no program for this machine says so', async () => {
  const { arch } = process;
  onTestFinished(() => void Object.defineProperty(process, 'arch', { value: arch }));
  Object.defineProperty(process, 'arch', { value: 'mips' });
  const engine = { name: 'Ears 2', models: [], runtime: 'onnxruntime-node' } as const;
  await expect(checkModels(engine)).rejects.toThrow('Ears 2 cannot be used: onnxruntime-node has no build for this machine.');
  Object.defineProperty(process, 'arch', { value: arch });
  await checkModels(engine);
});

test('every step that recognises something says with which engine, and in which version of it', () => {
  const saysEngine = ({ Result }: Step) =>
    ['engine', 'engineVersion'].every((field) => Result.safeParse({}).error?.issues.some(({ path }) => path[0] === field));
  // They recognise nothing.
  const withoutEngine = ['larger-renditions', 'poster', 'frames'];
  const recognising = steps.filter((step) => step.class === 'understood' && !withoutEngine.includes(step.name));
  expect(recognising.filter((step) => !saysEngine(step)).map(({ name }) => name)).toEqual([]);
});
