import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import ort from 'onnxruntime-node';
import { z } from 'zod';
import { sha256OfFile } from '../../files/sha256.ts';
import { encoderFile, encoderFiles } from './encoder-files.ts';
import { dimensions, piecesMax, readWeights, sentenceEncoderModel } from './universal-sentence-encoder.ts';

export interface SentenceEncoder {
  /** Makes a vector of length 1 of each text; texts that say the same have vectors that point the same way. */
  encode(texts: readonly string[]): Promise<Float32Array[]>;
  /** Whether a text is of words that the encoder knows, and not of letters that mean nothing to it. */
  understands(text: string): boolean;
}

/** Pieces of a word, over a whole text: English has one or two, names three. */
const piecesOfWordMax = 2.75;

/** Texts that go through the model together: more gain nothing. */
const textsAtOnce = 8;

/** Loads the encoder: it works in one thread, and takes about 120 MB. Throws for a file that is missing or broken. */
export async function openEncoder(files = encoderFiles): Promise<SentenceEncoder> {
  for (const { path, sha256 } of files)
    if ((await sha256OfFile(path)) !== sha256) throw new Error(`the file ${basename(path)} of the sentence encoder is broken`);
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
/** What a character costs that no piece holds: more than any piece. */
const unknownScore = -20;
/** Stands before each word, in place of the space. */
const wordMark = '\u2581';

interface Node {
  readonly next: Map<number, Node>;
  /** The piece that ends here. */
  piece: number;
  score: number;
}

/** Cuts texts into the pieces of words that a model was trained with, as numbers. */
type WordPieces = (text: string) => number[];

/** Reads a vocabulary of SentencePiece (unigram): a list of pieces, each with the logarithm of its probability. */
export async function openWordPieces(path: string): Promise<WordPieces> {
  const vocabulary = Vocabulary.parse(JSON.parse(await readFile(path, 'utf8')));
  const root = newNode();
  for (const [number, [piece, score]] of vocabulary.entries()) {
    if (number < reservedPieces) continue;
    let node = root;
    for (let at = 0; at < piece.length; at++) {
      const unit = piece.charCodeAt(at);
      const next = node.next.get(unit) ?? newNode();
      node.next.set(unit, next);
      node = next;
    }
    node.piece = number;
    node.score = score ?? unknownScore;
  }
  return (text) => mostProbablePieces(wordMark + text.normalize('NFKC').replace(/\s+/gu, wordMark), root);
}

function newNode(): Node {
  return { next: new Map(), piece: -1, score: 0 };
}

/** The pieces whose probabilities together are highest (Viterbi). What no piece holds is one unknown piece, however long. */
function mostProbablePieces(text: string, root: Node): number[] {
  const { length } = text;
  const best = new Float64Array(length + 1).fill(Number.NEGATIVE_INFINITY);
  const from = new Int32Array(length + 1);
  const pieces = new Int32Array(length + 1);
  best[0] = 0;
  for (let at = 0; at < length; at++) {
    const before = best[at] ?? 0;
    if (before === Number.NEGATIVE_INFINITY) continue;
    const take = (end: number, piece: number, score: number) => {
      if (before + score <= (best[end] ?? 0)) return;
      best[end] = before + score;
      from[end] = at;
      pieces[end] = piece;
    };
    let node = root.next.get(text.charCodeAt(at));
    if (!node || node.piece < 0) take(at + 1, unknownPiece, unknownScore);
    for (let end = at + 1; node; end++) {
      if (node.piece >= 0) take(end, node.piece, node.score);
      node = end < length ? node.next.get(text.charCodeAt(end)) : undefined;
    }
  }
  const found: number[] = [];
  for (let end = length; end > 0; end = from[end] ?? 0) {
    const piece = pieces[end] ?? unknownPiece;
    if (piece !== unknownPiece || found.at(-1) !== unknownPiece) found.push(piece);
  }
  return found.reverse();
}
