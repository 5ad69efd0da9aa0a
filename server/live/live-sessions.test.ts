import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addPerson } from '#testing/add-person.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { until } from '#testing/until.ts';
import { type LiveSessions, liveSessions } from './live-sessions.ts';

let server: TestServer;
let live: LiveSessions;
beforeAll(async () => {
  server = await startTestServer();
  live = liveSessions(server.context.pool, { heartbeatMs: 50, perSession: 10, perProcess: 2, usersEveryMs: 1_000 });
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
  expect(() => live.follow(ann)).toThrow('Too many pages');
  left.destroy();
  unread.push('x'.repeat(70_000));
  await closed;
  live.follow(ann);
  live.follow(ann);
  expect(() => live.follow(ann)).toThrow('Too many pages');
});
