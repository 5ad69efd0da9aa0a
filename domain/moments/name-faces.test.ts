import { expect, test } from 'vitest';
import { compose } from './compose.ts';
import type { Correction } from './corrections.ts';
import { withoutForgottenFaces } from './erasures.ts';
import { type FaceGroup, faceMarkOf, nameUnknownFace, type Place } from './faces.ts';
import type { Layer } from './layers.ts';
import { isNobody } from './moment.ts';
import { appearancesOf, nameFaces } from './name-faces.ts';

const [left, right]: Place[] = [
  [200, 300, 100, 150],
  [600, 300, 100, 150],
];
function group(place: Place | undefined, startMs: number, endMs: number): FaceGroup {
  const at = { atMs: startMs + 500, place: place ?? [0, 0, 1, 1] };
  return { clearest: at, confidencePercent: 83, engine: 'an eye', tracks: [{ startMs, endMs, places: [{ ...at, atMs: startMs }] }] };
}
const named = (of: FaceGroup, says: string, more: Partial<Correction> = {}): Correction => {
  const { atMs, place } = of.clearest;
  const target = { layer: 'faces', kind: 'Person', startMs: atMs, endMs: atMs, place, replaces: 'Unknown 1' } as const;
  return { id: 1, target, says, made: { by: 'ann', at: new Date(0) }, undone: null, ...more };
};
const faces = (...groups: FaceGroup[]): Layer[] => [{ name: 'faces', groups }];
const [woman, man] = [group(left, 0, 9_000), group(right, 4_000, 9_000)];

test('faces that nobody has named are nobody for the search, and are told apart by numbers', () => {
  const { people, moments } = compose(faces(woman, man), []);
  expect([people, moments]).toEqual([[], []]);
  expect(nameFaces([woman, man], []).faces.map(({ name }) => name)).toEqual(['Unknown 1', 'Unknown 2']);
  expect([nameUnknownFace(0), nameUnknownFace(41), 'unknown #3', 'Unknown_007'].every(isNobody)).toBe(true);
  expect(['Unknown Pleasures', 'Unknown', 'Mr. Unknown 1'].some(isNobody)).toBe(false);
});

test('a face that somebody named is a person of the film, seen when the face is, with engine and confidence', () => {
  const { people, moments, unfitting } = compose(faces(woman, man), [named(man, 'Walter')]);
  expect([people, unfitting.size]).toEqual([['Walter'], 0]);
  expect(moments).toEqual([
    {
      kind: 'Face',
      startMs: 4_000,
      endMs: 9_000,
      text: 'Walter',
      source: 'machine',
      confidencePercent: 83,
      engine: 'an eye',
      review: 'corrected',
    },
  ]);
});

test('another run that finds the faces in another order, and a little aside, keeps the name with its face', () => {
  const moved = group([615, 310, 100, 140], 3_500, 9_500);
  const { faces: found } = nameFaces([moved, group(left, 0, 9_000)], [named(man, 'Walter')]);
  expect(found.map(({ name }) => name)).toEqual(['Walter', 'Unknown 2']);
});

test.each<[string, FaceGroup[]]>([
  ['is not there any more', []],
  ['stands elsewhere now', [group([20, 20, 100, 150], 4_000, 9_000)]],
  ['is seen at another time', [group(right, 20_000, 29_000)]],
])('a name whose face %s is kept, and told as one that no longer fits', (_, groups) => {
  const { people, unfitting } = compose(faces(...groups), [named(man, 'Walter')]);
  expect([people, [...unfitting]]).toEqual([[], [1]]);
});

test('of two names the later one holds, and one that was taken back does not', () => {
  const undone = { by: 'bo', at: new Date(1) };
  const names = (corrections: Correction[]) => compose(faces(man), corrections).people;
  expect(names([named(man, 'Walter'), named(man, 'Cary Grant', { id: 2 })])).toEqual(['Cary Grant']);
  expect(names([named(man, 'Walter'), named(man, 'Cary Grant', { id: 2, undone })])).toEqual(['Walter']);
});

test('two groups that are given one name are one person', () => {
  const later = group(left, 20_000, 30_000);
  const { people, moments } = compose(faces(woman, later), [named(woman, 'Hildy'), named(later, 'Hildy', { id: 2 })]);
  expect([people, moments.map(({ startMs }) => startMs)]).toEqual([['Hildy'], [0, 20_000]]);
});

