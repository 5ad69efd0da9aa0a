import { readPieces, toPlainQuery } from '#contract/find-words.ts';
import { limits, serverLimits } from '#contract/limits.ts';
import { Problem } from '#contract/problem.ts';
import type { Language } from '../../words/languages/language.ts';
import { isNumber } from '../../words/languages/languages.ts';
import { cutUnspaced, tokensOf } from '../../words/tokens.ts';
import type { Query, QueryConcept, QueryField, QueryTerm } from './query.ts';

/** Whose texts are read, and when. */
interface Reading {
  /** Those of the archive. */
  readonly languages: readonly Language[];
  /** Whether it is still being typed: then the last word is open even before a blank. */
  readonly suggesting?: boolean;
}

/**
 * Reads a query: words, "phrases", `-not`, `OR` and `|`, `+must`, `a+b`, fields. Any text at all can be read;
 * only a too long one is refused.
 */
export function parseQuery(text: string, { languages, suggesting = false }: Reading): Query {
  const plain = toPlainQuery(text);
  if (plain.length > limits.queryMaxCodePoints && [...plain].length > limits.queryMaxCodePoints) {
    throw new Problem('query_too_long', `A query may have at most ${limits.queryMaxCodePoints} characters. Shorten it.`);
  }
  const pieces = toPieces(plain);
  const last = pieces.at(-1);
  const typing = suggesting || !/\s$/.test(plain);
  const open = typing && last !== undefined && last.kind === 'text' && !last.quoted ? last : undefined;
  return { isTyped: suggesting, ...gather(pieces, { open, languages }) };
}

/** The pieces of a query in order, each with where it stands. */
export function piecesOf(text: string): QueryPiece[] {
  return toPieces(toPlainQuery(text));
}

/** Where a whole piece stands, with its sign, field and quotation marks. */
interface Extent {
  readonly begin: number;
  readonly end: number;
}

export type QueryPiece =
  | TextPiece
  | ({ readonly kind: 'id'; readonly id: string; readonly isWanted: boolean } & Extent)
  | ({ readonly kind: 'or' } & Extent)
  | ({ readonly kind: 'and' } & Extent);

export interface TextPiece extends Extent {
  readonly kind: 'text';
  readonly text: string;
  /** Where the text begins in the query. */
  readonly from: number;
  readonly quoted: boolean;
  readonly sign: '' | '-' | '+';
  /** Whether an OR or a plus joins it to another text. */
  readonly isJoined: boolean;
  readonly field?: QueryField;
}

function toPieces(text: string): QueryPiece[] {
  const pieces: QueryPiece[] = [];
  for (const { index, whole, groups, sign } of readPieces(text)) {
    const content = groups.quoted ?? groups.bare ?? '';
    const extent = { begin: index, end: index + whole.length };
    if (groups.joint) pieces.push({ kind: groups.joint === '|' ? 'or' : 'and', ...extent });
    else if (groups.bare === 'OR' && !sign) pieces.push({ kind: 'or', ...extent });
    else if (groups.field?.toLowerCase() === 'id') pieces.push({ kind: 'id', id: content, isWanted: sign !== '-', ...extent });
    else {
      const field = fieldWords.get(groups.field?.toLowerCase() ?? '');
      const quoted = groups.quoted !== undefined;
      const from = index + whole.lastIndexOf(content);
      pieces.push({ kind: 'text', text: content, from, quoted, sign, isJoined: false, ...extent, ...(field ? { field } : {}) });
    }
  }
  return withJoined(pieces);
}

/** Tells what stands on both sides of a joint, as `gather` joins it. */
function withJoined(pieces: QueryPiece[]): QueryPiece[] {
  if (!pieces.some(isJoint)) return pieces;
  const joined = new Set<QueryPiece>();
  let before: QueryPiece | undefined;
  let joins = false;
  for (const piece of pieces) {
    if (isJoint(piece)) joins = true;
    if (piece.kind !== 'text' || tokensOf(piece.text).length === 0) continue;
    if (joins && before && piece.sign !== '-') joined.add(before).add(piece);
    if (piece.sign !== '-') before = piece;
    joins = false;
  }
  return pieces.map((piece) => (joined.has(piece) ? { ...piece, isJoined: true } : piece));
}

