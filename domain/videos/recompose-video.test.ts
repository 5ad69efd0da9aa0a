import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMadeVideo } from '#testing/add-made-videos.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { inTransaction } from '../db/database.ts';
import { addCorrection } from '../moments/corrections.ts';
import { findMoments } from '../moments/find-moments.ts';
import type { Layer } from '../moments/layers.ts';
import type { Moment } from '../moments/moment.ts';
import { findVideos } from './find-videos.ts';
import { publishLayers } from './recompose-video.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const record = {
  title: 'Harbour',
  durationSeconds: 60,
  people: ['Ann', { name: 'Bo', start: 5 }],
  brands: [{ name: 'Acme', at: [3] }],
  labels: ['sea'],
  lines: [{ start: 1, end: 2, text: 'hello there', speaker: 'Ann' }],
  ocr: [{ start: 4, end: 5, text: 'PIER 4' }],
};
const seen = (kind: Moment['kind'], text: string): Moment => ({
  kind,
  startMs: 2_000,
  endMs: 4_000,
  text,
  source: 'machine',
  confidencePercent: 71,
  engine: 'a model',
});
const faces: Layer = { name: 'people', names: ['Cy'], moments: [seen('Face', 'Cy')] };

test('a layer is replaced whole by its step, and what others found and people changed stays', async () => {
  const { pool } = database;
  const id = await addMadeVideo(pool, { ...record, id: 'layered' });
  const before = await findMoments(pool, id);
  await correctLine(id);
  await publishLayers(pool, id, { madeBy: 'faces', version: 1, layers: [faces] });
  expect(await said(id)).toEqual(['Transcript hello you', 'Face Cy', 'Brand Acme', 'Ocr PIER 4', 'Face Bo']);
  expect((await findVideos(pool, [id]))[0]).toMatchObject({
    name: 'Harbour',
    people: ['Cy', 'Ann', 'Bo'],
    brands: ['Acme'],
    labels: ['sea'],
  });
  expect((await findMoments(pool, id)).find(({ text }) => text === 'Cy')).toEqual(seen('Face', 'Cy'));

  await publishLayers(pool, id, { madeBy: 'faces', version: 2, layers: [{ name: 'people', names: [], moments: [] }] });
  expect((await findMoments(pool, id)).filter(({ review }) => !review)).toEqual(before.filter(({ text }) => text !== 'hello there'));
  expect((await findVideos(pool, [id]))[0]).toMatchObject({ people: ['Ann', 'Bo'] });
});

test('a correction that cannot be read changes nothing else of its video', async () => {
  const { pool } = database;
  const unreadable = { chapter: ['captions', 'Chapter'], fact: ['catalogue', 'Fact'], face: ['faces', 'Person'] };
  for (const [of, [layer, kind]] of Object.entries(unreadable)) {
    const id = await addMadeVideo(pool, { ...record, id: `unreadable-${of}` });
    const before = await findVideos(pool, [id]);
    await pool.query(
      `insert into corrections (video_id, layer, kind, replaces, says, made_by) values ($1, $2, $3, '', 'The beginning', 'ann')`,
      [id, layer, kind],
    );
    const publishing = publishLayers(pool, id, { madeBy: 'faces', version: 1, layers: [faces] });
    await expect(publishing).rejects.toThrow(`it is of the kind ${kind}`);
    expect(await findVideos(pool, [id])).toEqual(before);
  }
});

test('search hears of a layer that says something new, and not of one that says the same', async () => {
  const { pool } = database;
  const id = await addMadeVideo(pool, { ...record, id: 'heard' });
  const revision = await revisionOf(id);
  await publishLayers(pool, id, { madeBy: 'faces', version: 1, layers: [faces] });
  expect(await revisionOf(id)).toBe(revision + 1);
  await publishLayers(pool, id, { madeBy: 'faces', version: 2, layers: [faces] });
  expect(await revisionOf(id)).toBe(revision + 1);
});

test('steps that publish at once lose nothing of each other', async () => {
  const { pool } = database;
  const id = await addMadeVideo(pool, { ...record, id: 'at-once' });
  const makers = Array.from({ length: 8 }, (_, n) => `step ${n}`);
  await Promise.all(
    makers.map((madeBy) => publishLayers(pool, id, { madeBy, version: 1, layers: [{ name: 'labels', names: [madeBy], moments: [] }] })),
  );
  expect((await findVideos(pool, [id]))[0]?.labels.toSorted()).toEqual(['sea', ...makers]);
});

test('a transcript from a file that does not say yet that it is all that is said is known by its length', async () => {
  const { pool } = database;
  const line = (n: number) => ({ startMs: n * 1_000, endMs: n * 1_000 + 900, text: `line ${n}`, speaker: null });
  const saidOf = async (name: string, lines: number) => {
    const id = await addMadeVideo(pool, { ...record, id: name, lines: [] });
    const are = Array.from({ length: lines }, (_, n) => line(n));
    const target = { layer: 'captions', kind: 'Transcript', startMs: 0, endMs: 60_000, replaces: '' } as const;
    await inTransaction(pool, (db) => addCorrection(db, id, { target: { ...target, lines: { was: [], are } }, says: '', by: 'ann' }));
    await publishLayers(pool, id, { madeBy: 'speech', version: 1, layers: [{ name: 'captions', moments: [seen('Transcript', 'noise')] }] });
    return (await said(id)).filter((one) => one.startsWith('Transcript'));
  };
  expect([await saidOf('page', 50), await saidOf('file', 51)].map((texts) => texts.includes('Transcript noise'))).toEqual([true, false]);
});

test('a correction can be taken back by a note, and neither changed nor deleted but with its video', async () => {
  const { pool } = database;
  const id = await addMadeVideo(pool, { ...record, id: 'kept' });
  const correction = await correctLine(id);
  await expect(pool.query('update corrections set says = $2 where id = $1', [correction, 'else'])).rejects.toThrow('never changed');
  await expect(pool.query('delete from corrections where id = $1', [correction])).rejects.toThrow('never deleted');
  await pool.query(`update corrections set undone_by = 'bo', undone_at = now() where id = $1`, [correction]);
  await expect(pool.query('update corrections set undone_by = null, undone_at = null where id = $1', [correction])).rejects.toThrow(
    'never changed',
  );
  await pool.query('delete from videos where id = $1', [id]);
  expect((await pool.query('select from corrections where id = $1', [correction])).rowCount).toBe(0);
});

function correctLine(id: string): Promise<number> {
  const target = { layer: 'captions', kind: 'Transcript', startMs: 1_000, endMs: 2_000, replaces: 'hello there' } as const;
  return inTransaction(database.pool, (db) => addCorrection(db, id, { target, says: 'hello you', by: 'ann' }));
}

async function said(id: string): Promise<string[]> {
  return (await findMoments(database.pool, id)).map(({ kind, text }) => `${kind} ${text}`);
}

async function revisionOf(id: string): Promise<number> {
  const { rows } = await database.pool.query<{ revision: number }>('select revision from videos where id = $1', [id]);
  return rows[0]?.revision ?? -1;
}
