import { expect, test } from 'vitest';
import { knownLanguages } from '../../words/languages/languages.ts';
import { Vocabulary } from '../../words/vocabulary.ts';
import { fit } from '../weights.ts';
import { expandQuery } from './expand-query.ts';
import { parseQuery } from './parse-query.ts';

/** What stands for the words of a query in an archive that holds these words: `spider man` in a row, `written:` on the screen only. */
function standIns(query: string, held: string): string[] {
  const vocabulary = Vocabulary.of({
    terms: held.split(' ').map((term, n) => ({ term, videos: n + 1 })),
    batch: 1,
    videos: 100,
    languages: knownLanguages,
  });
  const { concepts } = expandQuery(parseQuery(query, vocabulary), vocabulary);
  const others = concepts.flatMap(({ alternatives }) => alternatives.filter((one) => one.fit < fit.exact));
  return [...new Set(others.map(({ tokens, field }) => (field ? `${field}:` : '') + tokens.join(' ')))].sort();
}

test.each([
  // Hyphens and apostrophes both ways.
  ['spider man ', 'spiderman', ['spiderman']],
  ['spider-man ', 'spiderman', ['spiderman']],
  ['spiderman ', 'spider man', ['spider man']],
  ['spiderman ', 'spiderman spider man', ['spider man']],
  ['email ', 'e mail', ['e mail', 'mail']],
  ['e-mail ', 'email', ['email']],
  ['rock n roll ', 'rocknroll', ['rocknroll']],
  ["rock'n'roll ", 'rock n roll', ['rock n roll']],
  ['argocd ', 'argo cd', ['argo cd']],
  ["o'brien ", 'obrien', []],
  ['o brien ', 'obrien', ['obrien']],
  ['wily-nilly ', 'willy nilly', ['willy nilly']],
  // Initials both ways.
  ['FBI ', 'f b i', ['f b i']],
  ['FBI', 'fbi f b i', ['f b i']],
  ['fbi ', 'f b i', ['f b i']],
  ['fbi ', 'fbi f b i', []],
  ['USSR ', 'u s r', ['u s s r']],
  ['US ', 'us u s', ['u s']],
  ['us ', 'us u s', []],
  ['apo', 'apollo a p o', ['apollo']],
  ['moom ', 'moon m o', ['moon']],
  ['J. F. K. ', 'j f k jfk', ['jfk']],
  ['I. M. Pei ', 'i m pei im', []],
  ['MOON ', 'moon m o n', ['m o o n']],
  ['APOLO ', 'apollo a p o l', ['apollo']],
  ['1 2 3 ', '123 1 2 3', []],
  ['F.B.I. ', 'fbi', ['fbi']],
  // Names by ear: as they are said, and with the name before them.
  ['masurovsky ', 'mazurowski', ['mazurowski']],
  ['lites ', 'lights ghosts', ['lights']],
  ['casper wineburger ', 'caspar casper weinberger', ['caspar', 'weinberger']],
  ['landing wineburger ', 'lending landing weinberger', ['lending', 'weinberger']],
  ['landing harbour ', 'lending landing harbour', []],
  ['south austrailia ', 'sooth south australia', ['australia', 'sooth']],
  ['shawn aker ', 'shawn achor baker', ['achor', 'baker']],
  // Numbers are what is meant: another one is no slip of them.
  ['18th century ', '19th 17th century', []],
  ['1930s ', '1950s 1920s', []],
  ['1930s ', 'thirties 1950s', ['thirties']],
  ['a320 ', 'a330', []],
  ['18ht ', '18th', ['18th']],
  // What ends a tied word.
  ['X-ray ', 'x rays', ['x rays']],
  ['U-boats ', 'u boat', ['u boat']],
  ['B-52 ', 'b 52 52s', ['b 52s']],
  ['1930-50 ', '1930 50 30', []],
  // Types of things, tied or not.
  ['U2 ', 'u 2', ['u 2']],
  ['3D ', '3 d', ['3 d']],
  ['B52 ', 'b52 b 52', ['b 52']],
  ['MiG21 ', 'mig 21', ['mig 21']],
  // Decades with an apostrophe of their own.
  ['1960s ', '1960 s', ['1960', '1960 s']],
  ['sixties ', '60 s', ['60 s']],
  ['1960s ', '1960 60 s', ['1960', '1960 s', '60 s']],
  // Numbers both ways.
  ['3 ', 'three', ['three']],
  ['three ', '3', ['3']],
  ['21 ', 'twenty one', ['twenty one']],
  ['21 ', 'twentyone', ['twentyone']],
  ['twenty-one ', '21', ['21']],
  ['twenty one ', '21', ['21']],
  ['ninety nine ', '99', ['99']],
  ['100 ', 'hundred', ['hundred']],
  ['one hundred ', '100', ['100']],
  ['seven forty seven ', '747 740', ['747']],
  ['twenty twenty ', '2020', ['2020']],
  ['two thousand and twenty one ', '2021 2020 2000', ['2021']],
  ['seventeen point eight ', '17 8', ['17', '17 8', '8']],
  ['17.8 ', 'seventeen point eight', ['seventeen point eight']],
  ['21st ', 'twenty first', ['twenty first']],
  ['twenty-first ', '21st', ['21st']],
  ['12th ', 'twelfth', ['twelfth']],
  ['101 ', 'hundred one', ['hundred one', 'one hundred one']],
  ['2101 ', 'thousand one hundred', []],
  // British and American.
  ['colour ', 'color', ['color']],
  ['colors ', 'colours', ['colours']],
  ['centre ', 'center', ['center']],
  ['organise ', 'organize', ['organize']],
  ['organization ', 'organisation', ['organisation']],
  ['analyse ', 'analyze', ['analyze']],
  ['travelling ', 'traveling', ['traveling']],
  ['grey ', 'gray', ['gray']],
  ['theater ', 'theatre', ['theatre']],
  ['aluminum ', 'aluminium', ['aluminium']],
  // Umlauts both ways.
  ['Müller ', 'mueller', ['mueller']],
  ['Mueller ', 'muller', ['muller']],
  ['muller ', 'muller mueller', ['mueller']],
  ['Koeln-Duesseldorf ', 'koln dusseldorf', ['koln dusseldorf']],
  ['Köln-Düsseldorf ', 'koeln duesseldorf', ['koeln duesseldorf']],
  ['Mueller-Luedenscheidt ', 'mueller muller ludenscheidt', ['mueller ludenscheidt', 'muller ludenscheidt']],
  ['Jörg ', 'jorg joerg', ['joerg']],
  ['übermässig ', 'uebermaessig', ['uebermaessig']],
  ['guest ', 'gust guest', []],
  // One wrong letter from four letters on, two from eight on, a swap of neighbours being one.
  ['mon ', 'moon', []],
  ['moom ', 'moon', ['moon']],
  ['mono ', 'moon', ['moon']],
  ['lithiam ', 'lithium', ['lithium']],
  ['kupka ', 'kappa', []],
  ['quokka ', 'quota', []],
  ['magnificant ', 'magnificent', ['magnificent']],
  ['magnifisant ', 'magnificent', ['magnificent']],
  // By ear.
  ['Kale ', 'kahle', ['kahle']],
  ['Kale ', 'kale kahle', ['kahle']],
  ['Filip ', 'philip', ['philip']],
  ['Stephen ', 'stephen steven', ['steven']],
  ['Katherine ', 'catherine katherine', ['catherine']],
  ['Tchaikovsky ', 'chaikofski', ['chaikofski']],
  ['Greeg ', 'green greek greed grieg', ['greed', 'greek', 'green', 'grieg']],
  ['cat ', 'cat coat', []],
  ['kale ', 'kale call coal kilo kelly', []],
  // As a picture was read.
  ['modern ', 'modem modern', ['written:modem']],
  ['harbour ', 'harb0ur harbour', ['written:harb0ur']],
  ['100l ', '1001 100l', ['written:1001']],
  ['light ', '1ight light', ['written:1ight']],
  ['said:light ', '1ight light', []],
  ['written:light ', '1ight light', ['written:1ight']],
  // To the letter.
  ['"colour" ', 'color', []],
  ['+colour ', 'color', []],
  ['+"spiderman"', 'spider man', []],
])('%s in an archive of %s', (query, held, expected) => {
  expect(standIns(query, held)).toEqual(expected);
});

test('every number up to a hundred is found in words and in digits', () => {
  for (let n = 0; n <= 100; n++) {
    const [way = ''] = standIns(
      `${n} `,
      'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen ' +
        'sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred',
    );
    expect(standIns(`${way} `, String(n)), way).toEqual([String(n)]);
  }
});
