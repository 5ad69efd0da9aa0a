/** Cuts texts into the pieces of words that a model was trained with, as numbers. */
export type WordPieces = (text: string) => number[];

/** Pieces of words by their texts, each with its number and the logarithm of its probability. */
export type ScoredPieces = ReadonlyMap<string, { readonly number: number; readonly score: number }>;

/** What a character costs that no piece holds: more than any piece. */
export const unknownScore = -20;
/** Stands before each word, in place of the space. */
const wordMark = '\u2581';

/** Cuts as SentencePiece does (unigram): the pieces whose probabilities together are highest. What no piece holds is one unknown piece, however long. */
export function cutByProbability(pieces: ScoredPieces, unknownPiece: number): WordPieces {
  let longest = 1;
  for (const piece of pieces.keys()) longest = Math.max(longest, piece.length);
  return (text) => mostProbable(wordMark + text.normalize('NFKC').replace(/\s+/gu, wordMark), { pieces, longest, unknownPiece });
}

interface Cutting {
  readonly pieces: ScoredPieces;
  readonly longest: number;
  readonly unknownPiece: number;
}

/** The best way to each place of the text, from the front (Viterbi); then back along it. */
function mostProbable(text: string, { pieces, longest, unknownPiece }: Cutting): number[] {
  const { length } = text;
  const best = new Float64Array(length + 1).fill(Number.NEGATIVE_INFINITY);
  const from = new Int32Array(length + 1);
  const numbers = new Int32Array(length + 1);
  best[0] = 0;
  for (let at = 0; at < length; at++) {
    const before = best[at] ?? 0;
    if (before === Number.NEGATIVE_INFINITY) continue;
    const take = (end: number, number: number, score: number) => {
      if (before + score <= (best[end] ?? 0)) return;
      best[end] = before + score;
      from[end] = at;
      numbers[end] = number;
    };
    if (!pieces.has(text.charAt(at))) take(at + 1, unknownPiece, unknownScore);
    for (let end = at + 1; end <= Math.min(length, at + longest); end++) {
      const piece = pieces.get(text.slice(at, end));
      if (piece) take(end, piece.number, piece.score);
    }
  }
  const found: number[] = [];
  for (let end = length; end > 0; end = from[end] ?? 0) {
    const piece = numbers[end] ?? unknownPiece;
    if (piece !== unknownPiece || found.at(-1) !== unknownPiece) found.push(piece);
  }
  return found.reverse();
}

/** The pieces of words as BERT has them: the longest one that a word begins with, then the longest of the rest, which bears a mark. */
export interface LongestPieces {
  readonly vocabulary: ReadonlyMap<string, number>;
  readonly unknownPiece: number;
  /** Stands before a piece that does not begin its word. */
  readonly insideMark: string;
  readonly charactersOfWordMax: number;
}

/** Cuts words that stand by themselves, one behind the other; a word that is not made of known pieces is one unknown piece. */
export function cutByLength(words: readonly string[], cutting: LongestPieces): number[] {
  return words.flatMap((word) => piecesOfWord(word, cutting) ?? [cutting.unknownPiece]);
}

function piecesOfWord(word: string, { vocabulary, insideMark, charactersOfWordMax }: LongestPieces): number[] | undefined {
  if (word.length > charactersOfWordMax) return undefined;
  const found: number[] = [];
  for (let at = 0; at < word.length; ) {
    let end = word.length;
    let piece: number | undefined;
    for (; end > at; end--) {
      piece = vocabulary.get((at > 0 ? insideMark : '') + word.slice(at, end));
      if (piece !== undefined) break;
    }
    if (piece === undefined) return undefined;
    found.push(piece);
    at = end;
  }
  return found;
}
