import { lastAtOrBefore } from './last-at-or-before.ts';

/** A text folded for matching, and the way back to where each part of it stands on the surface. */
export interface FoldedText {
  /** Lower case, without accents; whatever is no letter, mark or digit beyond ASCII is a blank. */
  readonly text: string;
  /** Offset in the surface text of an offset in the folded text. */
  surfaceAt(offset: number): number;
}

/** Only these need a closer look; the rest of a text is folded by `toLowerCase` alone. */
const special = /['%\u007f-\uffff]|,(?=\d{3}(?!\d))/g;

/**
 * Folds case, accents, widths and ligatures. Apostrophes inside a word vanish (don't = dont), as does the comma of
 * 10,000; `%` after a digit reads as the word percent.
 */
export function foldText(surface: string): FoldedText {
  special.lastIndex = 0;
  if (!special.test(surface)) return { text: surface.toLowerCase(), surfaceAt: (offset) => offset };
  // Lower case of the whole at once, unless a letter (İ) grows by it; only what stands between special characters is taken from it.
  const lower = surface.toLowerCase();
  const lowerCase =
    lower.length === surface.length
      ? (a: number, b: number) => lower.slice(a, b)
      : (a: number, b: number) => surface.slice(a, b).toLowerCase();
  const parts: string[] = [];
  // Pairs that tell where folded and surface offsets drift apart.
  const foldedAt: number[] = [];
  const surfaceAt: number[] = [];
  let length = 0;
  let from = 0;
  special.lastIndex = 0;
  for (let hit = special.exec(surface); hit; hit = special.exec(surface)) {
    const at = hit.index;
    const character = characterAt(surface, at);
    const folded = foldAt(surface, { at, character });
    parts.push(lowerCase(from, at), folded);
    length += at - from + folded.length;
    from = at + character.length;
    special.lastIndex = from;
    if (folded.length !== character.length) {
      foldedAt.push(length);
      surfaceAt.push(from);
    }
  }
  parts.push(lowerCase(from, surface.length));
  return { text: parts.join(''), surfaceAt: (offset) => stepBack(offset, { foldedAt, surfaceAt }) };
}

/** What stands in long texts most often of all that needs a closer look. */
const apostropheInWord = /(?<=[a-z])['\u2019\u02bc](?=[a-z])/g;

/** The text that `foldText` gives, without the offsets: less than half the work for a long one. */
export function foldLongText(surface: string): string {
  const lower = surface.toLowerCase();
  // A letter (İ) that grows by it is lower case by itself, and not together with others.
  const joined = lower.length === surface.length ? lower.replace(apostropheInWord, '') : surface;
  return foldText(joined).text;
}

function characterAt(surface: string, at: number): string {
  const code = surface.charCodeAt(at);
  const paired = code >= 0xd800 && code < 0xdc00 && (surface.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
  return paired ? surface.slice(at, at + 2) : surface.charAt(at);
}

function foldAt(surface: string, { at, character }: { at: number; character: string }): string {
  if (character === "'" || character === '\u2019' || character === '\u02bc') {
    return isLetter(surface, at - 1) && isLetter(surface, at + 1) ? '' : ' ';
  }
  if (character === '%') return isDigit(surface.charCodeAt(at - 1)) ? ' percent' : ' ';
  if (character === ',') return isDigit(surface.charCodeAt(at - 1)) ? '' : ' ';
  return foldCharacter(character);
}

const foldedCharacters = new Map<string, string>();

function foldCharacter(character: string): string {
  const known = foldedCharacters.get(character);
  if (known !== undefined) return known;
  const folded = foldUnknown(character);
  // Bounded: a hostile text could bring every character there is.
  if (foldedCharacters.size < 20_000) foldedCharacters.set(character, folded);
  return folded;
}

/** Accents of Latin, Greek, Cyrillic, Arabic and Hebrew letters, and what joins or hides; other marks belong to their word. */
const dropped = new RegExp(
  `[${[
    '\\u00ad\\u061c\\u200c-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff',
    '\\u0300-\\u036f\\u0483-\\u0487\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe00-\\ufe0f\\ufe20-\\ufe2f',
    '\\u0591-\\u05c7\\u0610-\\u061a\\u064b-\\u065f\\u0670',
  ].join('')}]`,
  'g',
);
const noWord = /[^\p{L}\p{N}\p{M}]/gu;
/** Letters of their own that people type as these. */
const plainLetters: Record<string, string> = { ß: 'ss', ı: 'i', ς: 'σ', ø: 'o', œ: 'oe', æ: 'ae', đ: 'd', ð: 'd', ł: 'l', þ: 'th', ſ: 's' };

function foldUnknown(character: string): string {
  const bare = character.normalize('NFKD').toLowerCase().normalize('NFKD').replace(dropped, '');
  if (bare === '') return '';
  const folded = Array.from(bare, (letter) => plainLetters[letter] ?? letter)
    .join('')
    .replace(noWord, ' ');
  // As many blanks as code units keep the offsets in step.
  return folded.trim() === '' ? ' '.repeat(character.length) : folded;
}

function isLetter(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
  return /\p{L}|\p{M}/u.test(text.charAt(at));
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function stepBack(offset: number, { foldedAt, surfaceAt }: { foldedAt: number[]; surfaceAt: number[] }): number {
  const drift = lastAtOrBefore(foldedAt, offset);
  const at = drift < 0 ? offset : (surfaceAt[drift] ?? 0) + offset - (foldedAt[drift] ?? 0);
  // Inside of what one character has grown to (½ to 1 2) no offset goes beyond that character.
  return Math.min(at, surfaceAt[drift + 1] ?? at);
}
