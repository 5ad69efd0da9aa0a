import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSession } from '#domain/signin/sessions.ts';
import { addPerson } from '#testing/add-person.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { until } from '#testing/until.ts';
import { type LiveSessions, openLiveSessions } from './live-sessions.ts';

let server: TestServer;
let live: LiveSessions;
beforeAll(async () => {
  server = await startTestServer();
  live = openLiveSessions(server.context.pool, { heartbeatMs: 50, perSession: 10, perUser: 10, perProcess: 2, usersEveryMs: 1_000 });
});
afterAll(async () => {
  live.close();
  await server.stop();
});

test('a stream shows life, and ends by itself when the session runs out, which nobody announces', async () => {
  const ann = await addPerson(server.context, { viewer: true });
  const stream = live.follow(ann);
  let text = '';
  stream.on('data', (chunk: Buffer) => (text += chunk));
  await until(() => /^:$/m.test(text) && text.includes(ann.uid), { withinMs: 5_000 });
  await server.context.pool.query("update sessions set last_seen_at = now() - interval '25 hours' where id = $1", [ann.sid]);
  await until(() => stream.closed, { withinMs: 5_000 });
  expect(text).toContain('{"user":null}');
});

test('a process holds no more streams than it has room for, and one that is left or never read makes room', async () => {
  const ann = await addPerson(server.context, {});
  const [left, unread] = [live.follow(ann), live.follow(ann)];
  const closed = Promise.all([once(left, 'close'), once(unread, 'close')]);
  expect(() => live.follow(ann)).toThrow('too many pages');
  left.destroy();
  unread.push('x'.repeat(70_000));
  await closed;
  live.follow(ann);
  live.follow(ann);
  expect(() => live.follow(ann)).toThrow('too many pages');
});

test('one user has so many streams over all of their sessions; the next one ends their oldest and nobody else’s', async () => {
  const roomy = openLiveSessions(server.context.pool, {
    heartbeatMs: 60_000,
    perSession: 10,
    perUser: 2,
    perProcess: 10,
    usersEveryMs: 1_000,
  });
  const [ann, bob] = [await addPerson(server.context, {}), await addPerson(server.context, {})];
  const again = await startSession(server.context.pool, ann.uid, { userAgent: '', signedInBy: 'google' });
  const [other, oldest] = [roomy.follow(bob), roomy.follow(ann)];
  const newer = roomy.follow({ ...ann, sid: again.sid });
  for (const stream of [other, oldest, newer]) stream.resume();
  const ended = once(oldest, 'close');
  const newest = roomy.follow({ ...ann, sid: again.sid });
  await ended;
  expect([other, newer, newest].map(({ destroyed }) => destroyed)).toEqual([false, false, false]);
  roomy.close();
});
