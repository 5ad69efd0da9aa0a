import { readFile } from 'node:fs/promises';
import { z } from 'zod';

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
export type WordPieces = (text: string) => number[];

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