const seen = (...parts: FaceGroup[]): FaceGroup => ({ ...(parts[0] ?? woman), tracks: parts.flatMap(({ tracks }) => tracks) });
const said = (of: FaceGroup, says: string, startsMs?: number[]): Correction => {
  const { atMs, place } = of.clearest;
  const target = {
    layer: 'faces',
    kind: 'Person',
    startMs: atMs,
    endMs: atMs,
    place,
    replaces: '',
    appearances: appearancesOf(of, startsMs),
  } as const;
  return named(of, says, { id: says.length, target });
};
const timesOf = (groups: readonly FaceGroup[], corrections: Correction[]) =>
  nameFaces(groups, corrections).faces.map(({ name, tracks }) => [name, ...tracks.map(({ startMs }) => startMs)]);

test('another threshold that divides a named group leaves the name with all of its appearances, and one that joins two leaves each its own', () => {
  const [first, later, other] = [group(left, 0, 9_000), group(right, 20_000, 30_000), group(left, 40_000, 45_000)];
  const corrections = [said(seen(first, later), 'Hildy'), said(other, 'Walter')];
  expect(timesOf([later, first, other], corrections)).toEqual([
    ['Hildy', 20_000],
    ['Hildy', 0],
    ['Walter', 40_000],
  ]);
  expect(timesOf([seen(first, later, other)], corrections)).toEqual([
    ['Hildy', 0, 20_000],
    ['Walter', 40_000],
  ]);
});

test('what another look finds more of a group has the name that all of it was given, and none that only a part was', () => {
  const [first, later, more] = [group(left, 0, 9_000), group(right, 20_000, 30_000), group(left, 40_000, 45_000)];
  expect(timesOf([seen(first, later, more)], [said(seen(first, later), 'Hildy')])).toEqual([['Hildy', 0, 20_000, 40_000]]);
  expect(timesOf([seen(first, later, more)], [said(seen(first, later), 'Bruce', [20_000])])).toEqual([
    ['Unknown 1', 0, 40_000],
    ['Bruce', 20_000],
  ]);
});

test('an appearance that is not theirs is nobody’s, however the film is looked at, until that is taken back', () => {
  const [first, later] = [group(left, 0, 9_000), group(right, 20_000, 30_000)];
  const notTheirs = said(seen(first, later), '', [20_000]);
  const corrections = [said(seen(first, later), 'Hildy'), notTheirs];
  expect(timesOf([seen(first, later)], corrections)).toEqual([
    ['Hildy', 0],
    ['Unknown 2', 20_000],
  ]);
  expect(timesOf([seen(later, first)], corrections)).toEqual([
    ['Unknown 1', 20_000],
    ['Hildy', 0],
  ]);
  expect(
    timesOf([seen(first, later)], [said(seen(first, later), 'Hildy'), { ...notTheirs, undone: { by: 'bo', at: new Date(1) } }]),
  ).toEqual([['Hildy', 0, 20_000]]);
});

test('an appearance told from a face without a name is a face of its own, and each of the two is named alone', () => {
  const [first, later, last] = [group(left, 0, 9_000), group(right, 20_000, 30_000), group(left, 40_000, 49_000)];
  const all = [seen(first, later, last)];
  const notTheirs = said(seen(first, later, last), '', [20_000]);
  expect(timesOf(all, [notTheirs])).toEqual([
    ['Unknown 1', 0, 40_000],
    ['Unknown 2', 20_000],
  ]);
  expect(timesOf(all, [notTheirs, said(seen(first, last), 'Ada')])).toEqual([
    ['Ada', 0, 40_000],
    ['Unknown 2', 20_000],
  ]);
  expect(timesOf(all, [notTheirs, said(later, 'Bruce')])).toEqual([
    ['Unknown 1', 0, 40_000],
    ['Bruce', 20_000],
  ]);
});

test('of appearances that touch where a face is seen most clearly the one that begins there has its mark, and each is forgotten alone', () => {
  const [first, later] = [group(left, 0, 5_000), group(left, 5_000, 9_000)];
  const both = { ...seen(first, later), clearest: { ...later.clearest, atMs: 5_000 } };
  const { faces: parts } = nameFaces([both], [said(both, '', [0])]);
  const startsOf = ({ tracks }: FaceGroup) => tracks.map(({ startMs }) => startMs);
  expect(parts.map((part) => [faceMarkOf(part) === faceMarkOf(both), startsOf(part)])).toEqual([
    [true, [5_000]],
    [false, [0]],
  ]);
  const stays = (forgotten: FaceGroup) =>
    withoutForgottenFaces([both], [{ id: 'e', videoId: 'v', nameMark: null, tracks: forgotten.tracks }]).map(startsOf);
  expect([stays(first), stays(later)]).toEqual([[[5_000]], []]);
});

