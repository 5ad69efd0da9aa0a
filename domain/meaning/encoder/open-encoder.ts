import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import ort from 'onnxruntime-node';
import { z } from 'zod';
import { sha256OfFile } from '../../files/sha256.ts';
import { parseJson } from '../../system/parse-json.ts';
import { builtInEncoder, type EncoderChoice, type SentenceEncoder } from './choose-encoder.ts';
import { toEncoderPath } from './encoder-files.ts';
import { buildSentenceEncoderModel, dimensions, piecesMax, readWeights } from './universal-sentence-encoder.ts';
import { openWordPieces, readTokenizer, type Tokenizer } from './word-pieces.ts';

/** Pieces of a word, over a whole text: English has one or two, names three. */
const piecesOfWordMax = 2.75;

/** Texts that go through the model together: more gain nothing. */
const textsAtOnce = 8;

/** Loads an encoder: it works in one thread; the archive's own takes about 120 MB. Throws for a file that is missing or broken, or of another kind. */
export async function openEncoder({ files, own }: Pick<EncoderChoice, 'files' | 'own'> = builtInEncoder): Promise<SentenceEncoder> {
  for (const { path, sha256 } of files) {
    const found = await sha256OfFile(path).catch(() => undefined);
    if (found !== sha256) throw new Error(`its file ${basename(path)} is ${found === undefined ? 'missing' : 'broken'}`);
  }
  return own ? await openOwnEncoder(own) : await openBuiltIn();
}

async function openBuiltIn(): Promise<SentenceEncoder> {
  const toPieces = await openWordPieces(toEncoderPath('vocab.json'));
  const { bytes, output } = buildSentenceEncoderModel(await readWeights(toEncoderPath('model.json')));
  const session = await ort.InferenceSession.create(bytes, { intraOpNumThreads: 1, interOpNumThreads: 1, enableCpuMemArena: false });
  const encodeSome = async (texts: readonly (readonly number[])[]) => {
    const inputs = inputsOf(texts);
    const { [output]: vectors } = await session.run(inputs);
    const numbers = vectors?.data as Float32Array;
    const found = texts.map((_, n) => numbers.slice(n * dimensions, (n + 1) * dimensions));
    for (const tensor of [...Object.values(inputs), vectors]) tensor?.dispose();
    return found;
  };
  const encode: SentenceEncoder['encode'] = async (texts) => {
    const inPieces = texts.map((text, n) => ({ n, pieces: toPieces(text || ' ').slice(0, piecesMax) }));
    // Of like lengths, so that little of a row is left empty.
    inPieces.sort((a, b) => a.pieces.length - b.pieces.length);
    const vectors: Float32Array[] = new Array(texts.length);
    for (let from = 0; from < inPieces.length; from += textsAtOnce) {
      const some = inPieces.slice(from, from + textsAtOnce);
      const found = await encodeSome(some.map(({ pieces }) => pieces));
      for (const [n, vector] of found.entries()) vectors[some[n]?.n ?? 0] = vector;
    }
    return vectors;
  };
  const understands = (text: string) => toPieces(text).length <= piecesOfWordMax * text.trim().split(/\s+/u).length;
  return { encode, understands };
}

function inputsOf(texts: readonly (readonly number[])[]): Record<string, ort.Tensor> {
  const length = Math.max(...texts.map((pieces) => pieces.length));
  const pieces = new BigInt64Array(texts.length * length);
  const mask = new Float32Array(texts.length * length);
  for (const [row, text] of texts.entries())
    for (const [column, piece] of text.entries()) {
      pieces[row * length + column] = BigInt(piece);
      mask[row * length + column] = 1;
    }
  const positions = BigInt64Array.from({ length }, (_, place) => BigInt(place));
  return {
    pieces: new ort.Tensor('int64', pieces, [texts.length, length]),
    mask: new ort.Tensor('float32', mask, [texts.length, length]),
    positions: new ort.Tensor('int64', positions, [length]),
  };
}

/** Pieces of a text that are looked at, with those that frame it: a passage has half as many. */
const ownPiecesMax = 160;
/** Pieces of a word, over a whole text in Latin letters. */
const ownPiecesOfWordMax = 4;

/** What may stand beside a model: how its numbers for pieces become one vector, and what is written before texts. */
const Pooling = z.object({ pooling_mode_cls_token: z.boolean().default(false) });
const Prompts = z.object({ prompts: z.record(z.string(), z.string()).default({}) });

/**
 * Loads a sentence encoder of the operator's own: an ONNX file that takes `input_ids` and `attention_mask`, and gives a vector for each text
 * or for each of its pieces, as models of sentence-transformers are published. Throws a sentence for any other.
 */
