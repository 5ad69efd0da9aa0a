import { afterAll, beforeAll, expect, test } from 'vitest';
import { addFilm } from '#testing/add-film.ts';
import { addPerson, type Person } from '#testing/add-person.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { withoutLimits } from '#testing/without-limits.ts';

let server: TestServer;
let editor: Person;
beforeAll(async () => {
  server = await startTestServer(withoutLimits);
  editor = await addPerson(server.context, { editor: true });
});
afterAll(() => server.stop());

const preview = async (by: string, rows: object[]) => {
  const headers = { cookie: editor.cookie, origin: 'http://localhost:80', host: 'localhost:80', 'content-type': 'application/json' };
  return await server.app.inject({ method: 'POST', url: '/api/details/preview', headers, payload: { by, rows } });
};

test('rows of a table tell what they would change of which film, what is wrong with them, and change nothing', async () => {
  const id = await addFilm(server.context, { name: 'Tape 7' });
  for (const name of ['Twin', 'Twin']) await addFilm(server.context, { name });
  const answer = await preview('title', [
    { mark: ' Tape 7 ', says: { title: 'Harbour at six', place: ' Norvik ', recordedAt: '1969-13', language: 'en' } },
    { mark: 'Twin', says: { place: 'Norvik' } },
    { mark: 'Nowhere', says: { place: 'Norvik' } },
    { mark: '', says: { place: 'Norvik' } },
    { mark: 'Tape 7', says: { rights: 'ask mail@archive.example' } },
  ]);
  expect(answer.json().rows).toEqual([
    {
      video: { id, name: 'Tape 7' },
      changes: [
        { fact: 'title', replaces: 'Tape 7', says: 'Harbour at six' },
        { fact: 'place', replaces: '', says: 'Norvik' },
      ],
      problems: [expect.stringContaining('1969-07-20')],
    },
    { video: null, changes: [], problems: ['“Twin” matches several videos.'] },
    { video: null, changes: [], problems: ['“Nowhere” matches no video.'] },
    { video: null, changes: [], problems: ['It does not say which video it is about.'] },
    { video: { id, name: 'Tape 7' }, changes: [], problems: [expect.stringContaining('e-mail address')] },
  ]);
  const { rows } = await server.context.pool.query('select name, place from videos where id = $1', [id]);
  expect(rows).toEqual([{ name: 'Tape 7', place: null }]);
  expect((await preview('id', [{ mark: id, says: {} }])).json().rows).toMatchObject([{ video: { id }, changes: [], problems: [] }]);
});

test('a row is about its film also where one of them writes é as one sign and the other as two', async () => {
  const marks = { title: 'Café noir', fileName: 'café.mp4', externalId: 'é-7' };
  const id = await addFilm(server.context, { name: marks.title.normalize('NFD') });
  const { pool } = server.context;
  await pool.query('update videos set file_name = $2, external_id = $3 where id = $1', [
    id,
    marks.fileName,
    marks.externalId.normalize('NFD'),
  ]);
  for (const [by, mark] of Object.entries(marks))
    for (const form of ['NFC', 'NFD'])
      expect([by, (await preview(by, [{ mark: mark.normalize(form), says: {} }])).json().rows]).toMatchObject([by, [{ video: { id } }]]);
});

test('a call takes so many rows, and no column that is not there', async () => {
  expect((await preview('title', Array(201).fill({ mark: 'x', says: {} }))).statusCode).toBe(400);
  expect((await preview('people', [])).statusCode).toBe(400);
  expect((await preview('title', [{ mark: 'x', says: { people: 'Ann' } }])).statusCode).toBe(400);
});
