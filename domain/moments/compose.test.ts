import { expect, test } from 'vitest';
import { compose } from './compose.ts';
import type { Correction, CorrectionTarget, Line } from './corrections.ts';
import type { FilmFacts, Layer } from './layers.ts';
import type { Moment } from './moment.ts';

const facts: FilmFacts = {
  name: 'Harbour',
  externalId: null,
  description: null,
  owner: 'Nordlys',
  recordedAt: null,
  place: null,
  language: 'en',
  rights: null,
};
const catalogue: Layer = { name: 'catalogue', facts };
const heard = (startMs: number, text: string): Moment => ({
  kind: 'Transcript',
  startMs,
  endMs: startMs + 2_000,
  text,
  source: 'machine',
  confidencePercent: 60,
  engine: 'whisper.cpp',
});
const captions = (...moments: Moment[]): Layer => ({ name: 'captions', moments });
const atTwo: CorrectionTarget = { layer: 'captions', kind: 'Transcript', startMs: 2_000, endMs: 4_000, replaces: 'the eagle has handed' };

let lastId = 0;
function correction(target: CorrectionTarget, says: string | null, more: Partial<Correction> = {}): Correction {
  lastId += 1;
  return { id: lastId, target, says, made: { by: 'ann', at: new Date(0) }, undone: null, ...more };
}
const undone = { by: 'bo', at: new Date(1) };

test('a corrected moment says the new text, keeps its source, engine and confidence, and tells that it was corrected', () => {
  const composed = compose([catalogue, captions(heard(2_000, 'the eagle has handed'))], [correction(atTwo, 'the Eagle has landed')]);
  expect(composed.moments).toEqual([{ ...heard(2_000, 'the Eagle has landed'), review: 'corrected' }]);
  expect(composed.unfitting.size).toBe(0);
});

test('a moment that somebody confirmed is verified, and says what it said', () => {
  const { moments } = compose([captions(heard(2_000, 'the eagle has handed'))], [correction(atTwo, null)]);
  expect(moments).toEqual([{ ...heard(2_000, 'the eagle has handed'), review: 'verified' }]);
});

test('a correction finds its moment again after another run that moved it a little and spaced it otherwise', () => {
  const rerun = captions(heard(0, 'roger'), heard(2_300, 'the  eagle has handed '), heard(9_000, 'the eagle has handed'));
  const { moments, unfitting } = compose([rerun], [correction(atTwo, 'the Eagle has landed')]);
  expect(moments.map(({ text, review }) => [text, review])).toEqual([
    ['roger', undefined],
    ['the Eagle has landed', 'corrected'],
    ['the eagle has handed', undefined],
  ]);
  expect(unfitting.size).toBe(0);
});

test('an engine that by now says what a person wrote is confirmed by them', () => {
  const { moments, unfitting } = compose([captions(heard(2_100, 'the Eagle has landed'))], [correction(atTwo, 'the Eagle has landed')]);
  expect(moments).toEqual([{ ...heard(2_100, 'the Eagle has landed'), review: 'verified' }]);
  expect(unfitting.size).toBe(0);
});

test.each<[string, Layer]>([
  ['says something else', captions(heard(2_000, 'the regal has banded'))],
  ['says it at another time', captions(heard(60_000, 'the eagle has handed'))],
  ['found nothing', captions()],
  ['stands in another layer', { name: 'text', moments: [heard(2_000, 'the eagle has handed')] }],
])('a correction changes nothing and is told as one that no longer fits when what is there now %s', (_, layer) => {
  const made = correction(atTwo, 'the Eagle has landed');
  const { moments, unfitting } = compose([layer], [made]);
  expect(moments).toEqual('moments' in layer ? layer.moments : []);
  expect([...unfitting]).toEqual([made.id]);
});

test('corrections of one line build on each other in the order in which they were made', () => {
  const first = correction(atTwo, 'the Eagle has banded');
  const second = correction({ ...atTwo, replaces: 'the Eagle has banded' }, 'the Eagle has landed');
  const { moments } = compose([captions(heard(2_000, 'the eagle has handed'))], [first, second]);
  expect(moments.map(({ text }) => text)).toEqual(['the Eagle has landed']);
});

test('of two lines that say the same at once, a correction changes the one that begins nearest to where it was made', () => {
  const { moments } = compose(
    [captions(heard(400, 'the eagle has handed'), heard(2_100, 'the eagle has handed'))],
    [correction(atTwo, 'the Eagle has landed')],
  );
  expect(moments.map(({ text }) => text)).toEqual(['the eagle has handed', 'the Eagle has landed']);
});

