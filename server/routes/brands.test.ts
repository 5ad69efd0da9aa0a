import { afterAll, beforeAll, expect, test } from 'vitest';
import { addPerson, type Person } from '#testing/add-person.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';

let server: TestServer;
let editor: Person;
let viewer: Person;
beforeAll(async () => {
  server = await startTestServer();
  editor = await addPerson(server.context, { editor: true });
  viewer = await addPerson(server.context, { viewer: true });
  await server.context.pool.query(
    `insert into steps (name, position, version, class, optional) values ('brands', 1, 1, 'understood', true)`,
  );
});
afterAll(() => server.stop());

const ask = async ({ cookie }: Person, payload?: object) => {
  const headers = { cookie, origin: 'http://localhost:80', host: 'localhost:80', 'content-type': 'application/json' };
  const answer = await server.app.inject({ method: payload ? 'PUT' : 'GET', url: '/api/brands', headers, ...(payload ? { payload } : {}) });
  return {
    status: answer.statusCode,
    ...answer.json<{ list: string; version: string; detail?: string; before: { list: string; by: string; at: string }[] }>(),
  };
};

test('editors read and replace the list of brands, nobody else does, and two editors do not overwrite each other', async () => {
  expect((await ask(viewer)).status).toBe(403);
  expect((await ask(viewer, { list: 'Mine', replaces: '' })).status).toBe(403);
  const before = await ask(editor);
  expect(before.list).toContain('\nHasselblad\n');
  const kept = await ask(editor, { list: 'Hasselblad\nArriflex, Arri', replaces: before.version });
  expect(kept).toMatchObject({ status: 202, list: 'Hasselblad\nArriflex, Arri', films: 0 });
  expect(await ask(editor)).toMatchObject({ list: kept.list, version: kept.version });
  expect(await ask(editor, { list: 'Other', replaces: before.version })).toMatchObject({ status: 412 });
  expect((await ask(editor)).list).toBe(kept.list);
});

test('a list with a line that names nothing is refused with the number of the line', async () => {
  const { version } = await ask(editor);
  expect(await ask(editor, { list: 'Hasselblad\n\n# a remark\n , ?: lens', replaces: version })).toMatchObject({
    status: 400,
    detail: 'Line 4 names no brand.',
  });
  expect((await ask(editor, { list: 'x'.repeat(60_001), replaces: version })).detail).toBe('The list may have at most 60,000 characters.');
});

test('a change of the list is in the activity with who, before and after, and the list before comes back, also later', async () => {
  const { pool } = server.context;
  const admin = await addPerson(server.context, { admin: true });
  const other = await addPerson(server.context, { editor: true });
  const first = await ask(editor);
  const second = await ask(other, { list: `${first.list}\nLeica`, replaces: first.version });
  const third = await ask(editor, { list: `${first.list}\nZeiss`, replaces: second.version });
  await ask(editor, { list: third.list, replaces: third.version });
  const [later, earlier] = (await ask(editor)).before;
  expect([later, earlier]).toMatchObject([
    { list: second.list, by: `Person ${editor.uid}`, at: expect.stringMatching(/Z$/) },
    { list: first.list, by: `Person ${other.uid}` },
  ]);
  const back = await ask(editor, { list: earlier?.list, replaces: third.version });
  expect(back).toMatchObject({ list: first.list, version: first.version, before: [{ list: third.list }, {}, {}, {}] });
  const activity = await server.app.inject({ url: '/api/activity', headers: { cookie: admin.cookie } });
  const changes = activity.json().entries.filter(({ action }: { action: string }) => action === 'brands-changed');
  expect(changes.slice(0, 3)).toMatchObject([
    { actor: { uid: editor.uid }, before: 'Zeiss', detail: '', from: '127.0.0.1', video: null },
    { actor: { uid: editor.uid }, before: 'Leica', detail: 'Zeiss' },
    { actor: { uid: other.uid }, before: '', detail: 'Leica' },
  ]);
  await pool.query('delete from users where id = $1', [other.uid]);
  expect((await ask(editor)).before.map(({ by }) => by)).toContain('');
});
