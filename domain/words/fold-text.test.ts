import { expect, test } from 'vitest';
import { seededRandom } from '#testing/seeded-random.ts';
import { foldText } from './fold-text.ts';
import { skipToToken, skipToTokenEnd, tokensOf } from './tokens.ts';

test.each([
  ['Café', ['cafe']],
  ['Cafe\u0301', ['cafe']],
  ['Straße STRASSE', ['strasse', 'strasse']],
  ['İstanbul ıstanbul', ['istanbul', 'istanbul']],
  ['ΣΑΣ σας', ['σασ', 'σασ']],
  ['ﬁsh', ['fish']],
  ['Ｂｅａｃｈ', ['beach']],
  ["don’t don't dont", ['dont', 'dont', 'dont']],
  ['10,000 feet', ['10000', 'feet']],
  ['100%', ['100', 'percent']],
  ['a\u00adb a\u200bc', ['ab', 'a', 'c']],
  ['東京タワー', ['東', '京', 'タ', 'ワ', 'ー']],
  ['½ ℃ R2-D2', ['1', '2', 'c', 'r2', 'd2']],
  ['3½ pages', ['3', '1', '2', 'pages']],
  ['Kodak™ Aspen℠', ['kodak', 'aspen']],
  ['50 % 50\u00a0% 50\u202f% ５０％ a % %', ['50', 'percent', '50', 'percent', '50', 'percent', '50', 'percent', 'a']],
  ['50%ige 50 %ige 5%5 50%\u00adige', ['50', 'percent', 'ige', '50', 'percent', 'ige', '5', 'percent', '5', '50', 'percent', 'ige']],
  ['1½% ½% ½ % ⅓٪', ['1', '1', '2', 'percent', '1', '2', 'percent', '1', '2', 'percent', '1', '3', 'percent']],
  ['سـلام سلام', ['سلام', 'سلام']],
  ['كتاب کتاب', ['كتاب', 'كتاب']],
  ['علي علی على', ['علي', 'علي', 'علي']],
  ['مكتبة مكتبه', ['مكتبه', 'مكتبه']],
  ['١٩٦٩ ۱۹۶۹ १९६९ ๑๙๖๙', ['1969', '1969', '1969', '1969']],
  ['١٠٬٠٠٠ ٥٠٪', ['10000', '50', 'percent']],
  ['ガ カ\u3099 ｶﾞ カ゛', ['ガ', 'ガ', 'ガ', 'ガ']],
  ['ブラジル パリ', ['ブ', 'ラ', 'ジ', 'ル', 'パ', 'リ']],
  ['あ\u3099 \u3099', ['あ']],
  ['אל־על תל־אביב שָׁלוֹם', ['אל', 'על', 'תל', 'אביב', 'שלום']],
  ['Hawaiʻi Hawai‘i ‘Hawai’', ['hawaii', 'hawaii', 'hawai']],
  ['ʻAbd Qurʾān Oktiabrʹ obʺezd', ['abd', 'quran', 'oktiabr', 'obezd']],
  ['ٱلقمر القمر', ['القمر', 'القمر']],
  ['😀 … — !', []],
])('%s is read as %j', (text, tokens) => {
  expect(tokensOf(text)).toEqual(tokens);
});