test('a correction that was undone changes nothing, and does not count as one that no longer fits', () => {
  const { moments, unfitting } = compose([captions()], [correction(atTwo, 'the Eagle has landed', { undone })]);
  expect([moments, unfitting.size]).toEqual([[], 0]);
});

test('the title is what a person called the film last, whatever a file says by now; undone, it is the one before', () => {
  const title = (replaces: string): CorrectionTarget => ({ layer: 'catalogue', kind: 'Title', replaces });
  const first = correction(title('Harbour'), 'Hamburg');
  const second = correction(title('Hamburg'), 'Hamburg at dusk');
  const renamed: Layer = { name: 'catalogue', facts: { ...facts, name: 'harbour_final' } };
  const nameOf = (...corrections: Correction[]) => compose([renamed], corrections).facts?.name;
  expect(nameOf(first, second)).toBe('Hamburg at dusk');
  expect(nameOf({ ...first, undone }, second)).toBe('Hamburg at dusk');
  expect(nameOf(first, { ...second, undone })).toBe('Hamburg');
  expect(nameOf({ ...first, undone }, { ...second, undone })).toBe('harbour_final');
});

test('what one source names stays as it named it, and another adds what it lacks', () => {
  const { people } = compose(
    [
      { name: 'people', names: ['Ada', 'Ada', 'Bo'], moments: [] },
      { name: 'people', names: ['Bo', 'Cy'], moments: [] },
    ],
    [],
  );
  expect(people).toEqual(['Ada', 'Ada', 'Bo', 'Cy']);
});

test('where two sources tell of the film as a whole, the second fills in what the first left open', () => {
  const more: Layer = { name: 'catalogue', facts: { ...facts, name: 'Hafen', owner: 'Somebody', place: 'Hamburg' } };
  expect(compose([catalogue, more], []).facts).toEqual({ ...facts, place: 'Hamburg' });
  expect(compose([], []).facts).toBeUndefined();
});

const spoken = (startMs: number, text: string, speaker: string | null = null) => ({ startMs, endMs: startMs + 2_000, text, speaker });
const lines = (...change: [was: Line[], are: Line[]]): CorrectionTarget => ({
  layer: 'captions',
  kind: 'Transcript',
  startMs: change[0][0]?.startMs ?? 0,
  endMs: change[0].at(-1)?.endMs ?? 0,
  replaces: '',
  lines: { was: change[0], are: change[1] },
});
const toldBy = (layer: Layer, ...made: Correction[]) =>
  compose([layer], made).moments.map(({ startMs, endMs, text, review }) => [startMs, endMs, text, review]);

test('a correction of what an undone one had said still finds its line, in whatever other words', () => {
  const first = correction(atTwo, 'a seagull cries', { undone });
  const second = correction({ ...atTwo, replaces: 'a seagull cries' }, 'two gannets');
  expect(toldBy(captions(heard(2_000, 'the eagle has handed')), first, second)).toEqual([[2_000, 4_000, 'two gannets', 'corrected']]);
});

test('a line that was moved behind another stands behind it, and what is corrected there next finds it', () => {
  const moved = correction(lines([spoken(0, 'over')], [spoken(6_000, 'over')]), 'over');
  const mended = correction({ ...atTwo, startMs: 6_000, endMs: 8_000, replaces: 'over' }, 'over and out');
  expect(toldBy(captions(heard(0, 'over'), heard(3_000, 'roger')), moved, mended)).toEqual([
    [3_000, 5_000, 'roger', undefined],
    [6_000, 8_000, 'over and out', 'corrected'],
  ]);
});

const file = (...are: Line[]) =>
  correction({ layer: 'captions', kind: 'Transcript', startMs: 0, endMs: 0, replaces: '', lines: { was: [], are, isAll: true } }, '');
const textsBy = (moments: Moment[], ...made: Correction[]) => toldBy(captions(...moments), ...made).map(([, , text]) => text);