function isJoint({ kind }: QueryPiece): boolean {
  return kind === 'or' || kind === 'and';
}

/** Fields by their names, and by what people call them. */
export const fieldWords: ReadonlyMap<string, QueryField> = new Map([
  ...(['person', 'brand', 'label', 'said', 'written', 'title'] as const).map((field) => [field, field] as const),
  ...(['spoken', 'speech'] as const).map((word) => [word, 'said'] as const),
  ...(['text', 'ocr'] as const).map((word) => [word, 'written'] as const),
  ['who', 'person'],
]);

/** A word before a colon that looks like a field and is none. */
export interface UnknownField {
  readonly word: string;
  /** Where it begins in the query. */
  readonly from: number;
  /** The term that it is taken for, as it was typed. */
  readonly surface: string;
}

/** The words of a query that were meant as fields, as far as it shows: `dialogue:moon`, `speach:"one small step"`. */
export function unknownFieldsIn(pieces: readonly QueryPiece[]): UnknownField[] {
  return pieces.flatMap((piece, n) => {
    if (piece.kind !== 'text' || piece.quoted || piece.field) return [];
    const [, word, rest] = (piece.text.includes(':') ? /^(\p{L}{2,15}):(?![:/])(.*)$/u.exec(piece.text) : null) ?? [];
    const next = pieces[n + 1];
    const isBeforePhrase = next?.kind === 'text' && next.quoted && next.begin === piece.end;
    return word && (rest || isBeforePhrase) ? [{ word, from: piece.from, surface: partsOf(piece)[0]?.surface ?? '' }] : [];
  });
}

function gather(
  pieces: readonly QueryPiece[],
  { open, languages }: { open: QueryPiece | undefined; languages: readonly Language[] },
): Omit<Query, 'isTyped'> {
  const concepts: { anyOf: QueryTerm[]; must: boolean }[] = [];
  const not: QueryTerm[] = [];
  const ids: string[] = [];
  const notIds: string[] = [];
  let joint: 'or' | 'and' | undefined;
  for (const piece of pieces) {
    if (piece.kind === 'id') {
      (piece.isWanted ? ids : notIds).push(piece.id);
      continue;
    }
    if (piece.kind !== 'text') {
      joint = piece.kind;
      continue;
    }
    const terms = termsOf(piece, piece === open && piece.sign !== '-');
    if (piece.sign === '-') not.push(...terms);
    else addTerms(concepts, { terms, must: piece.sign === '+', joint });
    if (terms.length > 0) joint = undefined;
  }
  return {
    concepts: withoutRepeats(concepts, languages).slice(0, serverLimits.queryConceptsMax),
    not: not.slice(0, serverLimits.queryConceptsMax),
    ids: [...new Set(ids)].slice(0, serverLimits.queryConceptsMax),
    notIds: [...new Set(notIds)].slice(0, serverLimits.queryConceptsMax),
  };
}

function addTerms(
  concepts: { anyOf: QueryTerm[]; must: boolean }[],
  { terms, must, joint }: { terms: QueryTerm[]; must: boolean; joint: 'or' | 'and' | undefined },
): void {
  const [first, ...rest] = terms;
  if (!first) return;
  const before = concepts.at(-1);
  if (joint === 'or' && before) before.anyOf.push(first);
  else concepts.push({ anyOf: [first], must: must || (joint === 'and' && before !== undefined) });
  if (joint === 'and' && before) before.must = true;
  for (const term of rest) concepts.push({ anyOf: [term], must });
}

