import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addFilm } from '#testing/add-film.ts';
import { emptyDisk, openMemoryStore } from '#testing/memory-store.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { readStored } from '../files/read-stored.ts';
import type { FileStore } from '../files/store.ts';
import { StoreAway } from '../files/store-away.ts';
import { toVideoKeys } from '../files/video-keys.ts';
import { checkOriginals, countUnreadOriginals, listOriginalFaults } from './check-originals.ts';

let database: TestDatabase;
const store = openMemoryStore(emptyDisk());
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const faults = async () => (await listOriginalFaults(database.pool)).map(({ name, fault }) => `${name}: ${fault}`);
const check = () => checkOriginals({ pool: database.pool, store });

test('originals that nobody has read for ninety days are read and compared; what is changed or missing is told until it is back', async () => {
  const { pool } = database;
  const add = (name: string) => addFilm({ pool, store }, { name });
  const [good, changed, missing, recent] = [await add('Good'), await add('Changed'), await add('Missing'), await add('Recent')];
  await pool.query("update videos set created_at = now() - interval '91 days' where id <> $1", [recent]);
  const original = (id: string) => toVideoKeys(id).original;
  const bytes = (await readStored(store, original(changed))) ?? Buffer.alloc(0);
  const damaged = Buffer.from(bytes);
  damaged[0] = (damaged[0] ?? 0) ^ 1;
  await store.put(original(changed), damaged);
  const lost = (await readStored(store, original(missing))) ?? Buffer.alloc(0);
  await store.remove(original(missing), 'a test');

  expect(await check()).toBe(3);
  expect(await faults()).toEqual(['Changed: changed', 'Missing: missing']);
  expect(await check(), 'nothing is due twice').toBe(0);

  await store.put(original(changed), bytes);
  await store.put(original(missing), lost);
  await pool.query("update original_checks set begun_at = now() - interval '2 days', checked_at = now() - interval '2 days'");
  expect(await check(), 'what was bad is looked at again the next day, the good one is not').toBe(2);
  expect(await faults()).toEqual([]);
  const { rows } = await pool.query('select video_id from original_checks where fault is null order by video_id');
  expect(rows.map((row) => row.video_id)).toEqual([good, changed, missing].toSorted());
});

test('originals that have waited a month for their reading are counted until they are read', async () => {
  const { pool } = database;
  const [late, due] = [await addFilm({ pool, store }, { name: 'Late' }), await addFilm({ pool, store }, { name: 'Due' })];
  const agedBy = (days: number, id: string) =>
    pool.query('update videos set created_at = now() - make_interval(days => $1) where id = $2', [days, id]);
  await agedBy(119, due);
  await agedBy(119, late);
  expect(await countUnreadOriginals(pool)).toBe(0);
  await agedBy(121, late);
  expect(await countUnreadOriginals(pool)).toBe(1);
  expect(await check()).toBe(2);
  expect(await countUnreadOriginals(pool)).toBe(0);
});

test('a store that does not answer is no fault of a film, and the film stays due the next day', async () => {
  const { pool } = database;
  const id = await addFilm({ pool, store }, { name: 'Away' });
  await pool.query("update videos set created_at = now() - interval '91 days' where id = $1", [id]);
  const away = { ...store, openRange: () => Promise.reject(new Error('the store is away')) };
  await expect(checkOriginals({ pool, store: away })).rejects.toThrow('the store is away');
  expect(await faults()).toEqual([]);
  await pool.query("update original_checks set begun_at = now() - interval '2 days' where video_id = $1", [id]);
  expect(await check()).toBe(1);
});

/** A store that breaks off when it reads the originals of these films, or of all. */
function breakingOff(error: Error, ids: readonly string[] | 'all'): FileStore {
  return {
    ...store,
    openRange: async (key, range) => {
      const found = await store.openRange(key, range);
      if (!found || !(ids === 'all' || ids.some((id) => key === toVideoKeys(id).original))) return found;
      async function* halfOf(bytes: Promise<Buffer>) {
        yield (await bytes).subarray(0, 3);
        throw error;
      }
      return { ...found, bytes: () => Promise.reject(error), stream: () => Readable.from(halfOf(found.bytes())) };
    },
  };
}

test.each([
  ['whose disk cannot read it', Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' })],
  ['that its store never gives', new StoreAway('it answers 500 InternalError')],
])(
  'an original %s is told like one that changed, and the next one is read; where no other can be read, nothing is told of any',
  async (_, error) => {
    const { pool } = database;
    await pool.query('delete from videos');
    const add = (name: string) => addFilm({ pool, store }, { name });
    const [bad, good] = [await add('Bad sector'), await add('Good')];
    await pool.query(
      `update videos set created_at = now() - interval '91 days' - case when id = $1 then interval '1 day' else interval '0' end`,
      [bad],
    );

    await expect(checkOriginals({ pool, store: breakingOff(error, 'all') })).rejects.toThrow(error.message);
    expect(await faults()).toEqual([]);

    await pool.query("update original_checks set begun_at = now() - interval '2 days'");
    expect(await checkOriginals({ pool, store: breakingOff(error, [bad]) })).toBe(2);
    expect(await faults()).toEqual(['Bad sector: changed']);
    const { rows } = await pool.query('select video_id from original_checks where fault is null and checked_at is not null');
    expect(rows.map((row) => row.video_id)).toEqual([good]);
  },
);