test('what is corrected in a transcript that is all of it holds in it, a second stands in its place, and each is taken back in any order', () => {
  const first = file(spoken(1_000, 'A dunlin calls.'), spoken(3_000, 'It flies.'));
  const dives = correction({ ...atTwo, startMs: 3_000, endMs: 5_000, replaces: 'It flies.' }, 'It dives.');
  const other = file(spoken(1_000, 'A knot calls.'));
  const rerun = [heard(0, 'a dumpling cools'), heard(9_000, 'it died')];
  const off = (one: Correction) => ({ ...one, undone });
  for (const moments of [[], rerun]) {
    expect(textsBy(moments, first)).toEqual(['A dunlin calls.', 'It flies.']);
    expect(textsBy(moments, first, dives)).toEqual(['A dunlin calls.', 'It dives.']);
    expect(textsBy(moments, first, dives, other)).toEqual(['A knot calls.']);
    expect(textsBy(moments, off(first), dives, other)).toEqual(['A knot calls.']);
    expect(textsBy(moments, first, dives, off(other))).toEqual(['A dunlin calls.', 'It dives.']);
    expect(textsBy(moments, off(first), dives, off(other))).toEqual(moments.map(({ text }) => text));
  }
  expect([...compose([captions(...rerun)], [off(first), dives, other]).unfitting]).toEqual([dives.id]);
  expect([...compose([captions(...rerun)], [first, dives, other]).unfitting]).toEqual([]);
});

test('a transcript stands in the place of what came with the film, too; a line at the very time of one keeps when its words begin', () => {
  const sidecar = captions({ ...heard(0, 'a knot cools'), source: 'sidecar', wordStartsMs: [0, 500, 900] }, heard(5_000, 'it flies'));
  const knot = file(spoken(0, 'A knot calls.', 'Ann'), spoken(5_000, 'it flies'));
  const { moments } = compose([sidecar, captions(heard(8_000, 'noise'))], [knot]);
  expect(moments).toMatchObject([
    { text: 'A knot calls.', speaker: 'Ann', wordStartsMs: [0, 500, 900], review: 'corrected' },
    { text: 'it flies', review: 'verified' },
  ]);
  expect(moments).toHaveLength(2);
});

test('two transcripts of a film of ten hours, the first taken back, are folded without looking for one in the words of the other', () => {
  const tenHours = (word: string) => Array.from({ length: 12_000 }, (_, n) => spoken(n * 3_000, Array(8).fill(`${word}${n}`).join(' ')));
  const second = tenHours('second');
  const made = [{ ...file(...tenHours('first')), undone }, file(...second)];
  const ear = tenHours('heard').map(({ startMs, text }) => heard(startMs, text));
  const { moments, unfitting } = compose([captions(...ear)], made);
  expect([moments.map(({ text }) => text), unfitting.size]).toEqual([second.map(({ text }) => text), 0]);
});

test('a change of very many words is found where it says the very words, and is not looked for among as many others', () => {
  const long = (words: number, last: string) => [...Array.from({ length: words - 1 }, (_, n) => `word${n}`), last].join(' ');
  const change = (words: number) => correction({ ...atTwo, replaces: long(words, 'end') }, 'told');
  const told = (words: number, last: string) => toldBy(captions(heard(2_000, long(words, last))), change(words)).map(([, , text]) => text);
  expect(told(1_999, 'and')).toEqual(['told']);
  expect(told(2_001, 'end')).toEqual(['told']);
  expect(told(2_001, 'and')).toEqual([long(2_001, 'and')]);
});

test('a line keeps the times at which its words begin when it is split or says as many others, and loses them when it says more', () => {
  const wordStartsMs = [2_000, 2_400, 2_900, 3_300];
  const stamped = captions({ ...heard(2_000, 'the eagle has handed'), wordStartsMs });
  const startsOf = (one: Correction) => compose([stamped], [one]).moments.map((moment) => moment.wordStartsMs);
  const halves = [spoken(2_000, 'the eagle'), spoken(2_800, 'has landed')];
  expect(startsOf(correction(lines([spoken(2_000, 'the eagle has handed')], halves), ''))).toEqual([
    [2_000, 2_400],
    [2_900, 3_300],
  ]);
  expect(startsOf(correction(atTwo, 'the Eagle has landed'))).toEqual([wordStartsMs]);
  expect(startsOf(correction(atTwo, 'the Eagle has just landed'))).toEqual([undefined]);
});

test('a correction whose words a run cuts over two lines takes them out of both, and leaves them the others', () => {
  const cut = captions(heard(500, 'Houston the eagle'), heard(2_600, 'has handed. Over.'));
  expect(toldBy(cut, correction(atTwo, 'the Eagle has landed'))).toEqual([
    [500, 2_000, 'Houston', undefined],
    [2_000, 4_000, 'the Eagle has landed', 'corrected'],
    [4_000, 4_600, 'Over.', undefined],
  ]);
});

test('who speaks is what a person said, and what a run hears elsewhere in the line', () => {
  const named = correction(lines([spoken(2_000, 'roger')], [spoken(2_000, 'roger', 'Ann')]), 'roger');
  const again = compose([captions({ ...heard(2_400, 'Roger!'), speaker: 'Speaker 1' })], [named]);
  expect(again.moments).toMatchObject([{ startMs: 2_400, speaker: 'Ann', review: 'corrected' }]);
  expect(again.unfitting.size).toBe(0);
});

