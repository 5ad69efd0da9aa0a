/** The signs of scripts that write words without blanks between them, as a class of a regular expression holds them. */
export const unspacedSigns =
  '\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u2e80-\\u9fff\\uf900-\\ufaff\\uff66-\\uff9f\\u{20000}-\\u{3ffff}';

// Where a word may begin or end: at no letter, digit or mark, or at a sign that stands beside others without a blank. No mark is cut from its letter.
const unspaced = `[${unspacedSigns}]`;
const wordStart = `(?:(?<![\\p{L}\\p{N}\\p{M}])|(?<=${unspaced})|(?=${unspaced}))`;
const wordEnd = `(?!\\p{M})(?:(?![\\p{L}\\p{N}])|(?=${unspaced})|(?<=${unspaced}))`;

/** What finds words in a line as whole words, in any case, however they are spaced; null for no word at all. */
export function toWordsPattern(find: string): RegExp | null {
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

/** A piece of a query as `queryPieces` finds it; `sign` and `field` also where they stand before brackets around it. */
export interface PieceOfQuery {
  readonly index: number;
  readonly whole: string;
  readonly groups: Readonly<Partial<Record<'field' | 'quoted' | 'bare' | 'joint', string>>>;
  readonly sign: Sign;
}

type Sign = '' | '-' | '+';

/** What is said of all that stands in brackets. */
interface Brackets {
  readonly until: number;
  readonly sign: Sign;
  readonly field: string | undefined;
}

const noBrackets: Brackets = { until: Number.POSITIVE_INFINITY, sign: '', field: undefined };

/** The pieces of a plain query, in order. A minus or a field before brackets is meant for all that they hold: -(moon OR luna), title:(moon luna). Other brackets say nothing. */
export function* readPieces(plain: string): Generator<PieceOfQuery> {
  const within = [noBrackets];
  for (const { index, 0: whole, groups = {} } of plain.matchAll(queryPieces)) {
    while (within.length > 1 && (within.at(-1) ?? noBrackets).until <= index) within.pop();
    const around = within.at(-1) ?? noBrackets;
    const end = index + whole.length;
    const { bare = '' } = groups;
    const own = groups.sign === '-' || groups.sign === '+' ? groups.sign : '';
    const isField = fieldAlone.test(bare);
    if (plain[end] === '(' && (bare === '-' || isField)) {
      const sign = signWithin(around, bare === '-' ? '-' : own);
      within.push({ until: closingOf(plain, end), sign, field: isField ? bare.slice(0, -1) : around.field });
    } else if (groups.joint || bare === 'OR') {
      // What is left out is so each by itself: nothing is joined there.
      if (around.sign !== '-') yield { index, whole, groups, sign: own };
    } else {
      const { field = around.field } = groups;
      yield { index, whole, groups: field === undefined ? groups : { ...groups, field }, sign: signWithin(around, own) };
    }
  }
}

function signWithin({ sign }: Brackets, own: Sign): Sign {
  return sign === '-' ? sign : own || sign;
}

/** Where brackets that open at a place close; the end of the query where they do not. */
function closingOf(plain: string, opening: number): number {
  let open = 0;
  for (let at = opening; at < plain.length; at++) {
    if (plain[at] === '(') open++;
    if (plain[at] === ')' && --open === 0) return at;
  }
  return plain.length;
}

/** A query before its pieces are read. Every character stays one, so that places stay true. */
export function toPlainQuery(text: string): string {
  return withoutInchMarks(text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufffd]/g, ' ').replace(/[＋－−｜：]/g, toPlainSign));
}

const straightMarks = /["＂]/g;
const hebrew = /^[\u05d0-\u05ea]$/;
const ofWord = /^[\p{L}\p{N}]$/u;

/** Straight marks that quote nothing are blanks: 16" gun, צה"ל. Such a one stands behind a word, and before a blank or without a partner. */
function withoutInchMarks(text: string): string {
  let left = text.match(straightMarks)?.length ?? 0;
  let isOpen = false;
  return text.replace(straightMarks, (mark, at: number) => {
    left--;
    const [before, behind] = [text.charAt(at - 1), text.charAt(at + 1)];
    if (hebrew.test(before) && hebrew.test(behind)) return ' ';
    if (!isOpen && ofWord.test(before) && (behind.trim() === '' || left % 2 === 0)) return ' ';
    isOpen = !isOpen;
    return mark;
  });
}

/** Signs as an East Asian keyboard or a word processor writes them. */
function toPlainSign(sign: string): string {
  return plainSigns[sign] ?? sign;
}

const plainSigns: Record<string, string> = { '＋': '+', '－': '-', '−': '-', '｜': '|', '：': ':' };

const fieldAlone = new RegExp(`^(?:${fieldNames}):$`, 'iu');

/** Why a query looks for nothing, whatever the archive holds; null for one that looks for something. */
export function explainEmptyQuery(query: string): 'leaves-out' | 'field-alone' | 'no-word' | null {
  let why: 'leaves-out' | 'field-alone' | 'no-word' = 'no-word';
  for (const { groups, sign } of readPieces(toPlainQuery(query))) {
    const content = groups.quoted ?? groups.bare ?? '';
    const holdsWord = /[\p{L}\p{N}]/u.test(content);
    // The search reads it as a word: whoever typed it meant a field.
    if (fieldAlone.test(content) || (groups.field && !holdsWord)) why = 'field-alone';
    else if (holdsWord && sign !== '-') return null;
    else if (holdsWord) why = 'leaves-out';
  }
  return why;
}
