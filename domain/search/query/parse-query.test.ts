import { expect, test } from 'vitest';
import { Problem } from '#contract/problem.ts';
import { english } from '../../words/languages/english.ts';
import type { Language } from '../../words/languages/language.ts';
import { tokensOf } from '../../words/tokens.ts';
import { parseQuery } from './parse-query.ts';

const languages = [english];

/** A query in short: concepts parted by blanks, alternatives by `|`, words in a row by `_`, must by `+`, an open end by `…`. */
function inShort(text: string, options?: { suggesting: boolean }): string {
  const { concepts, not, ids, notIds } = parseQuery(text, { languages, ...options });
  const term = ({ tokens, open, field }: { tokens: readonly string[]; open?: boolean; field?: string | undefined }) =>
    `${field ? `${field}:` : ''}${tokens.join('_')}${open ? '…' : ''}`;
  return [
    ...concepts.map(({ anyOf, must }) => (must ? '+' : '') + anyOf.map(term).join('|')),
    ...not.map((one) => `-${term(one)}`),
    ...ids.map((id) => `id:${id}`),
    ...notIds.map((id) => `-id:${id}`),
  ].join(' ');
}

test.each([
  ['one small step', 'one small step…'],
  ['one small step ', 'one small step'],
  ['"one small" step ', 'one_small step'],
  ['“curly quotes”', 'curly_quotes'],
  ['"never closed', 'never_closed'],
  ['moon -landing', 'moon -landing'],
  ['moon -"full moon" ', 'moon -full_moon'],
  ['moon OR luna ', 'moon|luna'],
  ['north|america ', 'north|america'],
  ['north+america ', '+north +america'],
  ['moon +landing ', 'moon +landing'],
  ['R2-D2 9/11 AT&T ', 'r2_d2 9_11 at_t'],
  ['one,two ', 'one two'],
  ['person:"Ada Lovelace" said:engine ', 'person:ada_lovelace said:engine'],
  ['foo:bar ', 'foo_bar'],
  ['OR | + - moon ', 'moon'],
  ['moon moon Moon ', 'moon'],
  ['C++ ', 'c'],
  ['"full moon" OR "new moon" ', 'full_moon|new_moon'],
  ['"full moon" OR luna ', 'full_moon|luna'],
  ['luna OR "full moon" OR eclipse ', 'luna|full_moon|eclipse'],
  ['title:moon OR person:"Ada Lovelace" ', 'title:moon|person:ada_lovelace'],
  ['said:"small step" OR written:step ', 'said:small_step|written:step'],
  ['+"small step" moon ', '+small_step moon'],
  ['+title:moon ', '+title:moon'],
  ['moon -title:full ', 'moon -title:full'],
  ['moon -person:"Ada Lovelace" ', 'moon -person:ada_lovelace'],
  ['moon -said:"small step" -written:step', 'moon -said:small_step -written:step'],
  ['id:3a9220459b', 'id:3a9220459b'],
  ['moon -id:3a9220459b -id:"3a9220459c"', 'moon -id:3a9220459b -id:3a9220459c'],
  ['id:a id:a -id:b -id:b', 'id:a -id:b'],
  ['„Mond“ «lune» »Mond« “moon” ＂月＂ ', 'mond lune moon 月'],
  ['‹full moon› 「full moon」 『half moon』 ❝new moon❞ ', 'full_moon half_moon new_moon'],
  ['moon ＋landing －full ', 'moon +landing -full'],
  ['moon −full ', 'moon -full'],
  ['moon｜luna ', 'moon|luna'],
  ['person：Ada ', 'person:ada'],
  ['PERSON:Ada Title:moon ', 'person:ada title:moon'],
  ['person: Ada ', 'person ada'],
  ['moon or luna ', 'moon or luna'],
  ['moon | luna ', 'moon|luna'],
  ['north + america ', '+north +america'],
  ['a|b+c ', '+a|b +c'],
  ['OR moon OR ', 'moon'],
  ['moon OR OR luna ', 'moon|luna'],
  ['moon -', 'moon'],
  ['moon - landing ', 'moon landing'],
  ['half-moon well-known- ', 'half_moon well_known'],
  ['(moon OR luna) landing ', 'moon|luna landing'],
  ['apollo -(moon OR "full landing") crew ', 'apollo crew -moon -full_landing'],
  ['apollo -(moon landing ', 'apollo -moon -landing'],
  ['-(moon) luna ', 'luna -moon'],
  ['apollo - (moon) ', 'apollo moon'],
  ['eclipse -title:(moon OR luna) ', 'eclipse -title:moon -title:luna'],
  ['person:(Ada OR Charles) engine ', 'person:ada|person:charles engine'],
  ['title:(full "new moon") said:(a OR title:b) ', 'title:full title:new_moon said:a|title:b'],
  ['+title:(moon landing) ', '+title:moon +title:landing'],
  ['-((moon OR luna) landing) crew ', 'crew -moon -luna -landing'],
  ['title:(moon ', 'title:moon'],
  ['1" type C master ', '1 type c master'],
  ['3/4" U-matic "Berlin 1974" ', '3_4 u_matic berlin_1974'],
  ['12" record -remix ', '12 record -remix'],
  ['12" and 7" "picture disc" ', '12 and 7 picture_disc'],
  ['צה"ל -מלחמה ', 'צה ל -מלחמה'],
  ['צה"ל וארה"ב ', 'צה ל וארה ב'],
  ['"צה"ל" ', 'צה_ל'],
  ['"" "moon" ""', 'moon'],
  ['"a"b"c" ', 'a b c'],
  ['-"moon', '-moon'],
  ['person:"Ada', 'person:ada'],
  ['person:', 'person'],
  ['月光 ', '月_光'],
  ['луна -земля ', 'луна -земля'],
  ['القمر OR هلال ', 'القمر|هلال'],
  ['a\u0000b\u001b[31mred ', 'a b 31mred'],
  ['1,5 Millionen ', '1_5 millionen'],
  ['moon,1,5;2;mars ', 'moon 1_5 2 mars'],
  ['moon，mars،venus、earth؛sun ', 'moon mars venus earth sun'],
  ['Kennedy/Johnson moon—landing ', 'kennedy johnson moon landing'],
  ['mars…venus earth--sun sea...sky ', 'mars venus earth sun sea sky'],
  ['AC/DC TCP/IP and/or 9/11 ', 'ac_dc tcp_ip and_or 9_11'],
  ['"mars/venus" +earth/sun -moon—landing ', 'mars_venus +earth_sun -moon_landing'],
  ['title:mars/venus ', 'title:mars_venus'],
  ['-one,two ', '-one -two'],
  ['-a-b-c-d-e-f-g-h-i-j ', '-a_b_c_d_e_f_g_h_i_j'],
  ['50 % 50% 5 \u202f% ', '50_percent 5'],
  ['50 %ige 50%ige Lösung ', '50_percent_ige losung'],
  ['5 %, 6 %-10 % moon ', '5_percent 6_percent_10_percent moon'],
  ['½ % 1½\u00a0% ', '1_2_percent 1_1_2_percent'],
  ['日本語 OR 英語教育 ', '日_本_語|英_語_教_育'],
  ['月面着陸 OR moon ', '月_面_着_陸|moon'],
  ['moon|月面着陸|luna 日本語教育 ', 'moon|月_面_着_陸|luna 日_本_語 教_育'],
  ['Kennedy/Johnson OR moon ', 'kennedy_johnson|moon'],
  ['moon OR a-b-c-d-e-f-g-h-i-j ', 'moon|a_b_c_d_e_f_g_h_i_j'],
  ['moon+月面着陸 ', '+moon +月_面_着_陸'],
  ['月面着陸+moon ', '+月_面_着_陸 +moon'],
  ['月面着陸 "" -luna OR | "" moon ', '月_面_着_陸|moon -luna'],
  ['one,two OR moon ', 'one two|moon'],
  ['OR 月面着陸 OR -moon luna+ ', '月_面 着_陸 luna -moon'],
])('%s is read as %s', (text, expected) => {
  expect(inShort(text)).toBe(expected);
});

