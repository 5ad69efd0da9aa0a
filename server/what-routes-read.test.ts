import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Route } from '#contract/route.ts';
import { routes } from '#contract/routes.ts';
import { addFilm } from '#testing/add-film.ts';
import { indexFilms } from '#testing/index-films.ts';
import { askAs, type Ground, rows } from '#testing/role-matrix.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { withoutLimits } from '#testing/without-limits.ts';

/** A word of each kind of data; it stands nowhere else. */
const words = {
  title: 'Quetzaltown',
  footage: 'xylographer',
  record: 'EXT-7731',
  people: 'zephyrine@people.example',
  searches: 'turnpikewards',
} as const;
type Data = keyof typeof words;

/** What an answer to an administrator, who may read everything, holds at most. */
const held: Readonly<Record<Route['reads'], readonly Data[]>> = {
  nothing: [],
  titles: ['title'],
  matches: ['title', 'footage', 'record'],
  film: ['title', 'footage'],
  records: ['title', 'record'],
  self: [],
  person: [],
  people: ['people'],
  searches: ['searches'],
  work: ['title'],
  footage: ['title', 'footage', 'record'],
  health: [],
};

let server: TestServer;
let ground: Ground;
beforeAll(async () => {
  server = await startTestServer(withoutLimits);
  const { context } = server;
  const film = await addFilm(context, {
    name: words.title,
    externalId: words.record,
    lines: [`The ${words.footage} of Quetzaltown`],
    people: ['Ann Xylographer'],
  });
  await indexFilms(context);
  await context.pool.query("insert into users (id, email, name) values ('zephyrine', $1, 'Zephyrine')", [words.people]);
  context.unfound.searched(words.searches, false);
  await context.unfound.write();
  ground = { app: server.app, context, film, guestToken: () => server.guestToken() };
});
afterAll(() => server.stop());

const reading = rows.filter(({ method }) => method === 'GET');
/** What calls ask that say nothing without. */
const questions: Readonly<Record<string, string>> = {
  [routes.idByExternalId.path]: `?externalId=${words.record}`,
  [routes.sameFootage.path]: `?sizeBytes=1000&ends=${'0'.repeat(64)}`,
  [routes.findLines.path]: `?find=${words.footage}`,
};
/** What else than 200 is right: a sign-in that nobody began, pictures and files that are not there, a verdict without words, and measures from afar. */
const answersWith: Readonly<Record<string, number>> = {
  [routes.popupSignIn.path]: 404,
  [routes.redirectSignIn.path]: 404,
  [routes.signInCallback.path]: 302,
  [routes.signInFile.path]: 404,
  [routes.avatar.path]: 404,
  [routes.thumbnail.path]: 404,
  [routes.mediaVerdict.path]: 204,
  [routes.metrics.path]: 403,
};
const seen = new Set<Data>();

test.each(reading)('$path holds what its row says that it reads, and no more', async (row) => {
  const usual = row.reads === 'matches' ? `?query=${words.footage.slice(0, -1)}` : '';
  const asked = { ...row, path: row.path + (questions[row.path] ?? usual) };
  const { statusCode, body } = await askAs(ground, { row: asked, identity: 'admin', method: 'GET' });
  expect(statusCode).toBe(answersWith[row.path] ?? 200);
  const found = kinds().filter((kind) => body.toLowerCase().includes(words[kind].toLowerCase()));
  for (const kind of found) seen.add(kind);
  expect(held[row.reads]).toEqual(expect.arrayContaining(found));
});

test('every kind of data was seen in an answer', () => {
  expect([...seen].sort()).toEqual(kinds().sort());
});

function kinds(): Data[] {
  return Object.keys(words).filter((name): name is Data => name in words);
}
