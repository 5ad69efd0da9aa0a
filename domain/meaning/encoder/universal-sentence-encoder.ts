import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { OnnxModel, type Weights } from './onnx-model.ts';

/** Pieces of a text that the encoder looks at; it leaves out whatever stands behind them. */
export const piecesMax = 128;
/** Numbers of a vector. */
export const dimensions = 512;

const heads = 4;

interface Layer {
  readonly number: 0 | 1;
  /** Numbers of a piece that attention works with. */
  readonly width: number;
}

/**
 * The Universal Sentence Encoder in its small form, as an ONNX model: a transformer of two layers over pieces of words, whose mean goes
 * through one more layer. Its inputs are `pieces` and `mask` (1 for a piece, 0 where a text has ended), a row for each text, and `positions`,
 * the numbers from 0. Out of it come vectors of length 1, `vectors`.
 */
export function buildSentenceEncoderModel(weights: ReadonlyMap<string, Weights>): { bytes: Buffer; output: string } {
  const model = new OnnxModel();
  const pieces = model.input('pieces', 'int64', ['texts', 'length']);
  const mask = model.input('mask', 'float', ['texts', 'length']);
  const positions = model.input('positions', 'int64', ['length']);
  const build = new Builder(model, weights);
  const ignored = model.add('Mul', [model.add('Sub', [model.number(1), mask]), model.number(-1e9)]);
  const bias = model.add('Unsqueeze', [ignored, model.integers(1, 2)]);
  const embedded = model.add('Gather', [build.weights('module/Embeddings_en'), pieces]);
  const timing = model.add('Gather', [model.weights(timingOf(build.named('AddTimingSignal/TimingSignal/ExpandDims_1'))), positions]);
  // The graph adds what it looked up once more to what it looked up with its timing.
  const placed = model.add('Add', [model.add('Add', [embedded, embedded]), timing]);
  const first = build.layer({ number: 0, width: 256 }, placed, bias);
  const second = build.layer({ number: 1, width: 512 }, first, bias);
  const output = build.normalized(build.mean(second, mask));
  return { bytes: model.bytes({ name: output, dimensions: ['texts', 'numbers'] }), output };
}

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
      const values = new Float32Array(bytes.buffer, bytes.byteOffset + offset, length);
      offset += values.byteLength;
      if (dtype === 'float32') weights.set(name, { shape, values });
    }
  }
  return weights;
}

/** Sines and cosines by which a transformer tells places apart, a row for each. */
function timingOf({ values }: Weights): Weights {
  const width = values.length * 2;
  const timing = new Float32Array(piecesMax * width);
  for (let place = 0; place < piecesMax; place++)
    for (let n = 0; n < values.length; n++) {
      const angle = Math.fround(place * Number(values[n]));
      timing[place * width + n] = Math.sin(angle);
      timing[place * width + values.length + n] = Math.cos(angle);
    }
  return { shape: [piecesMax, width], values: timing };
}

class Builder {
  readonly #model: OnnxModel;
  readonly #weights: ReadonlyMap<string, Weights>;

  constructor(model: OnnxModel, weights: ReadonlyMap<string, Weights>) {
    this.#model = model;
    this.#weights = weights;
  }

