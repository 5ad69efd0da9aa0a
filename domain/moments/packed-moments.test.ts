import { expect, test } from 'vitest';
import type { Moment } from './moment.ts';
import { packMoments, unpackMoments, unpackTexts } from './packed-moments.ts';

const line: Moment = {
  kind: 'Transcript',
  startMs: 4_000,
  endMs: 6_500,
  text: 'the Eagle has landed',
  source: 'sidecar',
  confidencePercent: 100,
};

test('moments come back from their packed row in order of time', () => {
  const later: Moment = {
    ...line,
    kind: 'Ocr',
    startMs: 9_000,
    endMs: 9_500,
    text: 'TRANQUILITY BASE',
    source: 'machine',
    confidencePercent: 93,
    speaker: 'Eagle',
  };
  expect(packAndUnpack([later, line])).toEqual([line, later]);
});

test('what found a moment, and what a person made of it, come back with it', () => {
  const heard: Moment = { ...line, source: 'machine', confidencePercent: 61, engine: 'whisper.cpp' };
  const moments: Moment[] = [
    line,
    { ...heard, startMs: 5_000, review: 'corrected' },
    { ...heard, startMs: 5_100, engine: 'pocketsphinx', review: 'verified' },
    { ...heard, startMs: 5_200 },
    { ...line, startMs: 5_300, review: 'verified' },
    { ...heard, startMs: 5_400, engine: 'pocketsphinx', isRough: true },
    { ...line, startMs: 5_500, isRough: true },
  ];
  expect(packAndUnpack(moments)).toEqual(moments);
  expect(packMoments([line]).body).toBe('Ts\t4000\t6500\t100\t\tthe Eagle has landed');
});

test('tabs, line ends and control characters in a text never break the row', () => {
  const [back] = packAndUnpack([{ ...line, text: 'one\ttwo\nthree\u0000four' }]);
  expect(back?.text).toBe('one two three four');
});

test('a row that was not packed here is refused', () => {
  expect(() => unpackMoments('hello')).toThrow('not a packed moment');
  for (const body of ['hello', 'T', 'Ts\t1\t2', 'Ts\t1\t2\t3\n\t\t', '\n']) expect(() => unpackTexts(body)).toThrow('not a packed moment');
});

test('the texts alone are those of the moments', () => {
  const moments = ['', 'one', 'two\twords'].flatMap((text) => [
    { ...line, text },
    { ...line, text, isRough: true as const },
    { ...line, text, speaker: 'Eagle', kind: 'Ocr' as const },
  ]);
  const { body } = packMoments(moments);
  const texts = unpackMoments(body).map(({ kind, text, isRough, speaker }) => ({
    kind,
    text,
    ...(isRough ? { isRough } : {}),
    ...(speaker ? { speaker } : {}),
  }));
  expect(unpackTexts(body)).toEqual(texts);
  expect(unpackTexts('')).toEqual([]);
});

test('every word start comes back with its own line, in whatever order lines with and without them are packed', () => {
  const random = numbersFrom(20_261_121);
  for (let round = 0; round < 300; round++) {
    const moments = Array.from({ length: 1 + random(6) }, (_, n): Moment => {
      const words = Array.from({ length: 1 + random(5) }, () => ['a', 'Straße', 'İzmir', '😀', 'e\u0301t\u0301'][random(5)]);
      const startMs = random(5) * 1_000;
      const moment: Moment = { ...line, startMs, endMs: startMs + 3_000, text: `${n} ${words.join(' ')}` };
      if (random(2) === 0) return moment;
      const starts = Array.from({ length: words.length + 1 }, () => startMs + random(3_001)).sort((a, b) => a - b);
      return { ...moment, wordStartsMs: starts };
    });
    const back = packAndUnpack(moments);
    expect(new Map(back.map((moment) => [moment.text, moment]))).toEqual(new Map(moments.map((moment) => [moment.text, moment])));
    expect(back.map(({ startMs }) => startMs)).toEqual(moments.map(({ startMs }) => startMs).sort((a, b) => a - b));
  }
});

test.each([
  ['fewer than words', [4_000, 4_100, 4_200]],
  ['more than words', [4_000, 4_100, 4_200, 4_300, 4_400]],
  ['backwards', [4_000, 4_500, 4_400, 4_600]],
  ['before the moment', [3_999, 4_100, 4_200, 4_300]],
  ['negative', [-1, 4_100, 4_200, 4_300]],
  ['after the moment', [4_000, 4_100, 4_200, 6_501]],
  ['beyond every clock', [4_000, 4_100, 4_200, 1e9]],
  ['no numbers', [4_000, 4_100, Number.NaN, 4_300]],
  ['endless', [4_000, 4_100, 4_200, Number.POSITIVE_INFINITY]],
])('word starts that are %s are left out and their line stays', (_, wordStartsMs) => {
  const packed = packMoments([{ ...line, wordStartsMs }]);
  expect(packed.wordStarts).toBeNull();
  expect(unpackMoments(packed.body, packed)).toEqual([line]);
});

test('word starts are counted against the words as the row keeps them', () => {
  const [back] = packAndUnpack([{ ...line, text: ' one\u0000two ', wordStartsMs: [4_000, 5_000] }]);
  expect(back).toMatchObject({ text: 'one two', wordStartsMs: [4_000, 5_000] });
});

test('a row from before there were word starts reads as ever', () => {
  const { body } = packMoments([{ ...line, wordStartsMs: [4_000, 4_100, 4_200, 4_300] }, line]);
  expect(unpackMoments(body)).toEqual([line, line]);
  expect(unpackMoments(body, { wordStarts: null })).toEqual([line, line]);
});

function packAndUnpack(moments: readonly Moment[]): Moment[] {
  const packed = packMoments(moments);
  return unpackMoments(packed.body, packed);
}

/** The same numbers below a limit in every run. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}
