/** A text folded for matching, and the way back to where each part of it stands on the surface. */
export interface FoldedText {
  /** Lower case, without accents; whatever is no letter, mark or digit beyond ASCII is a blank. */
  readonly text: string;
  /** Offset in the surface text of an offset in the folded text. */
  surfaceAt(offset: number): number;
}

/**
 * Folds case, accents, widths, ligatures, digits of every script, and Arabic letters that are typed as one another. Apostrophes
 * inside a word vanish (don't = dont), as does the comma of 10,000; `%` behind a number reads as the word percent.
 */
export function foldText(surface: string): FoldedText {
  const offsets = findSpecialOffsets(surface);
  if (offsets.length === 0) return { text: surface.toLowerCase(), surfaceAt: (offset) => offset };
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
  for (const at of offsets) {
    // The second half of a pair.
    if (at < from) continue;
    const character = characterAt(surface, at);
    const folded = foldAt(surface, { at, character });
    parts.push(lowerCase(from, at), folded);
    length += at - from + folded.length;
    from = at + character.length;
    if (folded.length !== character.length) {
      // A blank that only parts it from the number before it stands nowhere in the surface.
      if (folded.length > character.length && folded.startsWith(' ')) {
        foldedAt.push(length - folded.length + 1);
        surfaceAt.push(at);
      }
      foldedAt.push(length);
      surfaceAt.push(from);
    }
  }
  parts.push(lowerCase(from, surface.length));
  return { text: parts.join(''), surfaceAt: (offset) => stepBack(offset, { foldedAt, surfaceAt }) };
}

const beyondAscii = /[\u0080-\uffff]/g;

/**
 * Offsets of the characters that need a closer look, in order; the rest of a text is folded by `toLowerCase` alone. They are looked
 * for one by one: in a long text that takes a fifth of the time of one regular expression for all.
 */
function findSpecialOffsets(text: string): number[] {
  const offsets: number[] = [];
  for (const character of ["'", '%', '\u007f']) {
    for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) offsets.push(at);
  }
  for (let at = text.indexOf(','); at >= 0; at = text.indexOf(',', at + 1)) if (isBeforeThousands(text, at)) offsets.push(at);
  const isAscii = Buffer.byteLength(text) === text.length;
  if (!isAscii) for (const { index } of text.matchAll(beyondAscii)) offsets.push(index);
  return offsets.sort((a, b) => a - b);
}

/** Whether exactly three digits follow. */
function isBeforeThousands(text: string, at: number): boolean {
  const isDigitBehind = (n: number) => isDigit(text.charCodeAt(at + n));
  return isDigitBehind(1) && isDigitBehind(2) && isDigitBehind(3) && !isDigitBehind(4);
}