test('an appearance stays told from its face when the name that this had is taken back', () => {
  const [first, later] = [group(left, 0, 9_000), group(right, 20_000, 30_000)];
  const named = { ...said(seen(first, later), 'Hildy'), undone: { by: 'bo', at: new Date(1) } };
  expect(timesOf([seen(first, later)], [named, said(seen(first, later), '', [20_000])])).toEqual([
    ['Unknown 1', 0],
    ['Unknown 2', 20_000],
  ]);
});

test('another name for an appearance that was named alone leaves the rest of its group without one', () => {
  const [first, later] = [group(left, 0, 9_000), group(right, 20_000, 30_000)];
  const corrections = [said(seen(first, later), 'Bruce', [20_000]), said(later, 'Walter')];
  expect(timesOf([seen(first, later)], corrections)).toEqual([
    ['Unknown 1', 0],
    ['Walter', 20_000],
  ]);
});

const oneOf = (of: FaceGroup, other: FaceGroup, more: Partial<Correction> = {}): Correction => {
  const appearances = { tracks: of.tracks, isWhole: true, others: other.tracks };
  return { ...said(of, ''), id: 7, says: null, ...more, target: { ...target(of), appearances } };
};
const target = (of: FaceGroup) => ({
  layer: 'faces' as const,
  kind: 'Person' as const,
  replaces: 'Unknown 1, Unknown 2',
  startMs: of.clearest.atMs,
  endMs: of.clearest.atMs,
  place: of.clearest.place,
});
const toldOf = (groups: FaceGroup[], corrections: Correction[]) => {
  const { faces: all, unfitting } = nameFaces(groups, corrections);
  return [...all.map((face) => [face.name, ...face.tracks.map(({ startMs }) => startMs)]), ...unfitting];
};
const back = group(left, 20_000, 26_000);

test('two faces without a name that are one person are one face, until that is taken back', () => {
  const groups = [woman, man, back];
  expect(toldOf(groups, [oneOf(woman, back)])).toEqual([
    ['Unknown 1', 0, 20_000],
    ['Unknown 2', 4_000],
  ]);
  expect(toldOf(groups, [oneOf(woman, back, { undone: { by: 'bo', at: new Date(1) } })])).toHaveLength(3);
});

test.each<[string, FaceGroup[], unknown[]]>([
  [
    'in another order and a little aside',
    [group([615, 310, 100, 140], 3_500, 9_500), group([190, 310, 100, 150], 20_200, 26_000), group(left, 100, 9_000)],
    [
      ['Unknown 1', 3_500],
      ['Unknown 2', 100, 20_200],
    ],
  ],
  [
    'as one group, with more of it',
    [seen(woman, back, group(left, 40_000, 44_000)), man],
    [
      ['Unknown 1', 0, 20_000, 40_000],
      ['Unknown 2', 4_000],
    ],
  ],
  [
    'with more of either',
    [seen(woman, group(left, 40_000, 44_000)), man, back],
    [
      ['Unknown 1', 0, 20_000, 40_000],
      ['Unknown 2', 4_000],
    ],
  ],
  ['but not the one of them', [woman, man], [['Unknown 1', 0], ['Unknown 2', 4_000], 7]],
])('another run that finds two such faces %s keeps what a person said of them', (_, groups, told) => {
  expect(toldOf(groups, [oneOf(woman, back)])).toEqual(told);
});

test('a name that such a face is given is that of both, and what is not theirs is told from it again', () => {
  const both = seen(woman, back);
  const merged = [oneOf(woman, back)];
  expect(toldOf([woman, man, back], [...merged, said(both, 'Hildy')])).toEqual([
    ['Hildy', 0, 20_000],
    ['Unknown 2', 4_000],
  ]);
  expect(toldOf([woman, man, back], [...merged, said(both, 'Hildy'), said(both, '')])).toEqual([
    ['Unknown 1', 0, 20_000],
    ['Unknown 2', 4_000],
  ]);
  expect(toldOf([woman, back], [...merged, said(both, '', [20_000])])).toEqual([
    ['Unknown 1', 0],
    ['Unknown 2', 20_000],
  ]);
});