async function openOwnEncoder({ model, tokenizer }: { model: string; tokenizer: string }): Promise<SentenceEncoder> {
  const words = await readTokenizer(tokenizer);
  const folder = dirname(tokenizer);
  const { pooling_mode_cls_token: isByFirst } = Pooling.parse(await readBeside(join(folder, '1_Pooling', 'config.json')));
  const { prompts } = Prompts.parse(await readBeside(join(folder, 'config_sentence_transformers.json')));
  const promptOf = { query: prompts.query ?? '', passage: prompts.passage ?? prompts.document ?? '' };
  const session = await ort.InferenceSession.create(model, { intraOpNumThreads: 1, interOpNumThreads: 1, enableCpuMemArena: false });
  const odd = session.inputNames.find((name) => !inputNames.has(name));
  if (odd !== undefined || !session.inputNames.includes('input_ids'))
    throw new Error(`it takes ${session.inputNames.join(', ')}, and not pieces of words`);
  const output = session.outputNames.find((name) => name === 'sentence_embedding') ?? session.outputNames[0] ?? '';
  const encodeSome = async (texts: readonly (readonly number[])[]) => {
    const feeds = feedsOf(texts, session.inputNames);
    const { [output]: found } = await session.run(feeds);
    const vectors = found ? vectorsOf(found, { texts, isByFirst }) : [];
    for (const tensor of [...Object.values(feeds), found]) tensor?.dispose();
    return vectors;
  };
  const encode: SentenceEncoder['encode'] = async (texts, as = 'passage') => {
    const inPieces = texts.map((text) => tokenize(promptOf[as] + text, words));
    const vectors: Float32Array[] = [];
    for (let from = 0; from < inPieces.length; from += textsAtOnce)
      vectors.push(...(await encodeSome(inPieces.slice(from, from + textsAtOnce))));
    return vectors;
  };
  const understands = (text: string) =>
    /[^\p{Script=Latin}\p{M}\p{P}\p{S}\p{N}\s]/u.test(text) ||
    words.cut(text).length <= ownPiecesOfWordMax * text.trim().split(/\s+/u).length;
  return { encode, understands };
}

async function readBeside(path: string): Promise<unknown> {
  return await readFile(path, 'utf8').then(
    (text) => parseJson(text) ?? {},
    () => ({}),
  );
}

function tokenize(text: string, { cut, before, behind }: Tokenizer): number[] {
  return [...before, ...cut(text).slice(0, ownPiecesMax - before.length - behind.length), ...behind];
}

const inputNames = new Set(['input_ids', 'attention_mask', 'token_type_ids', 'position_ids']);

function feedsOf(texts: readonly (readonly number[])[], names: readonly string[]): Record<string, ort.Tensor> {
  const length = Math.max(1, ...texts.map((pieces) => pieces.length));
  const numberFor = (name: string, piece: number | undefined, column: number) => {
    if (name === 'input_ids') return piece ?? 0;
    if (name === 'attention_mask') return piece === undefined ? 0 : 1;
    return name === 'position_ids' ? column : 0;
  };
  return Object.fromEntries(
    names.map((name) => {
      const values = new BigInt64Array(texts.length * length);
      for (const [row, pieces] of texts.entries())
        for (let column = 0; column < length; column++) values[row * length + column] = BigInt(numberFor(name, pieces[column], column));
      return [name, new ort.Tensor('int64', values, [texts.length, length])];
    }),
  );
}

/** Vectors of length 1. Where a model gives one for each piece, a text's is their mean, or that of its first. */
function vectorsOf(found: ort.Tensor, { texts, isByFirst }: { texts: readonly (readonly number[])[]; isByFirst: boolean }): Float32Array[] {
  const { data, dims } = found;
  const width = dims.at(-1) ?? 0;
  if (!(data instanceof Float32Array) || dims[0] !== texts.length || dims.length < 2 || dims.length > 3)
    throw new Error('it gives no vectors of sentences');
  const rows = dims.length === 2 ? 1 : (dims[1] ?? 0);
  return texts.map((pieces, text) => {
    const taken = rows === 1 || isByFirst ? 1 : Math.max(1, pieces.length);
    const sum = new Float32Array(width);
    for (let row = 0; row < taken; row++)
      for (let n = 0; n < width; n++) sum[n] = (sum[n] ?? 0) + (data[(text * rows + row) * width + n] ?? 0);
    const length = Math.hypot(...sum) || 1;
    return sum.map((value) => value / length);
  });
}
