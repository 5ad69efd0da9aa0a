import { afterAll, beforeAll, expect, test } from 'vitest';
import { limits } from '#contract/limits.ts';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { markName } from '#domain/moments/name-mark.ts';
import { addFilm } from '#testing/add-film.ts';
import { addPerson, type Person } from '#testing/add-person.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { headersOf } from '#testing/upload-client.ts';
import { withoutLimits } from '#testing/without-limits.ts';

let server: TestServer;
let editor: Person;
beforeAll(async () => {
  server = await startTestServer(withoutLimits);
  editor = await addPerson(server.context, { editor: true });
});
afterAll(() => server.stop());

const ask = async (path: string, name: string, text: string | Buffer) => {
  const payload = { name, file: Buffer.from(text).toString('base64') };
  const answer = await server.app.inject({ method: 'POST', url: `/api/existing-work${path}`, headers: headersOf(editor), payload });
  return { status: answer.statusCode, ...answer.json() };
};
const preview = (name: string, text: string | Buffer) => ask('/preview', name, text);
const take = (name: string, text: string | Buffer) => ask('', name, text);

const index = JSON.stringify({
  name: 'Harbour at six',
  durationInSeconds: 42,
  videos: [
    {
      id: '8c2a1f00de',
      insights: {
        sourceLanguage: 'en-US',
        transcript: [
          { text: 'The boats are late.', confidence: 0.9, instances: [{ start: '0:00:01', end: '0:00:03' }] },
          { text: 'No times', instances: [] },
        ],
        ocr: [{ text: 'PIER 4', instances: [{ start: '0:00:02', end: '0:00:04' }] }],
        faces: [{ name: 'Mara Lind', instances: [{ start: '0:00:01', end: '0:00:03' }] }],
        labels: [{ name: 'boat', instances: [{ start: '0:00:01', end: '0:00:03' }] }],
      },
    },
  ],
});

test('a file tells what it would bring in and what cannot be read, writes nothing, and is then taken in once, with who did it in the audit', async () => {
  const seen = await preview('six.json', index);
  const one = (name: string) => ({ names: [name], count: 1 });
  expect(seen).toMatchObject({
    films: [
      {
        title: 'Harbour at six',
        lines: 1,
        writtenLines: 1,
        people: one('Mara Lind'),
        labels: one('boat'),
        brands: { count: 0 },
        known: null,
      },
    ],
    left: ['Transcript 2 ignored: it has no text or no readable times.'],
    leftCount: 1,
    beside: null,
  });
  const { pool, store } = server.context;
  expect((await pool.query("select from videos where id = '8c2a1f00de'")).rowCount).toBe(0);
  expect(await take('six.json', index)).toMatchObject({ added: [{ id: '8c2a1f00de', name: 'Harbour at six' }], known: 0 });
  expect(await take('six.json', index)).toMatchObject({ added: [], known: 1 });
  expect((await preview('six.json', index)).films[0].known).toEqual({ id: '8c2a1f00de', name: 'Harbour at six', isDeleted: false });
  expect(await store.stat(toVideoKeys('8c2a1f00de').poster)).not.toBeNull();
  const { rows } = await pool.query("select action, actor_uid as who, detail from audit where video_id = '8c2a1f00de'");
  expect(rows).toEqual([{ action: 'film-added', who: editor.uid, detail: 'six.json' }]);
});

test('of records line by line those that can be used come in, and each other line is named', async () => {
  const record = (id: string, more = {}) => JSON.stringify({ id, title: `Tape ${id}`, lines: [{ start: 1, text: 'hello' }], ...more });
  const file = [record('a'), '', '{broken', '{"title":"No id"}', record('b', { videoId: '3jq0p0vhsl' })].join('\n');
  const { films, left } = await preview('tapes.jsonl', file);
  expect(films.map(({ title }: { title: string }) => title)).toEqual(['Tape a', 'Tape b']);
  expect(left).toEqual([
    expect.stringMatching(/^Line 3 refused: /),
    expect.stringMatching(/^Line 4 refused: id: /),
    expect.stringMatching(/^Line 5 id 3jq0p0vhsl not kept: .+\.$/),
  ]);
  expect((await take('tapes.jsonl', file)).added).toHaveLength(2);
  expect((await preview('tape.json', record('a'))).films[0].known.name).toBe('Tape a');
});