test('a number says a word twice where its language is spoken, and nowhere else', () => {
  const wordsIn = (languages: readonly Language[]) => parseQuery('twenty twenty moon moon ', { languages }).concepts.length;
  expect([wordsIn([english]), wordsIn([])]).toEqual([3, 2]);
});

/** The words of a query as they were typed. */
const wordsTyped = (text: string) => parseQuery(text, { languages }).concepts.flatMap(({ anyOf }) => anyOf.map(({ surface }) => surface));

test.each([
  ['การลงจอดบนดวงจันทร์ ', ['การ', 'ลง', 'จอด', 'บน', 'ดวง', 'จันทร์']],
  ['กรุงเทพมหานคร ', ['กรุงเทพมหานคร']],
  ['月面着陸の映像 ', ['月面', '着陸', '映像']],
  ['月面着陸、映像 ', ['月面', '着陸', '映像']],
  ['アームストロング船長の演説 ', ['アームストロング', '船長', '演説']],
  ['フルトヴェングラー ', ['フルトヴェングラー']],
  ['ニール・アームストロング ', ['ニール', 'アームストロング']],
  ['アポロ11号 ', ['アポロ', '11号']],
  ['新幹線N700系 ', ['新幹線', 'N700系']],
  ['北京奥运会开幕式 ', ['北京', '奥运会', '开幕式']],
  ['月球的照片 ', ['月球', '照片']],
  ['R2-D2のロボット ', ['R2-D2', 'ロボット']],
  ['月 の ', ['月', 'の']],
  ['のに ', ['のに']],
])('of %s each word is asked for, and no letter by itself', (text, words) => {
  expect(wordsTyped(text)).toEqual(words);
});