/** A text has a term for each of its parts. */
function termsOf(piece: TextPiece, open: boolean): QueryTerm[] {
  const parts = partsOf(piece);
  const field = piece.field ? { field: piece.field } : {};
  // A sign after the last word ends it.
  const goesOn = open && (isPlain.test(piece.text) || /[\p{L}\p{N}\p{M}]$/u.test(piece.text));
  const quoted = piece.quoted || piece.sign === '+';
  const [only] = parts.length === 1 && !piece.quoted ? parts : [];
  const offsets = only?.tokens.length === 1 ? { offsets: offsetsOf(piece, only) } : {};
  return parts.map((part, n) => ({ ...part, quoted, open: goesOn && !quoted && n === parts.length - 1, ...offsets, ...field }));
}

type Part = Pick<QueryTerm, 'tokens' | 'surface'>;

/**
 * The parts of a text. Signs hold a bare one together (R2-D2, 9/11, e-mail), but for commas and what parts whole words; where words
 * stand without blanks, each is a part. What is left out, has to be there or is joined to another is parted by commas alone.
 */
function partsOf({ text, quoted, field, sign, isJoined }: TextPiece): Part[] {
  const tokens = tokensOf(text);
  if (tokens.length === 0) return [];
  if (quoted || field !== undefined || tokens.length === 1) return [{ tokens, surface: withoutEdges(text) }];
  const lists = text.split(commas);
  const isWhole = sign !== '' || isJoined;
  const texts = isWhole ? lists : lists.flatMap((one) => one.split(betweenWords)).flatMap(cutUnspaced);
  if (texts.length === 1 && tokens.length <= tiedTokensMax) return [{ tokens, surface: withoutEdges(text) }];
  const isTied = (some: readonly string[]) => isWhole || some.length <= tiedTokensMax;
  return texts.flatMap((one) => (isTied(tokensOf(one)) ? one : one.split(signs))).flatMap((one) => partOf(one) ?? []);
}

function partOf(text: string): Part | undefined {
  const tokens = tokensOf(text);
  return tokens.length > 0 ? { tokens, surface: withoutEdges(text) } : undefined;
}

const tiedTokensMax = 8;
/** A comma between digits is part of their number. */
const commas = /[;；؛、､]|(?<!\p{Nd})[,，،]|[,，،](?!\p{Nd})/u;
/** Kennedy/Johnson, moon—landing; 9/11 and AC/DC are names. */
const betweenWords = /(?<=[\p{L}\p{M}]{3})(?:[/／—―…]|--|\.{3})(?=[\p{L}\p{M}]{3})/u;
const signs = /[^\p{L}\p{M}\p{N}'‘’ʻʼʾʿ]+/u;

function offsetsOf({ text, from }: TextPiece, { surface }: Part): { from: number; to: number } {
  const start = from + text.indexOf(surface);
  return { from: start, to: start + surface.length };
}

const edges = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}\p{M}]+$/gu;
/** Nearly every word: patterns that know all letters there are take as long as all else that is done with a query. */
const isPlain = /^[a-z0-9]+$/i;

/** A text without the signs around it. */
function withoutEdges(text: string): string {
  return isPlain.test(text) ? text : text.replace(edges, '');
}

function withoutRepeats(concepts: readonly QueryConcept[], languages: readonly Language[]): QueryConcept[] {
  const seen = new Map<string, QueryConcept>();
  for (const concept of concepts) {
    const terms = concept.anyOf.map((term) => [term.tokens, term.quoted, term.field]);
    const key = JSON.stringify(saysNumber(concept, languages) ? [...terms, seen.size] : terms);
    const before = seen.get(key);
    seen.set(key, before ? { anyOf: concept.anyOf, must: before.must || concept.must } : concept);
  }
  return [...seen.values()];
}

/** Twenty twenty: a number may say a word twice. */
function saysNumber({ anyOf }: QueryConcept, languages: readonly Language[]): boolean {
  return anyOf.every(({ tokens, quoted }) => !quoted && isNumber(tokens, languages));
}
