import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Weights } from './onnx-model.ts';

const ModelFile = z.object({
  weightsManifest: z.array(
    z.object({
      paths: z.array(z.string()),
      weights: z.array(z.object({ name: z.string(), shape: z.array(z.number().int()), dtype: z.enum(['float32', 'int32']) })),
    }),
  ),
});

/** The weights of a model of TensorFlow.js by their names, as its `model.json` lists them; those that are whole numbers are left out. */
export async function readWeights(path: string): Promise<ReadonlyMap<string, Weights>> {
  const { weightsManifest } = ModelFile.parse(JSON.parse(await readFile(path, 'utf8')));
  const weights = new Map<string, Weights>();
  for (const group of weightsManifest) {
    const bytes = Buffer.concat(await Promise.all(group.paths.map((name) => readFile(join(dirname(path), name)))));
    let offset = 0;
    for (const { name, shape, dtype } of group.weights) {
      const length = shape.reduce((product, size) => product * size, 1);
      const values = new Float32Array(length);
      bytes.copy(Buffer.from(values.buffer), 0, offset, offset + values.byteLength);
      offset += values.byteLength;
      if (dtype === 'float32') weights.set(name, { shape, values });
    }
  }
  return weights;
}