test('what is left out or must be there is one word, in whatever script', () => {
  expect(inShort('moon -กรุงเทพ')).toBe('moon -ก_ร_ุ_ง_เ_ท_พ');
  expect(inShort('moon -กรุงเทพมหานคร ')).toBe(`moon -${tokensOf('กรุงเทพมหานคร').join('_')}`);
  expect(inShort('+月面着陸映像歴史資料館 ')).toBe('+月_面_着_陸_映_像_歴_史_資_料_館');
  expect(inShort('said:月面着陸映像歴史資料館 ')).toBe('said:月_面_着_陸_映_像_歴_史_資_料_館');
});

test('in suggestions the last word is open even before a blank', () => {
  expect(inShort('moon lan ', { suggesting: true })).toBe('moon lan…');
});

test.each([['a'.repeat(1_000)], ['😀'.repeat(1_000)], ['a '.repeat(500)], ['('.repeat(1_000)], ['-a '.repeat(300)], ['İ'.repeat(1_000)]])(
  'a thousand characters are read: %#',
  (text) => {
    expect(() => parseQuery(text, { languages })).not.toThrow();
  },
);

test('more than a thousand characters are refused with a code', () => {
  expect(() => parseQuery('😀'.repeat(1_001), { languages })).toThrow(expect.objectContaining({ code: 'query_too_long' }));
  expect(() => parseQuery('a'.repeat(1_001), { languages })).toThrow(Problem);
});

test('whatever is typed is read, and every word that is found stands where it says', () => {
  const pieces = [
    '"',
    '“',
    '„',
    '+',
    '-',
    '|',
    ' OR ',
    ' ',
    '(',
    ')',
    'id:',
    'person:',
    ':',
    'moon',
    'İs',
    'ß',
    '月',
    '😀',
    'e\u0301',
    'ﬁ',
    '，',
    'ก',
    'กรุงเทพ',
    'の',
    'ｶﾞ',
    '50 %',
    '½ %',
    '/',
    '\u0000',
    'ａ',
    "'",
  ];
  let state = 7;
  const next = () => (state = (state * 48_271) % 2_147_483_647);
  for (let round = 0; round < 3_000; round++) {
    const text = Array.from({ length: 1 + (next() % 12) }, () => pieces[next() % pieces.length]).join('');
    const { concepts, not } = parseQuery(text, { languages });
    for (const { tokens, offsets } of [...concepts.flatMap(({ anyOf }) => anyOf), ...not]) {
      expect([text, tokens.length > 0 && tokens.every((token) => token !== '')]).toEqual([text, true]);
      if (offsets) expect([text, tokensOf(text.slice(offsets.from, offsets.to))]).toEqual([text, tokens]);
    }
  }
});