test('names that people add, change or take out hold over what a machine finds, also at its next run; undone they are as found', () => {
  const label = (startMs: number, text: string): Moment => ({ ...heard(startMs, text), kind: 'Annotations' });
  const seen: Layer = { name: 'labels', names: ['boat', 'crane'], moments: [label(1_000, 'crane'), label(5_000, 'boat')] };
  const of = (replaces: string): CorrectionTarget => ({ layer: 'labels', kind: 'Name', replaces });
  const all = [
    correction(of(''), 'ferry'),
    correction(of('crane'), ''),
    correction(of('boat'), 'lifeboat'),
    correction(of('tug'), 'tugboat'),
  ];
  const composed = compose([catalogue, seen], all);
  expect(composed.labels).toEqual(['lifeboat', 'ferry']);
  expect(composed.moments.map(({ startMs, text, review }) => [startMs, text, review])).toEqual([[5_000, 'lifeboat', 'corrected']]);
  expect([...composed.unfitting]).toEqual([all[3]?.id]);
  const [moment] = composed.moments;
  expect(moment && composed.correctedBy.get(moment)).toBe(all[2]?.id);
  const back = compose(
    [catalogue, seen],
    all.map((one) => ({ ...one, undone })),
  );
  expect([back.labels, back.moments.length, back.unfitting.size]).toEqual([['boat', 'crane'], 2, 0]);
});

test('a name that was changed twice is what it was called last, also when the first change or the adding is taken back', () => {
  const name = (replaces: string): CorrectionTarget => ({ layer: 'labels', kind: 'Name', replaces });
  const seen: Layer = { name: 'labels', names: ['boat'], moments: [] };
  const renamed = [correction(name('boat'), 'ship', { undone }), correction(name('ship'), 'Titanic')];
  const added = [correction(name(''), 'kayak', { undone }), correction(name('kayak'), 'canoe')];
  const { labels, unfitting } = compose([seen], [...renamed, ...added]);
  expect([labels, unfitting.size]).toEqual([['Titanic', 'canoe'], 0]);
  const thrice = [...renamed.map((one) => ({ ...one, undone })), correction(name('Titanic'), 'Olympic')];
  expect(compose([seen], thrice).labels).toEqual(['Olympic']);
});

test('who speaks and when is kept without the words: those are what the machine says once their correction is taken back, or at its next run', () => {
  const first = correction({ ...atTwo, replaces: 'teh tern' }, 'the tern', { undone });
  const byAnn = correction(lines([spoken(2_000, 'the tern')], [spoken(2_000, 'the tern', 'Ann')]), 'the tern');
  const { moments } = compose([captions(heard(2_000, 'teh tern'))], [first, byAnn]);
  expect(moments.map(({ text, speaker }) => [text, speaker])).toEqual([['teh tern', 'Ann']]);
  const last = correction({ ...atTwo, replaces: 'the tern' }, 'two gannets');
  expect(toldBy(captions(heard(2_000, 'teh tern')), first, byAnn, last)).toEqual([[2_000, 4_000, 'two gannets', 'corrected']]);

  const turn = spoken(2_000, 'the turn that flies high');
  const longer = correction(lines([turn], [{ ...turn, endMs: 4_500 }]), turn.text);
  expect(toldBy(captions(heard(2_000, 'the tern that flies high')), longer)).toEqual([
    [2_000, 4_500, 'the tern that flies high', 'corrected'],
  ]);
});

test('who speaks and when holds for the words alone where a run joins their line to another; that they are right no longer fits', () => {
  const joined = captions({ ...heard(0, 'over here right there'), endMs: 4_000 });
  const was = spoken(2_000, 'right there');
  const told = (is: Line) => {
    const { moments, unfitting } = compose([joined], [correction(lines([was], [is]), is.text)]);
    return [...moments.map(({ startMs, endMs, text, speaker }) => [startMs, endMs, text, speaker]), unfitting.size];
  };
  expect(told({ ...was, speaker: 'Bo' })).toEqual([[0, 2_000, 'over here', undefined], [2_000, 4_000, 'right there', 'Bo'], 0]);
  expect(told({ ...was, startMs: 2_500 })).toEqual([[0, 2_500, 'over here', undefined], [2_500, 4_000, 'right there', undefined], 0]);
  expect(told(was)).toEqual([[0, 4_000, 'over here right there', undefined], 1]);
});
