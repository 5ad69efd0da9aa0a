import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connection, Table } from '@lancedb/lancedb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findPlainly, findRunPlainly, writeMadeFilms } from '#testing/made-rows.ts';
import type { IndexQuestion } from '../index-question.ts';
import { makeGoneRow, type StoredRow } from '../index-row.ts';
import { addRows, connectIndex, openTable } from '../index-tables.ts';
import { RowWordsReader } from '../read-row-words.ts';
import { makeConditionTest } from '../row-condition.ts';
import { RecentRows } from './recent-rows.ts';

let folder: string;
let connection: Connection;
let table: Table;
let reader: RowWordsReader;
let rows: StoredRow[];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rushes-recent-'));
  mkdirSync(join(folder, 'g'));
  connection = await connectIndex(folder, 'g');
  const films = await writeMadeFilms(
    folder,
    Array.from({ length: 120 }, (_, n) => n),
  );
  rows = films.flatMap(({ passages }) => passages);
  await addRows(connection, { name: 'passages', rows });
  const opened = await openTable(connection, 'passages');
  if (!opened) throw new Error('The table is not there.');
  table = opened;
  reader = new RowWordsReader(join(folder, 'row-words.bin'));
});
afterAll(() => {
  reader.close();
  rmSync(folder, { recursive: true });
});

const nothing = { words: [], others: [], phrases: [], limit: 1_000 };
const questions: [string, IndexQuestion][] = [
  ['a frequent word', { ...nothing, words: ['word0'] }],
  ['a rare word', { ...nothing, words: ['word58'] }],
  ['a word that is nowhere', { ...nothing, words: ['nowhere'] }],
  ['several words, and what may stand for them', { ...nothing, words: ['word3', 'word40'], others: ['word41', 'nowhere'] }],
  ['a phrase', { ...nothing, phrases: [['word0', 'word1']] }],
  ['a phrase of the same word', { ...nothing, phrases: [['word0', 'word0']] }],
  ['a phrase with a word that is nowhere', { ...nothing, phrases: [['word0', 'nowhere']] }],
  [
    'words and phrases',
    {
      ...nothing,
      words: ['word30'],
      phrases: [
        ['word2', 'word0'],
        ['word1', 'word4', 'word0'],
      ],
    },
  ],
  ['the rows of some videos', { ...nothing, words: ['word0'], only: { ids: ['0000000003', '000000000f'] } }],
  ['the rows of no video', { ...nothing, words: ['word0'], only: { ids: [] } }],
  ['the rows from a time on', { ...nothing, words: ['word0'], only: { createdAfter: new Date(60_000) } }],
  ['the rows up to a time', { ...nothing, words: ['word0'], only: { createdBefore: new Date(60_000) } }],
];

test.each(questions)('recent rows answer as by looking at all of them: %s', async (_, question) => {
  const recent = new RecentRows();
  await recent.follow(table, reader);
  expect(sorted(recent.find(question))).toEqual(sorted(foundPlainly(question)));
});

test('the rows that fit best come first, as those of parts do, up to the limit', async () => {
  const recent = new RecentRows();
  await recent.follow(table, reader);
  const words = ['word20', 'word45', 'word7'];
  const found = recent.find({ ...nothing, words, limit: 10 });
  const best = [...findPlainly(rows, words).values()].sort((a, b) => b - a).slice(0, 10);
  expect(found.map(({ score }) => score)).toEqual(best.map((score) => expect.closeTo(score, 9)));
});

test('a film that has left is told of, and one that came again is there', async () => {
  const heads = [{ ...makeGoneRow('00000000a0'), kind: 'Head' }, makeGoneRow('00000000a1')];
  const [head] = rows;
  if (!head) throw new Error('No row.');
  await addRows(connection, { name: 'heads', rows: [...heads, head] });
  const recent = new RecentRows();
  const opened = await openTable(connection, 'heads');
  if (!opened) throw new Error('The table is not there.');
  await recent.follow(opened, reader);
  expect([...recent.replaced()].sort()).toEqual([head.video, '00000000a0', '00000000a1'].sort());
  expect(recent.offsetOf('00000000a1')).toBeUndefined();
  expect(recent.offsetOf(head.video)).toBe(head.offset);
});

test('rows that come and go with a later version are found and found no more; the others need not be read again', async () => {
  const recent = new RecentRows();
  await recent.follow(table, reader);
  const readOffsets: number[] = [];
  const counting: Pick<RowWordsReader, 'ahead'> = {
    ahead: () => {
      const read = reader.ahead();
      return (offset) => {
        readOffsets.push(offset);
        return read(offset);
      };
    },
  };
  const question = { ...nothing, words: ['word0'] };
  const before = sorted(recent.find(question));
  const gone = before[0]?.video;
  await table.delete(`video = '${gone}'`);
  await recent.follow(table, counting);
  expect(sorted(recent.find(question))).toEqual(before.filter(({ video }) => video !== gone));
  expect(readOffsets).toEqual([]);

  const [returned] = foundPlainly({ ...nothing, words: ['word1'] }).filter(({ video }) => video !== gone);
  if (!returned) throw new Error('No row to bring back.');
  await table.delete(`offset = ${returned.offset}`);
  await recent.follow(table, counting);
  expect(recent.find({ ...nothing, words: ['word1'] }).map(({ offset }) => offset)).not.toContain(returned.offset);
  const row = { video: returned.video, kind: returned.kind, createdMs: 1, publishedMs: 1, text: 'word1', offset: returned.offset };
  await addRows(connection, { name: 'passages', rows: [row] });
  await table.checkoutLatest();
  await recent.follow(table, counting);
  expect(readOffsets).toEqual([returned.offset]);
  expect(recent.find({ ...nothing, words: ['word1'] }).map(({ offset }) => offset)).toContain(returned.offset);
});

/** Every row that answers, once for the words and once for each phrase. */
function foundPlainly({ words, others, phrases, only = {} }: IndexQuestion) {
  const meets = makeConditionTest(only);
  const offsets = [
    ...findPlainly(rows, [...words, ...others], meets).keys(),
    ...phrases.flatMap((phrase) => findRunPlainly(rows.filter(meets), phrase)),
  ];
  return offsets.map((offset) => ({ ...reader.read(offset), offset }));
}

function sorted(rows: readonly { offset: number; video: string; kind: string }[]) {
  return rows.map(({ offset, video, kind }) => ({ offset, video, kind })).sort((a, b) => a.offset - b.offset);
}
