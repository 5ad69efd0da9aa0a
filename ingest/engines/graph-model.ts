import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import { loadGraphModel } from '@tensorflow/tfjs-converter';
import { dispose, type io, ready, setBackend, type Tensor, tensor4d, tidy } from '@tensorflow/tfjs-core';

const wasm = resolve(import.meta.dirname, '..', '..', 'node_modules', '@tensorflow', 'tfjs-backend-wasm', 'dist');

/** Looks at one square picture: numbers of three colours a pixel, row by row. Answers its outputs by how many numbers they have. */
export type Look = (pixels: Float32Array, outputs?: string) => ReadonlyMap<number, Float32Array>;

/** Makes this process able to run models, on one thread. Throws where the machine cannot. */
export async function startModels(): Promise<void> {
  setWasmPaths(`${wasm}/`);
  if (!(await setBackend('wasm'))) throw new Error('the models cannot be run here');
  await ready();
}

/** Opens a model that looks at pictures of `side` by `side` pixels, from its description and the numbers that lie beside it. */
export async function openModel(path: string, side: number): Promise<Look> {
  // Which file it is was made sure of by its checksum.
  const { modelTopology, weightsManifest, signature }: io.ModelJSON = JSON.parse(await readFile(path, 'utf8'));
  const numbers = await readFile(path.replace(/json$/, 'bin'));
  const weightData = numbers.buffer.slice(numbers.byteOffset, numbers.byteOffset + numbers.byteLength);
  const weightSpecs = weightsManifest.flatMap(({ weights }) => weights);
  const artifacts = { modelTopology, weightSpecs, weightData, ...(signature ? { signature } : {}) };
  const model = await loadGraphModel({ load: () => Promise.resolve(artifacts) });
  return (pixels, outputs) => {
    const found = tidy(() => model.execute(tensor4d(pixels, [1, side, side, 3]), outputs));
    const tensors: readonly Tensor[] = Array.isArray(found) ? found : [found];
    const answer = new Map(tensors.map((tensor) => [tensor.size, Float32Array.from(tensor.dataSync())]));
    dispose([...tensors]);
    return answer;
  };
}