  /** The weights whose name ends so. */
  named(end: string): Weights {
    const found = [...this.#weights].find(([name]) => name.endsWith(end));
    if (!found) throw new Error(`the sentence encoder has no weights called ${end}`);
    return found[1];
  }

  weights(end: string): string {
    return this.#model.weights(this.named(end));
  }

  layer({ number, width }: Layer, input: string, bias: string): string {
    const model = this.#model;
    const ofLayer = `Layer_${number}/TransformerLayer`;
    const attended = this.#attention({ number, width }, this.#layerNorm(input, `${ofLayer}/layer_prepostprocess`), bias);
    const residual = number === 0 ? this.#dense(input, `${ofLayer}/dense/kernel`, `${ofLayer}/dense/bias`) : input;
    const sum = model.add('Add', [attended, residual]);
    const normal = this.#layerNorm(sum, `${ofLayer}/FFN/layer_prepostprocess`);
    const wide = model.add('Relu', [this.#dense(normal, `${ofLayer}/FFN/conv1/Tensordot/Reshape_1`, `${ofLayer}/FFN/conv1/bias`)]);
    return model.add('Add', [this.#dense(wide, `${ofLayer}/FFN/conv2/Tensordot/Reshape_1`, `${ofLayer}/FFN/conv2/bias`), sum]);
  }

  #attention({ number, width }: Layer, input: string, bias: string): string {
    const model = this.#model;
    const of = `Layer_${number}/TransformerLayer/MultiheadAttention`;
    const together = this.#dense(input, `${of}/qkv_transform_single/kernel/part_0`, `${of}/qkv_transform_single/bias`);
    const parts = model.addSeveral('Split', [together, model.integers(width, width, width)], { outputs: 3, attributes: { axis: 2 } });
    const [asked = '', keys = '', values = ''] = parts.map((part) =>
      model.add('Reshape', [part, model.integers(0, 0, heads, width / heads)]),
    );
    const byHead = (part: string) => model.add('Transpose', [part], { perm: [0, 2, 1, 3] });
    const scaled = model.add('Mul', [byHead(asked), model.number(1 / Math.sqrt(width / heads))]);
    const similar = model.add('MatMul', [scaled, model.add('Transpose', [keys], { perm: [0, 2, 3, 1] })]);
    const shares = model.add('Softmax', [model.add('Add', [similar, bias])], { axis: 3 });
    const taken = byHead(model.add('MatMul', [shares, byHead(values)]));
    const joined = model.add('Reshape', [taken, model.integers(0, 0, width)]);
    return this.#dense(joined, `${of}/output_transform_single/kernel/part_0`, `${of}/output_transform_single/bias`);
  }

  #layerNorm(input: string, of: string): string {
    const scale = this.weights(`${of}/layer_norm/layer_norm_scale/ConcatPartitions/concat`);
    const bias = this.weights(`${of}/layer_norm/layer_norm_bias/ConcatPartitions/concat`);
    return this.#model.add('LayerNormalization', [input, scale, bias], { axis: 2, epsilon: 1e-6 });
  }

  /** Where a matrix is kept as a convolution of one pixel, its last two dimensions are what it is. */
  #dense(input: string, matrix: string, bias: string): string {
    const isPart = (name: string) => this.#weights.has(name) || [...this.#weights.keys()].some((key) => key.endsWith(name));
    const { shape, values } = this.named(isPart(matrix) ? matrix : `${matrix}/ConcatPartitions/concat`);
    const product = this.#product(input, { shape: shape.slice(-2), values });
    return this.#model.add('Add', [product, this.weights(isPart(bias) ? bias : `${bias}/ConcatPartitions/concat`)]);
  }

  /** Multiplied in whole numbers of eight bits, which takes a third of the time. */
  #product(input: string, matrix: Weights): string {
    const model = this.#model;
    const { rounded, scales } = roundToEightBits(matrix);
    const [whole = '', scale = '', zero = ''] = model.addSeveral('DynamicQuantizeLinear', [input], { outputs: 3 });
    const product = model.add('MatMulInteger', [whole, model.weights(rounded), zero]);
    const toFloat = 1;
    return model.add('Mul', [model.add('Cast', [product], { to: toFloat }), model.add('Mul', [model.weights(scales), scale])]);
  }

  mean(input: string, mask: string): string {
    const model = this.#model;
    const kept = model.add('Mul', [input, model.add('Unsqueeze', [mask, model.integers(2)])]);
    const sum = model.add('ReduceSum', [kept, model.integers(1)], { keepdims: 0 });
    return model.add('Div', [sum, model.add('ReduceSum', [mask, model.integers(1)], { keepdims: 1 })]);
  }

  normalized(input: string): string {
    const model = this.#model;
    const raw = model.add('Tanh', [this.#dense(input, 'hidden_layers/tanh_layer_0/weights', 'hidden_layers/tanh_layer_0/bias')]);
    return model.add('Div', [raw, model.add('ReduceL2', [raw], { axes: [1], keepdims: 1 })]);
  }
}

/** A matrix rounded to 127 steps to either side, column by column, and what a step of each is worth. */
function roundToEightBits({ shape, values }: Weights): { rounded: Weights; scales: Weights } {
  const [, columns = 0] = shape;
  const [numbers, scales, rounded] = [values as Float32Array, new Float32Array(columns), new Int8Array(values.length)];
  for (let row = 0; row < numbers.length; row += columns)
    for (let column = 0; column < columns; column++) {
      const size = Math.abs(numbers[row + column] ?? 0);
      if (size > (scales[column] ?? 0)) scales[column] = size;
    }
  for (let column = 0; column < columns; column++) scales[column] = (scales[column] ?? 0) / stepsMax;
  for (let row = 0; row < numbers.length; row += columns)
    for (let column = 0; column < columns; column++)
      rounded[row + column] = Math.round((numbers[row + column] ?? 0) / (scales[column] || 1));
  return { rounded: { shape, values: rounded }, scales: { shape: [columns], values: scales } };
}

const stepsMax = 127;
