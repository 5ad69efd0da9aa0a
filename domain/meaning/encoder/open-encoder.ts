import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import ort from 'onnxruntime-node';
import { z } from 'zod';
import { sha256OfFile } from '../../files/sha256.ts';
import { builtInEncoder, type EncoderChoice, type SentenceEncoder } from './choose-encoder.ts';
import { encoderFile } from './encoder-files.ts';
import { openOwnEncoder } from './own-encoder.ts';
import { dimensions, piecesMax, readWeights, sentenceEncoderModel } from './universal-sentence-encoder.ts';
import { cutByProbability, unknownScore, type WordPieces } from './word-pieces.ts';

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
  const toPieces = await openWordPieces(encoderFile('vocab.json'));
  const { bytes, output } = sentenceEncoderModel(await readWeights(encoderFile('model.json')));
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

/** The scores of what is no text may be no numbers. */
const Vocabulary = z.array(z.tuple([z.string(), z.number().nullable()]));

/** The first of the vocabulary stand for what is no text. */
const reservedPieces = 6;
const unknownPiece = 0;

/** Reads a vocabulary of SentencePiece: a list of pieces, each with the logarithm of its probability. */
export async function openWordPieces(path: string): Promise<WordPieces> {
  const vocabulary = Vocabulary.parse(JSON.parse(await readFile(path, 'utf8')));
  const pieces = vocabulary.map(([piece, score], number) => [piece, { number, score: score ?? unknownScore }] as const);
  return cutByProbability(new Map(pieces.slice(reservedPieces)), unknownPiece);
}
