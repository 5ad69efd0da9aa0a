import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connection, Table } from '@lancedb/lancedb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seededRandom } from '#testing/seeded-random.ts';
import type { Moment } from '../../moments/moment.ts';
import { packMoments } from '../../moments/packed-moments.ts';
import { rowsOf, type StoredRow, type VideoRows } from '../index-row.ts';
import { addRows, connectIndex, indexTable, openTable } from '../index-tables.ts';
import { RowWordsReader } from '../read-row-words.ts';
import { RowWordsWriter } from '../write-row-words.ts';
import type { IndexQuestion } from './index-question.ts';
import { fullTextQueries } from './index-question.ts';
import { RecentRows } from './recent-rows.ts';
import { conditionSql } from './row-condition.ts';

const videoCount = 120;
const random = seededRandom(7);
const vocabulary = Array.from({ length: 60 }, (_, n) => `word${n}`);
const line = () => Array.from({ length: 3 + random.below(9) }, () => vocabulary[Math.floor(random.next() ** 2 * 60)]).join(' ');

function videoOf(n: number): VideoRows {
  const moments = (['Transcript', 'Ocr'] as const).flatMap((kind) =>
    [1, 2, 3].map((startMs): Moment => ({ kind, startMs, endMs: 9, text: line(), source: 'catalogue', confidencePercent: 100 })),
  );
  return rowsOf({
    id: n.toString(16).padStart(10, '0'),
    revision: 1,
    isPlayable: false,
    name: line(),
    description: null,
    place: null,
    recordedAt: null,
    owner: null,
    language: 'de',
    people: [],
    brands: [],
    labels: [],
    createdAt: new Date(n * 1_000),
    publishedAt: new Date(n * 1_000 + 500),
    body: packMoments(moments).body,
  });
}

let folder: string;
let connection: Connection;
let table: Table;
let reader: RowWordsReader;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rushes-recent-'));
  mkdirSync(join(folder, 'g'));
  connection = await connectIndex(folder, 'g');
  const words = await RowWordsWriter.open(join(folder, 'row-words.bin'), { bytes: 0, rows: 0 });
  const rows: StoredRow[] = Array.from({ length: videoCount }, (_, n) => words.add(videoOf(n))).flatMap(({ passages }) => passages);
  await words.flush();
  await words.close();
  await addRows(connection, { name: 'passages', rows });
  await indexTable(connection, 'passages');
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

test.each(questions)('recent rows answer as a table does: %s', async (_, question) => {
  const recent = new RecentRows();
  await recent.follow(table, reader);
  expect(sorted(recent.find(question))).toEqual(sorted(await askedOfTable(question)));
});

test('the rows that fit best come first, as LanceDB weighs them, up to the limit', async () => {
  const recent = new RecentRows();
  await recent.follow(table, reader);
  const question = { ...nothing, words: ['word20', 'word45', 'word7'], limit: 10 };
  const [ours, theirs] = [recent.find(question), await askedOfTable(question)];
  expect(ours).toHaveLength(10);
  expect(ours.map(({ score }) => score)).toEqual(theirs.map(({ score }) => expect.closeTo(score, 1)));
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

  const [returned] = await askedOfTable({ ...nothing, words: ['word1'] });
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

async function askedOfTable(question: IndexQuestion) {
  const condition = conditionSql(question.only ?? {});
  const found = await Promise.all(
    fullTextQueries(question).map(async (query) => {
      const asked = table.query().fullTextSearch(query).select(['offset', '_score']).limit(question.limit);
      return await (condition ? asked.where(condition) : asked).toArray();
    }),
  );
  return found.flat().map(({ offset, _score }) => ({ ...reader.read(offset), offset, score: _score }));
}

function sorted(rows: readonly { offset: number; video: string; kind: string }[]) {
  return rows.map(({ offset, video, kind }) => ({ offset, video, kind })).sort((a, b) => a.offset - b.offset);
}
