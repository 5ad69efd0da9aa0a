import { afterAll, beforeAll, expect, test } from 'vitest';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { addFilm } from '#testing/add-film.ts';
import { addPerson, type Person } from '#testing/add-person.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';

let server: TestServer;
let editor: Person;
beforeAll(async () => {
  server = await startTestServer();
  editor = await addPerson(server.context, { editor: true });
});
afterAll(() => server.stop());

test('an editor lets a failed film be ingested again: it waits, and its job with it', async () => {
  const { pool } = server.context;
  const id = await failedFilm();
  expect((await retry(id)).statusCode).toBe(202);
  const { rows } = await pool.query('select state, failure_code, failure_message from videos where id = $1', [id]);
  expect(rows).toEqual([{ state: 'Uploaded', failure_code: null, failure_message: null }]);
  const jobs = await pool.query(`select 1 from jobs.job where data ->> 'videoId' = $1 and state = 'created'`, [id]);
  expect(jobs.rowCount).toBe(1);
  expect((await retry(id)).json()).toMatchObject({ code: 'conflict', detail: expect.stringContaining('has not failed') });
});

test('a film whose original is gone is not tried again, and it is said what to do', async () => {
  const [id, other] = [await failedFilm(), await failedFilm()];
  const entry = await server.context.store.remove(toVideoKeys(id).all, 'a test');
  expect((await retry(id)).json()).toMatchObject({
    code: 'conflict',
    detail: expect.stringContaining(`npm run trash -- restore ${entry?.name}`),
  });
  await server.context.store.trash.purge((await server.context.store.remove(toVideoKeys(other).all, 'a test'))?.name ?? '');
  expect((await retry(other)).json()).toMatchObject({ code: 'conflict', detail: expect.stringContaining('Import the file again') });
  for (const unknown of ['0000000000', 'nonsense', '..%2f..']) expect((await retry(unknown)).statusCode).toBe(404);
  await server.context.pool.query(`update videos set state = 'Quarantined' where id = $1`, [id]);
  expect((await retry(id)).statusCode).toBe(404);
});

test('3.3 why a film failed is told to administrators alone', async () => {
  const id = await failedFilm();
  const admin = await addPerson(server.context, { admin: true });
  const list = await server.app.inject({ url: `${server.account}/Videos?pageSize=100&accessToken=${await admin.accountToken()}` });
  expect(list.json().results.find((item: { id: string }) => item.id === id)).toMatchObject({ failureMessage: 'It broke.' });
  const search = await server.app.inject({ url: `${server.account}/Videos/Search?accessToken=${await editor.accountToken()}` });
  expect(search.body).not.toContain('It broke.');
});

async function failedFilm(): Promise<string> {
  const id = await addFilm(server.context, { processed: false });
  await server.context.pool.query(
    `update videos set state = 'Failed', failure_code = 'processing_failed', failure_message = 'It broke.' where id = $1`,
    [id],
  );
  return id;
}

function retry(id: string) {
  return server.app.inject({
    method: 'POST',
    url: `/api/videos/${id}/retry`,
    headers: { cookie: editor.cookie, origin: 'http://localhost:80', host: 'localhost:80', 'content-type': 'application/json' },
    payload: '{}',
  });
}
