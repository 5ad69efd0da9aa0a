/*
 * Brands that films are looked through for. brand-list reads the list, kept-brand-list keeps the editors' own;
 * this finds where a film names them.
 */
import type { Moment } from '../moments/moment.ts';
import { type Brand, toWrittenWords, type WrittenWord } from './brand-list.ts';

/** A brand that a line names. */
export interface BrandMention {
  readonly brand: string;
  readonly moment: Moment;
  /** Whether its name means nothing else, or a neighbour tells that the brand is meant. */
  readonly isCertain: boolean;
}

/** How many words away one is still a neighbour. */
const neighbourhood = 12;
/** A film that means a brand so often means it wherever its name stands with a capital. */
const oftenMeant = 2;

/**
 * Finds where brands are named in what is said and written in a film: once for each line and brand, in the order of the lines. A name
 * counts as it is written: with its capital, unless the texts have none. One that means something else as well counts where a neighbour
 * says so, where it stands with its capital within a sentence and beside no other name, and at any capital once the film means it often.
 */
export function findBrands(moments: readonly Moment[], brands: readonly Brand[]): BrandMention[] {
  const byFirstWord = spellingsByFirstWord(brands);
  const hasCapitals = moments.some(({ kind, text }) => kind === 'Transcript' && /\p{Ll}.*\p{Lu}/u.test(text));
  const named: (BrandMention & { readonly meaning: Meaning })[] = [];
  let textBefore = '';
  for (const moment of moments) {
    if (moment.kind !== 'Transcript' && moment.kind !== 'Ocr') continue;
    const words = toWrittenWords(moment.text);
    const line = { words, tellsCapitals: hasCapitals && /\p{Ll}/u.test(moment.text), startsSentence: isEnd(textBefore) };
    const best = new Map<string, Meaning>();
    for (const [at, { folded }] of words.entries())
      for (const { brand, spelling } of startingWith(byFirstWord, folded)) {
        const meaning = meaningOf(brand, spelling, { ...line, at });
        if (meaning > (best.get(brand.name) ?? Meaning.none)) best.set(brand.name, meaning);
      }
    for (const [brand, meaning] of best) named.push({ brand, moment, meaning, isCertain: meaning === Meaning.certain });
    if (moment.kind === 'Transcript') textBefore = moment.text;
  }
  const meant = new Map<string, number>();
  for (const { brand, meaning } of named) if (meaning >= Meaning.likely) meant.set(brand, (meant.get(brand) ?? 0) + 1);
  return named.filter(({ brand, meaning }) => meaning >= Meaning.likely || (meant.get(brand) ?? 0) >= oftenMeant);
}

const Meaning = { none: 0, possible: 1, likely: 2, certain: 3 } as const;
type Meaning = (typeof Meaning)[keyof typeof Meaning];

interface Spelled {
  readonly brand: Brand;
  readonly spelling: readonly string[];
}

function spellingsByFirstWord(brands: readonly Brand[]): ReadonlyMap<string, readonly Spelled[]> {
  const byFirstWord = new Map<string, Spelled[]>();
  for (const brand of brands)
    for (const spelling of brand.spellings) {
      const [first = ''] = spelling;
      byFirstWord.set(first, [...(byFirstWord.get(first) ?? []), { brand, spelling }]);
    }
  return byFirstWord;
}

/** Also where the name has an ending of several, or of somebody's. */
function startingWith(byFirstWord: ReadonlyMap<string, readonly Spelled[]>, folded: string): readonly Spelled[] {
  const whole = byFirstWord.get(folded) ?? [];
  const stem = folded.endsWith('s') ? (byFirstWord.get(folded.slice(0, -1)) ?? []) : [];
  return stem.length > 0 ? [...whole, ...stem] : whole;
}

interface Occurrence {
  readonly words: readonly WrittenWord[];
  readonly at: number;
  /** Whether capitals tell names from words in this line. */
  readonly tellsCapitals: boolean;
  /** Whether the first word of the line would have a capital anyway. */
  readonly startsSentence: boolean;
}

function meaningOf({ near }: Brand, spelling: readonly string[], { words, at, tellsCapitals, startsSentence }: Occurrence): Meaning {
  const end = at + spelling.length;
  const own = words.slice(at, end);
  const isSame = spelling.every((part, n) => own[n]?.folded === part || own[n]?.folded === `${part}s`);
  if (!isSame || (tellsCapitals && !own.some(hasCapital))) return Meaning.none;
  if (near === undefined) return Meaning.certain;
  const around = [...words.slice(Math.max(0, at - neighbourhood), at), ...words.slice(end, end + neighbourhood)];
  if (around.some(({ folded }) => near.has(folded))) return Meaning.certain;
  if (!tellsCapitals) return Meaning.none;
  const [before, after] = [words[at - 1], words[end]];
  const isFirst = before ? isEnd(before.written) : startsSentence;
  return isFirst || (before && hasCapital(before)) || (after && hasCapital(after)) ? Meaning.possible : Meaning.likely;
}

function hasCapital({ written }: WrittenWord): boolean {
  return /\p{Lu}/u.test(written);
}

/** Whether a sentence ends with this text; nothing before is an end. */
function isEnd(text: string): boolean {
  return text === '' || /[.!?:…"”>-]\s*$/u.test(text);
}
