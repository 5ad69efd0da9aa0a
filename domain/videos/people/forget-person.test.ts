import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addFilm } from '#testing/add-film.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { until } from '#testing/until.ts';
import { inTransaction } from '../../db/database.ts';
import { openArchiveFiles } from '../../files/open-archive-files.ts';
import { createVideo, newVideoId } from '../create-video.ts';
import { forgetPerson } from './forget-person.ts';

const folder = mkdtempSync(join(tmpdir(), 'rushes-forget-'));
const files = openArchiveFiles(folder);
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.pool.query(`insert into users (id, email, name) values ('ann', 'ann@people.example', 'Ann')`);
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

test('whoever writes a name down while it is forgotten everywhere is waited for, and it is no person there either', async () => {
  const { pool } = database;
  const [name, others] = ['Hildegard Johnson', ['Walter']];
  const film = await addFilm({ pool, store: files.store }, { people: [name] });
  const [late, written, goesOn] = [newVideoId(), Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const writing = inTransaction(pool, async (db) => {
    const unknown = { externalId: null, description: null, owner: null, recordedAt: null, place: null, rights: null };
    const facts = { contentHash: 'f'.repeat(64), fileName: 'late.mp4', sizeBytes: 1, language: 'en', labels: [], brands: [] };
    await createVideo(db, { id: late, name: 'It comes meanwhile', ...unknown, ...facts, people: [name, ...others] });
    written.resolve();
    await goesOn.promise;
  });
  await written.promise;
  const by = { actorUid: 'ann', from: '127.0.0.1' };
  const forgetting = forgetPerson({ ...files, pool }, { videoId: film, mark: null, name, everywhere: true, ...by });
  const here = `(select oid from pg_database where datname = current_database())`;
  const waiting = `select from pg_locks where locktype = 'advisory' and not granted and database = ${here}`;
  await until(async () => (await pool.query(waiting)).rowCount === 1);
  goesOn.resolve();
  await Promise.all([writing, forgetting]);
  const { rows } = await pool.query('select id, people from videos order by created_at');
  expect(rows).toEqual([
    { id: film, people: [] },
    { id: late, people: others },
  ]);
});