test.each([
  ['the İzmir harbour', 'harbour'],
  ['die Straße am Meer', 'Meer'],
  ['a cafe\u0301 by the sea', 'sea'],
  ['ﬁne ﬂowers bloom', 'bloom'],
  ['don’t say “never” again', 'again'],
  ['10,000 ΣΑΣ Ｂｅａｃｈ end', 'end'],
  ['👨‍👩‍👧‍👦 family 𠀀 walk', 'walk'],
  ['50% of İİİ it', 'it'],
  ['up by 50%', '%'],
  ['um 50\u00a0%', '%'],
  ['eine 50 %ige', 'ige'],
  ['eine 50%ige', 'ige'],
  ['of 1½%', '%'],
  ['of 1½ % water', 'water'],
  ['50\u202f% more ％ words', 'words'],
  ['pages 3½ of Kodak™ film', 'film'],
  ['مرحبا سـلام', 'سـلام'],
  ['ｶﾞﾗｽ カ\u3099 end', 'end'],
  ['１９６９ then ١٩٦٩', '١٩٦٩'],
])('the last word of %s is cut from the surface as it stands', (text, word) => {
  const folded = foldText(text);
  let last = { from: 0, to: 0 };
  for (let from = skipToToken(folded.text, 0); from < folded.text.length; from = skipToToken(folded.text, last.to)) {
    last = { from, to: skipToTokenEnd(folded.text, from) };
  }
  expect(text.slice(folded.surfaceAt(last.from), folded.surfaceAt(last.to))).toBe(word);
});

test('a long text is folded as the pieces between its blanks are, and its offsets lead back to them', () => {
  const pieces = [
    "rock'n'roll",
    "x''y",
    "l'été",
    'été’s',
    "3'4",
    "o'İ",
    "'tis",
    "dogs'",
    '5%',
    'a%',
    '1,000',
    '1,00',
    'a,000',
    'ΣΑΣ',
    "ΣΑΣ's",
  ];
  const more = [
    '\u212a\u2019s',
    '😀’s',
    'ẞ',
    "ß's",
    '𠀀',
    'ﬁ’s',
    'café',
    'cafe\u0301’s',
    '\u00ad',
    "a\u00ad'b",
    '½',
    '\t',
    '\n',
    ' ',
    "n't",
    '3½',
    'カ\u3099',
    'ｶﾞ',
    'سـ',
    '５％',
    '½%',
    '5 %x',
    '™',
  ];
  const random = seededRandom(11);
  for (let n = 0; n < 3_000; n++) {
    const words = Array.from({ length: 1 + random.below(8) }, () =>
      Array.from({ length: 1 + random.below(3) }, () => random.pick([...pieces, ...more])).join(random.pick(['', "'"])),
    );
    const folded = foldText(words.join(' '));
    const each = words.map((word) => foldText(word));
    expect({ words, text: folded.text }).toEqual({ words, text: each.map(({ text }) => text).join(' ') });
    let [from, surfaceFrom] = [0, 0];
    for (const [m, { text, surfaceAt }] of each.entries()) {
      const offsets = Array.from(text, (_, at) => at);
      expect(offsets.map((at) => folded.surfaceAt(from + at))).toEqual(offsets.map((at) => surfaceFrom + surfaceAt(at)));
      from += text.length + 1;
      surfaceFrom += (words[m]?.length ?? 0) + 1;
    }
  }
});

test('what stands in a character that has grown is cut inside of the text', () => {
  const folded = foldText('pages 3½');
  expect(folded.text).toHaveLength(11);
  // The blank between 3 and ½ stands nowhere.
  expect(Array.from({ length: 12 }, (_, n) => folded.surfaceAt(n))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 7, 8, 8, 8]);
});

test('a word with a mark of its own is cut with the mark', () => {
  const text = 'un cafe\u0301, s’il vous plaît';
  const folded = foldText(text);
  const from = folded.text.indexOf('cafe');
  expect(text.slice(folded.surfaceAt(from), folded.surfaceAt(from + 4))).toBe('cafe\u0301');
});

test('a kana is cut with the mark that voices it', () => {
  const text = 'ﾊﾞﾅﾅ to フ\u3099ラシ';
  const folded = foldText(text);
  expect(folded.text).toBe('バナナ to ブラシ');
  expect(text.slice(folded.surfaceAt(0), folded.surfaceAt(1))).toBe('ﾊﾞ');
  expect(text.slice(folded.surfaceAt(7), folded.surfaceAt(8))).toBe('フ\u3099');
});
