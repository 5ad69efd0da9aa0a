/** The signs of scripts that write words without blanks between them, as a class of a regular expression holds them. */
export const unspacedSigns =
  '\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u2e80-\\u9fff\\uf900-\\ufaff\\uff66-\\uff9f\\u{20000}-\\u{3ffff}';

// Where a word may begin or end: at no letter, digit or mark, or at a sign that stands beside others without a blank. No mark is cut from its letter.
const unspaced = `[${unspacedSigns}]`;
const wordStart = `(?:(?<![\\p{L}\\p{N}\\p{M}])|(?<=${unspaced})|(?=${unspaced}))`;
const wordEnd = `(?!\\p{M})(?:(?![\\p{L}\\p{N}])|(?=${unspaced})|(?<=${unspaced}))`;

/** What finds words in a line as whole words, in any case, however they are spaced; null for no word at all. */
export function wordsPattern(find: string): RegExp | null {
  const sought = find.trim().replace(/\s+/gu, ' ');
  if (sought === '') return null;
  const pattern = sought.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&').replaceAll(' ', '\\s+');
  return new RegExp(wordStart + pattern + wordEnd, 'giu');
}

const fieldNames = 'person|who|brand|label|said|spoken|speech|written|text|ocr|title|id';
/** The signs around a phrase, as languages and word processors write them. */
export const quotationMarks = '"“”„‟«»‹›「」『』〝〞〟❝❞＂';

/**
 * The pieces of a query: a sign, a field, then a quoted text (closed or not) or a bare one; or a bar or plus that joins. The percent
 * sign behind a number belongs to it, also with a blank between them, and so does what is joined to the sign: 50 %ige.
 */
const queryPieces = new RegExp(
  `(?:(?<sign>(?<![^\\s(|])[-+])?(?:(?<field>${fieldNames}):(?=[^\\s]))?(?:[${quotationMarks}](?<quoted>[^${quotationMarks}]*)[${quotationMarks}]?|(?<bare>[^\\s${quotationMarks}|+()]+(?:[ \\u00a0\\u2009\\u202f][%％٪](?<=[\\p{Nd}¼-¾⅐-⅟↉]..)[^\\s${quotationMarks}|+()]*)*)))|(?<joint>[|+])`,
  'giu',
);

/** A piece of a query as `queryPieces` finds it; `sign` also where it stands before brackets around it. */
export interface PieceOfQuery {
  readonly index: number;
  readonly whole: string;
  readonly groups: Readonly<Partial<Record<'field' | 'quoted' | 'bare' | 'joint', string>>>;
  readonly sign: '' | '-' | '+';
}

/** The pieces of a plain query, in order. A minus before brackets leaves out all that they hold: -(moon OR luna). Brackets say nothing else. */
export function* readPieces(plain: string): Generator<PieceOfQuery> {
  let leftOutUntil = 0;
  for (const { index, 0: whole, groups = {} } of plain.matchAll(queryPieces)) {
    const end = index + whole.length;
    if (groups.bare === '-' && plain[end] === '(') {
      const close = plain.indexOf(')', end);
      leftOutUntil = close < 0 ? plain.length : close;
    } else if (index >= leftOutUntil) yield { index, whole, groups, sign: groups.sign === '-' || groups.sign === '+' ? groups.sign : '' };
    // Each is left out anyway: nothing is joined there.
    else if (!groups.joint && groups.bare !== 'OR') yield { index, whole, groups, sign: '-' };
  }
}

/** A query before its pieces are read. Every character stays one, so that places stay true. */
export function plainQuery(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufffd]/g, ' ').replace(/[＋－−｜：]/g, plainSign);
}

/** Signs as an East Asian keyboard or a word processor writes them. */
function plainSign(sign: string): string {
  return plainSigns[sign] ?? sign;
}

const plainSigns: Record<string, string> = { '＋': '+', '－': '-', '−': '-', '｜': '|', '：': ':' };

const fieldAlone = new RegExp(`^(?:${fieldNames}):$`, 'iu');

/** Why a query looks for nothing, whatever the archive holds; null for one that looks for something. */
export function whyNothing(query: string): 'leaves-out' | 'field-alone' | 'no-word' | null {
  let why: 'leaves-out' | 'field-alone' | 'no-word' = 'no-word';
  for (const { groups, sign } of readPieces(plainQuery(query))) {
    const content = groups.quoted ?? groups.bare ?? '';
    const holdsWord = /[\p{L}\p{N}]/u.test(content);
    // The search reads it as a word: whoever typed it meant a field.
    if (fieldAlone.test(content) || (groups.field && !holdsWord)) why = 'field-alone';
    else if (holdsWord && sign !== '-') return null;
    else if (holdsWord) why = 'leaves-out';
  }
  return why;
}
