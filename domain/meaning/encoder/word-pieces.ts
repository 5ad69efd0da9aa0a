import { readFile } from 'node:fs/promises';
import { z } from 'zod';

/** What texts are made into before they are cut; only what changes letters matters. */
const Normalizer: z.ZodType<{ type: string; lowercase?: boolean; strip_accents?: boolean | null; normalizers?: Normalizers }> = z.lazy(() =>
  z.object({
    type: z.string(),
    lowercase: z.boolean().optional(),
    strip_accents: z.boolean().nullable().optional(),
    normalizers: z.array(Normalizer).optional(),
  }),
);
type Normalizers = z.infer<typeof Normalizer>[];

const PostProcessor = z.union([
  z.object({
    type: z.literal('TemplateProcessing'),
    single: z.array(z.union([z.object({ SpecialToken: z.object({ id: z.string() }) }), z.object({ Sequence: z.unknown() })])),
    special_tokens: z.record(z.string(), z.object({ ids: z.array(z.number().int()) })),
  }),
  z.object({ cls: z.tuple([z.string(), z.number().int()]), sep: z.tuple([z.string(), z.number().int()]) }),
]);

const WordPieceModel = z.object({
  type: z.literal('WordPiece').optional(),
  vocab: z.record(z.string(), z.number().int()),
  unk_token: z.string(),
  continuing_subword_prefix: z.string().default('##'),
  max_input_chars_per_word: z.number().int().default(100),
});

const UnigramModel = z.object({
  type: z.literal('Unigram').optional(),
  vocab: z.array(z.tuple([z.string(), z.number().nullable()])),
  unk_id: z.number().int(),
});

const TokenizerFile = z.object({
  normalizer: Normalizer.nullable().optional(),
  post_processor: PostProcessor.nullable().optional().catch(null),
  model: z.unknown(),
});

/** A text as a model takes it: pieces of words, between those that mark its beginning and its end. */
export interface Tokenizer {
  readonly cut: WordPieces;
  readonly before: readonly number[];
  readonly behind: readonly number[];
}

/** Reads a `tokenizer.json`, as models of sentences come with. Throws a sentence for one of a kind that is not known here. */
export async function readTokenizer(path: string): Promise<Tokenizer> {
  const file = TokenizerFile.safeParse(JSON.parse(await readFile(path, 'utf8')));
  if (!file.success) throw new Error('its tokenizer.json is not what it should be');
  const { normalizer, post_processor: frame, model } = file.data;
  return { cut: cutterOf(model, lettersOf(normalizer ? [normalizer] : [])), ...frameOf(frame) };
}

function cutterOf(model: unknown, toLetters: (text: string) => string): WordPieces {
  const wordPiece = WordPieceModel.safeParse(model).data;
  if (wordPiece) {
    const { vocab, unk_token, continuing_subword_prefix: insideMark, max_input_chars_per_word: charactersOfWordMax } = wordPiece;
    const vocabulary = new Map(Object.entries(vocab));
    const cutting = { vocabulary, unknownPiece: vocabulary.get(unk_token) ?? 0, insideMark, charactersOfWordMax };
    return (text) => cutByLength(toLetters(text).match(aWord) ?? [], cutting);
  }
  const unigram = UnigramModel.safeParse(model).data;
  if (!unigram) throw new Error('its tokenizer.json is of a kind that is not known here: WordPiece and Unigram are');
  const pieces = unigram.vocab.map(([piece, score], number) => [piece, { number, score: score ?? unknownScore }] as const);
  const cut = cutByProbability(new Map(pieces.filter(([, { number }]) => number !== unigram.unk_id)), unigram.unk_id);
  return (text) => cut(toLetters(text).trim());
}

/** Signs and letters that are words by themselves stand alone; whatever else is written together is a word. */
const aWord = /[\p{P}\p{S}\p{Script=Han}]|[^\s\p{P}\p{S}\p{Script=Han}]+/gu;

function lettersOf(normalizers: Normalizers): (text: string) => string {
  const all = normalizers.flatMap((one) => [one, ...(one.normalizers ?? [])]);
  const isSmall = all.some(({ type, lowercase }) => type === 'Lowercase' || lowercase === true);
  const isBare = all.some(
    ({ type, lowercase, strip_accents: bare }) => type === 'StripAccents' || (bare ?? (type === 'BertNormalizer' && lowercase === true)),
  );
  return (text) => {
    const small = isSmall ? text.toLowerCase() : text;
    return isBare ? small.normalize('NFD').replace(/\p{Mn}/gu, '') : small;
  };
}

function frameOf(frame: z.infer<typeof PostProcessor> | null | undefined): Pick<Tokenizer, 'before' | 'behind'> {
  if (!frame) return { before: [], behind: [] };
  if ('cls' in frame) return { before: [frame.cls[1]], behind: [frame.sep[1]] };
  const text = frame.single.findIndex((part) => 'Sequence' in part);
  const numbers = (parts: typeof frame.single) =>
    parts.flatMap((part) => ('SpecialToken' in part ? (frame.special_tokens[part.SpecialToken.id]?.ids ?? []) : []));
  return { before: numbers(frame.single.slice(0, text)), behind: numbers(frame.single.slice(text + 1)) };
}

/** Cuts texts into the pieces of words that a model was trained with, as numbers. */
type WordPieces = (text: string) => number[];

/** Pieces of words by their texts, each with its number and the logarithm of its probability. */
type ScoredPieces = ReadonlyMap<string, { readonly number: number; readonly score: number }>;

/** What a character costs that no piece holds: more than any piece. */
const unknownScore = -20;
/** Stands before each word, in place of the space. */
const wordMark = '\u2581';

/** Cuts as SentencePiece does (unigram): the pieces whose probabilities together are highest. What no piece holds is one unknown piece, however long. */
function cutByProbability(pieces: ScoredPieces, unknownPiece: number): WordPieces {
  let longest = 1;
  for (const piece of pieces.keys()) longest = Math.max(longest, piece.length);
  return (text) => cutIntoPieces(wordMark + text.normalize('NFKC').replace(/\s+/gu, wordMark), { pieces, longest, unknownPiece });
}

interface Cutting {
  readonly pieces: ScoredPieces;
  readonly longest: number;
  readonly unknownPiece: number;
}

/** The best way to each place of the text, from the front (Viterbi); then back along it. */
function cutIntoPieces(text: string, { pieces, longest, unknownPiece }: Cutting): number[] {
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
interface LongestPieces {
  readonly vocabulary: ReadonlyMap<string, number>;
  readonly unknownPiece: number;
  /** Stands before a piece that does not begin its word. */
  readonly insideMark: string;
  readonly charactersOfWordMax: number;
}

/** Cuts words that stand by themselves, one behind the other; a word that is not made of known pieces is one unknown piece. */
function cutByLength(words: readonly string[], cutting: LongestPieces): number[] {
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
