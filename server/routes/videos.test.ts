import { afterAll, beforeAll, expect, test } from 'vitest';
import { addFilm } from '#testing/add-film.ts';
import { addPerson } from '#testing/add-person.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';

let server: TestServer;
let ask: (query: string) => Promise<{ statusCode: number; json: () => { summarizedInsights: unknown } }>;
beforeAll(async () => {
  server = await startTestServer();
  const film = await addFilm(server.context, { name: 'Harbour', lines: ['The heron stands.'] });
  const token = await (await addPerson(server.context, { viewer: true })).videoToken(film);
  ask = (query) =>
    server.app.inject({ url: `${server.account}/Videos/${film}/Index${query}`, headers: { authorization: `Bearer ${token}` } });
});
afterAll(() => server.stop());

test('the older summary of an index is given to those who ask for it, and to nobody else', async () => {
  const summaries = await Promise.all(
    ['?includeSummarizedInsights=true', '?includeSummarizedInsights=TRUE', '?includeSummarizedInsights=false', ''].map(
      async (query) => (await ask(query)).json().summarizedInsights,
    ),
  );
  const given = expect.objectContaining({ name: 'Harbour', faces: [], statistics: expect.anything() });
  expect(summaries).toEqual([given, given, null, null]);
});

test('a wish for it that is neither yes nor no is refused in the words of the service', async () => {
  const answer = await ask('?includeSummarizedInsights=maybe');
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({ ErrorType: 'INVALID_INPUT', Message: expect.stringContaining('must be true or false') });
});

test('what is known of a film as a whole is read with its token, and nothing that only editors know', async () => {
  const film = await addFilm(server.context, { name: 'Ferry', externalId: 'EXT-1' });
  await server.context.pool.query("update videos set rights = 'By request', place = 'Norvik', recorded_at = '1969-07' where id = $1", [
    film,
  ]);
  const token = await (await addPerson(server.context, { viewer: true })).videoToken(film);
  const facts = (bearer: string) => server.app.inject({ url: `/api/videos/${film}/facts`, headers: { authorization: `Bearer ${bearer}` } });
  const known = { description: null, recordedAt: '1969-07', place: 'Norvik', language: 'en', rights: 'By request' };
  expect((await facts(token)).json()).toEqual(known);
  expect((await facts(await server.guestToken())).statusCode).toBe(403);
});
