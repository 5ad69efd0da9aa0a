import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { until } from '#testing/until.ts';
import { listenForRights } from './listen-for-rights.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('a connection that dies without a word is given up, and what was missed counts', async () => {
  const heard: (string | null)[] = [];
  let asked = 0;
  const hearing = { user: (uid: string | null) => heard.push(uid), film: () => {}, secrets: () => void asked++ };
  const listening = listenForRights(database.pool, hearing, { checkEveryMs: 50, answerWithinMs: 200 });
  await until(() => Promise.resolve(heard.length === 1));
  // Of secrets that could not be read nobody tells a second time.
  await until(() => Promise.resolve(asked > 2));
  const { rows } = await database.pool.query(
    "select pid from pg_stat_activity where query like 'listen users_changed%' and datname = current_database()",
  );
  const [{ pid }] = rows;
  process.kill(pid, 'SIGSTOP');
  try {
    await until(() => Promise.resolve(heard.length > 1));
    await database.pool.query("insert into users (id, email, name) values ('late', 'late@people.example', 'Late')");
    await until(() => Promise.resolve(heard.includes('late')));
    expect(heard).toEqual([null, null, 'late']);
  } finally {
    process.kill(pid, 'SIGCONT');
    await listening.stop();
  }
});