test('what is left out for an e-mail address, and fields that nothing reads, are named before anything comes in', async () => {
  const record = (more: object) => JSON.stringify({ id: 'mail', title: 'Tape', ...more });
  const [address, transcript] = ['ask ann@archive.example', [{ start: 1, text: 'hello' }]];
  const unread = (records: number) =>
    expect.stringMatching(
      new RegExp(`^Fields left out, and how many records have them: transcript \\(${records}\\)\\. What is read: id, .*lines, ocr\\.$`),
    );
  const one = await preview('mail.json', record({ rights: address, people: ['Bo', { name: address }], transcript }));
  expect(one.left).toEqual([unread(1), 'Removed what looked like an e-mail address from rights, people.']);
  const lines = [record({ transcript }), record({ description: address, place: 'Oslo', transcript })].join('\n');
  const { left } = await preview('mail.jsonl', lines);
  expect(left).toEqual([unread(2), 'Line 2 removed what looked like an e-mail address from description.']);
});

test('who was forgotten everywhere is not shown as somebody who would come in', async () => {
  const { pool } = server.context;
  const mark = JSON.stringify(markName('Orla Quist'));
  await pool.query(
    "insert into erasures (id, video_id, name_mark, tracks, made_by, made_at) values (gen_random_uuid(), null, $1, '[]', $2, now())",
    [mark, editor.uid],
  );
  const record = JSON.stringify({ id: 'reel', title: 'Reel of two', people: ['Orla Quist', 'Jon Ness'] });
  const people = { names: ['Jon Ness'], count: 1 };
  expect((await preview('reel.jsonl', record)).films[0].people).toEqual(people);
  const { added } = await take('reel.jsonl', record);
  const { rows } = await pool.query('select people from videos where id = $1', [added[0].id]);
  expect(rows[0].people).toEqual(people.names);
});

test('a file that may lie beside a film of the archive names that film', async () => {
  const id = await addFilm(server.context, { name: 'Film of the sea' });
  await server.context.pool.query("update videos set file_name = 'the sea.mp4' where id = $1", [id]);
  expect((await preview('the sea.json', index)).beside).toEqual({ id, name: 'Film of the sea' });
});

test.each([
  [
    'doctype.xml',
    '<!DOCTYPE ROOT [<!ENTITY a SYSTEM "file:///etc/passwd">]><ROOT><record id="1"><title>&a;</title></record></ROOT>',
    'document type',
  ],
  ['deep.json', '['.repeat(2_000_000), 'unknown format (supported: an index'],
  ['proto.json', '{"__proto__":{"id":"x"},"videos":[]}', 'unknown format (supported: an index'],
  ['empty.json', '', 'it is empty'],
  ['film.mp4', 'film', 'extension are not supported'],
  ['many.jsonl', '{}\n'.repeat(limits.existingWorkRecordsMax + 1), 'npm run import'],
  ['../../etc/large.jsonl', Buffer.alloc(limits.existingWorkMaxBytes + 1, 32), 'larger than 10 MB'],
])('%s is refused with a sentence, in either call', async (name, text, why) => {
  for (const answer of [await preview(name, text), await take(name, text)])
    expect([answer.status, answer.detail]).toEqual([400, expect.stringContaining(why)]);
});

test('a letter with a million marks holds nobody up', async () => {
  const record = JSON.stringify({ id: 'marks', title: 'Marks', description: `a${'\u0315\u0316'.repeat(500_000)}` });
  expect(await preview('marks.jsonl', record)).toMatchObject({ films: [{ title: 'Marks' }] });
});

test('of whoever may not send such a file nothing is taken apart', async () => {
  const viewer = await addPerson(server.context, { viewer: true });
  const { cookie: _, ...nobody } = headersOf(viewer);
  for (const url of ['/api/existing-work/preview', '/api/existing-work']) {
    const statusOf = async (headers: Record<string, string>) =>
      (await server.app.inject({ method: 'POST', url, headers: { ...headers, 'content-type': 'application/json' }, payload: '{' }))
        .statusCode;
    expect([await statusOf(nobody), await statusOf(headersOf(viewer)), await statusOf(headersOf(editor))]).toEqual([401, 403, 400]);
  }
});