function characterAt(surface: string, at: number): string {
  const code = surface.charCodeAt(at);
  const paired = code >= 0xd800 && code < 0xdc00 && (surface.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
  return paired || (isKana(code) && isVoicing(surface.charCodeAt(at + 1))) ? surface.slice(at, at + 2) : surface.charAt(at);
}

function isKana(code: number): boolean {
  return (code >= 0x3041 && code <= 0x30ff) || (code >= 0xff66 && code <= 0xff9d);
}

/** The marks that make ハ to バ and パ, where they stand by themselves. */
function isVoicing(code: number): boolean {
  return (code >= 0x3099 && code <= 0x309c) || code === 0xff9e || code === 0xff9f;
}

/** Also the signs by which Hawaiian, Hebrew and Arabic are written in Latin letters. */
const apostrophes = new Set(["'", '\u2018', '\u2019', '\u02bb', '\u02bc', '\u02be', '\u02bf']);

const foldedCharacters = new Map<string, string>();

function foldAt(surface: string, { at, character }: { at: number; character: string }): string {
  const known = foldedCharacters.get(character);
  if (known !== undefined) return known;
  // These depend on what stands beside them, so what they come to is not kept.
  if (apostrophes.has(character)) {
    return isLetter(surface, at - 1) && isLetter(surface, at + 1) ? '' : ' ';
  }
  if (character === '%' || character === '％' || character === '٪') return foldPercent(surface, at);
  if (character === ',' || character === '٬') return isDigit(surface.charCodeAt(at - 1)) && isBeforeThousands(surface, at) ? '' : ' ';
  const folded = foldUnknown(character);
  if (isFraction(character.charCodeAt(0))) return isDigit(surface.charCodeAt(at - 1)) ? ` ${folded}` : folded;
  // Bounded: a hostile text could bring every character there is.
  if (foldedCharacters.size < 20_000) foldedCharacters.set(character, folded);
  return folded;
}

/** Also with a blank before it, as most languages write it: 50 %. A word of its own, whatever is joined to it: 50 %ige. */
function foldPercent(surface: string, at: number): string {
  const isNumberAt = (offset: number) => isDigit(surface.charCodeAt(offset)) || isFraction(surface.charCodeAt(offset));
  if (isNumberAt(at - 1)) return ' percent ';
  return /[ \u00a0\u2009\u202f]/.test(surface.charAt(at - 1)) && isNumberAt(at - 2) ? 'percent ' : ' ';
}

function isFraction(code: number): boolean {
  return (code >= 0xbc && code <= 0xbe) || (code >= 0x2150 && code <= 0x215f) || code === 0x2189;
}

/**
 * Accents of Latin, Greek, Cyrillic, Arabic and Hebrew letters, signs of softness in Cyrillic that is written in Latin letters, and what
 * joins or hides; other marks belong to their word. The Hebrew hyphen among the accents is none.
 */
const dropped = new RegExp(
  `[${[
    '\\u00ad\\u061c\\u200c-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff',
    '\\u0300-\\u036f\\u0483-\\u0487\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe00-\\ufe0f\\ufe20-\\ufe2f',
    '\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u02b9\\u02ba\\u0610-\\u061a\\u0640\\u064b-\\u065f\\u0670',
  ].join('')}]`,
  'g',
);
const noWord = /[^\p{L}\p{N}\p{M}]/gu;
/** Signs beside a name, which are no letters of it. */
const tradeMarks = new Set(['™', '℠']);
/** Letters of their own that people type as these. */
const plainLetters: Record<string, string> = { ß: 'ss', ı: 'i', ς: 'σ', ø: 'o', œ: 'oe', æ: 'ae', đ: 'd', ð: 'd', ł: 'l', þ: 'th', ſ: 's' };
const plainArabic: Record<string, string> = { ى: 'ي', ی: 'ي', ک: 'ك', ة: 'ه', ٱ: 'ا' };

function foldUnknown(character: string): string {
  if (tradeMarks.has(character)) return ' ';
  const bare = character.normalize('NFKD').toLowerCase().normalize('NFKD').replace(dropped, '');
  const joined = bare.replace(/(.) ?([\u3099\u309a])/g, joinVoicing).replace(/[\u3099\u309a]/g, '');
  if (joined === '') return '';
  const folded = Array.from(joined, (letter) => plainLetters[letter] ?? plainArabic[letter] ?? toPlainDigit(letter))
    .join('')
    .replace(noWord, ' ');
  // As many blanks as code units keep the offsets in step.
  return folded.trim() === '' ? ' '.repeat(character.length) : folded;
}

/** A voiced kana is a letter of its own: ガ is no カ. */
function joinVoicing(_: string, kana: string, mark: string): string {
  return (kana + mark).normalize('NFC');
}

/** The digit of any script as 0 to 9; digits of a script stand side by side. Whatever is no digit stays. */
function toPlainDigit(letter: string): string {
  const code = letter.codePointAt(0) ?? 0;
  const isDigitBefore = (n: number) => /\p{Nd}/u.test(String.fromCodePoint(code - n));
  if (code < 128 || !isDigitBefore(0)) return letter;
  let before = 0;
  while (isDigitBefore(before + 1)) before++;
  return String(before % 10);
}

function isLetter(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
  return /\p{L}|\p{M}/u.test(text.charAt(at));
}

function isDigit(code: number): boolean {
  return code < 0x660 ? code >= 48 && code <= 57 : /\p{Nd}/u.test(String.fromCharCode(code));
}

function stepBack(offset: number, { foldedAt, surfaceAt }: { foldedAt: number[]; surfaceAt: number[] }): number {
  const drift = lastAtOrBefore(foldedAt, offset);
  const at = drift < 0 ? offset : (surfaceAt[drift] ?? 0) + offset - (foldedAt[drift] ?? 0);
  // Inside of what one character has grown to (½ to 1 2) no offset goes beyond that character.
  return Math.min(at, surfaceAt[drift + 1] ?? at);
}

/** Number of the last of these offsets, which are in order, that is not behind `offset`; -1 when all are. */
function lastAtOrBefore(offsets: readonly number[], offset: number): number {
  let low = 0;
  let high = offsets.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((offsets[middle] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
