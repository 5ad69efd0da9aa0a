import { writeFile } from 'node:fs/promises';

/**
 * Writes a model file of whisper.cpp in which every number is made up, so that the real loader and recogniser run without weights of
 * anybody: whatever it hears, it says these tokens within the first two seconds. A token that begins a word begins with a blank.
 */
export async function writeWhisperModel(path: string, tokens: readonly string[]): Promise<void> {
  const file = new ModelFile();
  file.integers(magic, vocabulary, audioContext, state, 1, layers, textContext, state, 1, layers, melBands, 1);
  file.integers(melBands, melBins);
  file.floats(new Float32Array(melBands * melBins).fill(0.01));
  file.integers(textTokens);
  // Without these three the program gives up.
  const words = [...tokens, ' ', ' -', " '"];
  for (let n = 0; n < textTokens; n++) file.text(words[n] ?? `w${n}`);
  writeEncoder(file);
  writeDecoder(file, tokens.length);
  await writeFile(path, file.bytes());
}

/** As models for English have it. */
const magic = 0x67676d6c;
const vocabulary = 51_864;
const textTokens = 50_257;
const endToken = 50_256;
const startOfTime = 50_363;
const textContext = 448;
const melBands = 80;
const melBins = 201;
/** As small as can be. */
const audioContext = 1_500;
const state = 64;
const layers = 1;

function writeEncoder(file: ModelFile): void {
  file.tensor('encoder.positional_embedding', [state, audioContext]);
  file.halves('encoder.conv1.weight', [3, melBands, state]);
  file.tensor('encoder.conv1.bias', [1, state]);
  file.halves('encoder.conv2.weight', [3, state, state]);
  file.tensor('encoder.conv2.bias', [1, state]);
  file.tensor('encoder.ln_post.weight', [state], ones());
  file.tensor('encoder.ln_post.bias', [state]);
  writeBlock(file, 'encoder.blocks.0', { listens: false });
}

/** The place that a token stands at says by itself which one that is: its row of the table of tokens, and no other, answers to it. */
function writeDecoder(file: ModelFile, tokens: number): void {
  let seed = 12_345;
  const either = () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed / 2 ** 32 < 0.5 ? -1 : 1;
  };
  const table = Float32Array.from({ length: vocabulary * state }, either);
  const twoSeconds = 100;
  const said = [startOfTime, ...Array.from({ length: tokens }, (_, n) => n), startOfTime + twoSeconds];
  const places = new Float32Array(textContext * state);
  for (let place = 0; place < textContext; place++) {
    const row = (said[place] ?? endToken) * state;
    for (let k = 0; k < state; k++) places[place * state + k] = 6 * (table[row + k] ?? 0);
  }
  file.tensor('decoder.positional_embedding', [state, textContext], places);
  file.halves('decoder.token_embedding.weight', [state, vocabulary], table);
  file.tensor('decoder.ln.weight', [state], ones());
  file.tensor('decoder.ln.bias', [state]);
  writeBlock(file, 'decoder.blocks.0', { listens: true });
}

function writeBlock(file: ModelFile, name: string, { listens }: { listens: boolean }): void {
  file.tensor(`${name}.mlp_ln.weight`, [state], ones());
  file.tensor(`${name}.mlp_ln.bias`, [state]);
  file.halves(`${name}.mlp.0.weight`, [state, 4 * state]);
  file.tensor(`${name}.mlp.0.bias`, [4 * state]);
  file.halves(`${name}.mlp.2.weight`, [4 * state, state]);
  file.tensor(`${name}.mlp.2.bias`, [state]);
  for (const attention of listens ? ['attn', 'cross_attn'] : ['attn']) {
    file.tensor(`${name}.${attention}_ln.weight`, [state], ones());
    file.tensor(`${name}.${attention}_ln.bias`, [state]);
    for (const part of ['query', 'key', 'value', 'out']) file.halves(`${name}.${attention}.${part}.weight`, [state, state]);
    for (const part of ['query', 'value', 'out']) file.tensor(`${name}.${attention}.${part}.bias`, [state]);
  }
}

const ones = () => new Float32Array(state).fill(1);

/** The parts of such a file, in order. */
class ModelFile {
  readonly #parts: Buffer[] = [];

  bytes(): Buffer {
    return Buffer.concat(this.#parts);
  }

  integers(...values: number[]): void {
    this.#parts.push(Buffer.from(Int32Array.from(values).buffer));
  }

  floats(values: Float32Array): void {
    this.#parts.push(Buffer.from(values.buffer, values.byteOffset, values.byteLength));
  }

  text(text: string): void {
    const bytes = Buffer.from(text);
    this.integers(bytes.length);
    this.#parts.push(bytes);
  }

  /** Numbers of four bytes, 0 where none are given. */
  tensor(name: string, shape: readonly number[], values = new Float32Array(sizeOf(shape))): void {
    this.#header(name, shape, 0);
    this.floats(values);
  }

  /** Numbers of two bytes. */
  halves(name: string, shape: readonly number[], values?: Float32Array): void {
    this.#header(name, shape, 1);
    const halves = values ? Float16Array.from(values) : new Float16Array(sizeOf(shape));
    this.#parts.push(Buffer.from(halves.buffer));
  }

  #header(name: string, shape: readonly number[], type: number): void {
    this.integers(shape.length, Buffer.byteLength(name), type, ...shape);
    this.#parts.push(Buffer.from(name));
  }
}

function sizeOf(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}
