import { expect, test } from 'vitest';
import type { Line, LineEntry } from '#contract/corrections.ts';
import { replaceInLines } from '#web/components/text/replace-in-lines.ts';
import { readTime } from '#web/components/text/time-code.ts';
import { actOf, joinLines, nextDoubtfulIn, pickReplacement, placeOf, splitLine, writeTime } from './edited-lines.ts';

const line = (startMs: number, text: string, speaker: string | null = null): Line => ({ startMs, endMs: startMs + 2_000, text, speaker });

test('a line is split where the caret stands, and its time by its letters; nothing is split off', () => {
  expect(splitLine(line(1_000, 'over here', 'Ann'), 4)).toEqual([
    { startMs: 1_000, endMs: 1_889, text: 'over', speaker: 'Ann' },
    { startMs: 1_889, endMs: 3_000, text: 'here', speaker: 'Ann' },
  ]);
  for (const at of [0, 9]) expect(splitLine(line(1_000, 'over here'), at)).toBeNull();
});

test('two lines that are joined last from the beginning of the first to the end of the last', () => {
  expect(joinLines(line(0, 'over'), line(5_000, 'here', 'Ann'))).toEqual({ startMs: 0, endMs: 7_000, text: 'over here', speaker: 'Ann' });
});

test('words are replaced wherever they stand as whole words, in whatever case, and nothing else is touched', () => {
  const lines = ['The Tern, a tern', 'eastern', 'turn (one) off', 'tern'].map((text, n) => line(n, text));
  const told = (find: string, by: string) => replaceInLines(lines, find, by).map(({ becomes }) => becomes.text);
  expect(told(' tern ', 'gull')).toEqual(['The gull, a gull', 'gull']);
  expect(told('a  tern', '$& gulls')).toEqual(['The Tern, $& gulls']);
  expect(told('(one)', 'it')).toEqual(['turn it off']);
  expect(told('tern', '')).toEqual(['The , a']);
  expect([told(' ', 'x'), told('tern', 'tern')[0]]).toEqual([[], 'The tern, a tern']);
});

test('words are replaced in scripts without blanks as they stand there, and in no script is a mark cut from its letter', () => {
  const lines = ['私は東京に行く', 'NHK東京 2020年', 'कमी', 'कम है', 'the cafe\u0301', 'a re-run', 'ไปบ้านกัน'].map((text, n) =>
    line(n, text),
  );
  const told = (find: string, by: string) => replaceInLines(lines, find, by).map(({ becomes }) => becomes.text);
  expect(told('東京', '大阪')).toEqual(['私は大阪に行く', 'NHK大阪 2020年']);
  expect(told('2020', '2021')).toEqual(['NHK東京 2021年']);
  expect(told('कम', 'कुछ')).toEqual(['कुछ है']);
  expect(told('cafe', 'bar')).toEqual([]);
  expect(told('CAFÉ', 'bar')).toEqual(['the bar']);
  expect(told('บ้าน', 'ร้าน')).toEqual(['ไปร้านกัน']);
  expect(told('re-run', 'second run')).toEqual(['a second run']);
});

test('what stands in the place of a line is the one at its time; where two speak at once, the one of its speaker, and else none', () => {
  const [ann, bo] = [line(5_000, 'yes', 'Ann'), line(5_000, 'no', 'Bo')];
  expect(pickReplacement([line(0, 'a'), line(6_000, 'b')], ann)).toEqual(line(6_000, 'b'));
  expect(pickReplacement([{ ...ann, text: 'yes!' }, bo], ann)?.text).toBe('yes!');
  expect(pickReplacement([line(5_000, 'c'), line(5_000, 'd')], ann)).toBeUndefined();
  expect(pickReplacement([line(0, 'a')], ann)).toBeUndefined();
});

test('a line that somebody else changed is looked for where it stood', () => {
  const lines = [line(0, 'a'), line(5_000, 'b'), line(5_000, 'c'), line(9_000, 'd')];
  expect([line(5_000, 'c'), line(8_500, 'b'), null].map((one) => placeOf(lines, one))).toEqual([2, 3, 0]);
  expect(placeOf([], null)).toBe(-1);
});

test('the next doubtful line is behind this one, then from the beginning, and none where all are sure', () => {
  const lines = [true, false, true, false].map((isDoubtful, n): LineEntry => {
    return { ...line(n, 'a'), confidencePercent: 50, review: null, correction: null, together: 1, replaces: null, isDoubtful };
  });
  expect([0, 1, 2, 3].map((from) => nextDoubtfulIn(lines, from))).toEqual([2, 2, 0, 0]);
  expect(nextDoubtfulIn([], -1)).toBe(-1);
});

test.each([
  ['00:14:07.250', 847_250],
  ['14:07', 847_000],
  ['7,5', 7_500],
  [' 1:00:00 ', 3_600_000],
  ['1m30s', 90_000],
  ['1h 2m', null],
  ['soon', null],
  ['1:2:3:4', null],
  ['', null],
])('%j as somebody types it is %j milliseconds', (text, ms) => {
  expect(readTime(text)).toBe(ms);
  if (ms !== null) expect(readTime(writeTime(ms))).toBe(ms);
});

test('Alt with a key acts, on a Mac Control and Option; what writes a letter there or elsewhere, and a blank with Shift, is left to write', () => {
  const none = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false };
  const alt = { ...none, altKey: true };
  const both = { ...alt, ctrlKey: true };
  const codes = ['KeyU', 'KeyN', 'BracketLeft', 'KeyK', 'KeyZ'];
  const told = (keys: typeof none, onMac: boolean) => codes.map((code) => actOf({ ...keys, code }, onMac));
  const acts = ['undo', 'doubtful', 'begins', 'play', undefined];
  const nothing = codes.map(() => undefined);
  expect([told(alt, false), told(both, false)]).toEqual([acts, nothing]);
  expect([told(alt, true), told(both, true)]).toEqual([nothing, acts]);
  for (const onMac of [false, true]) expect(actOf({ ...none, shiftKey: true, code: 'Space' }, onMac)).toBeUndefined();
});
