import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { listActivity, readActivity, writeActivityCsv } from './activity.ts';
import { recordActivity } from './audit.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.pool.query(`insert into users (id, name, email) values
    ('ann', 'Ann', 'ann@example.test'), ('ben', 'Ben "the Bee", jr.', null), ('eve', '=HYPERLINK("http://evil.example")', '+1@example.test')`);
});
afterAll(() => database.drop());

test('the audit names people as they were then, newest first', async () => {
  const { pool } = database;
  await recordActivity(pool, { action: 'role-granted', actorUid: 'ann', subjectUid: 'ben', detail: 'viewer', from: '192.0.2.1' });
  await recordActivity(pool, { action: 'role-granted', actorUid: null, subjectUid: 'ann', detail: 'admin', from: 'command line' });
  await recordActivity(pool, { action: 'user-deleted', actorUid: 'ann', subjectUid: 'eve', from: '2001:db8::1' });
  await pool.query("delete from users where id = 'eve'");
  await pool.query("update users set name = 'Benjamin' where id = 'ben'");
  const { entries, total, nextPage } = await listActivity(pool, { skip: 0, pageSize: 2 });
  const ann = { uid: 'ann', displayName: 'Ann', email: 'ann@example.test' };
  expect(entries).toMatchObject([
    { action: 'user-deleted', actor: ann, subject: { uid: 'eve', email: '+1@example.test' }, detail: '', from: '2001:db8::1' },
    { action: 'role-granted', actor: null, subject: ann, detail: 'admin', from: 'command line' },
  ]);
  expect([total, nextPage]).toEqual([3, { skip: 2, done: false }]);
  const rest = await listActivity(pool, { skip: 2, pageSize: 2 });
  expect(rest.entries).toMatchObject([{ subject: { uid: 'ben', displayName: 'Ben "the Bee", jr.', email: '' } }]);
  expect(rest.nextPage.done).toBe(true);
});

test.each([["update audit set action = 'signed-up'"], ['delete from audit'], ['truncate audit']])(
  'what the audit holds cannot be changed: %s',
  async (statement) => {
    await expect(database.pool.query(statement)).rejects.toThrow();
    expect((await listActivity(database.pool, { skip: 0, pageSize: 10 })).total).toBe(3);
  },
);

test('nothing is written down about nobody', async () => {
  await expect(recordActivity(database.pool, { action: 'signed-up', actorUid: null, subjectUid: 'nobody', from: '' })).rejects.toThrow();
});

test('as a table, cells are quoted, instants are in UTC and nothing in it is a formula', async () => {
  const text = await csv();
  expect(
    text.startsWith('\ufeffat,action,detail,actor,actor e-mail,actor uid,subject,subject e-mail,subject uid,from,film,film id,before\r\n'),
  ).toBe(true);
  const lines = text.split('\r\n').slice(1, -1);
  const instant = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;
  expect(lines[0]).toMatch(
    new RegExp(
      `^${instant},user-deleted,,Ann,ann@example\\.test,ann,"'=HYPERLINK\\(""http://evil\\.example""\\)",'\\+1@example\\.test,eve,2001:db8::1,,,$`,
    ),
  );
  expect(lines[1]).toMatch(new RegExp(`^${instant},role-granted,admin,,,,Ann,ann@example\\.test,ann,command line,,,$`));
  expect(lines[2]).toMatch(
    new RegExp(`^${instant},role-granted,viewer,Ann,ann@example\\.test,ann,"Ben ""the Bee"", jr\\.",,ben,192\\.0\\.2\\.1,,,$`),
  );
  expect(lines).toHaveLength(3);
});

test.each(['=1', '+1', '-1', '@A1', '\t=1', ' =1', '\uff1d1', '-'])(
  'a cell that a spreadsheet would compute is a text: %j',
  async (detail) => {
    await recordActivity(database.pool, { action: 'name-changed', actorUid: 'ben', subjectUid: 'ben', detail, from: '' });
    expect((await csv()).split('\r\n')[1]).toContain(`,name-changed,'${detail},`);
  },
);

test('a cell that a spreadsheet would end at a semicolon begins no formula after it', async () => {
  await recordActivity(database.pool, { action: 'name-changed', actorUid: 'ben', subjectUid: 'ben', detail: 'Ben;=1; +2;3', from: '' });
  expect((await csv()).split('\r\n')[1]).toContain(",name-changed,Ben;'=1;' +2;3,");
});

test('a long audit is read piece by piece, every entry once', async () => {
  await database.pool.query(`insert into audit (action, subject_uid, subject_name, subject_email)
    select 'signed-up', 'ann', 'Ann', 'ann@example.test' from generate_series(1, 2500)`);
  const sizes: number[] = [];
  const ids: number[] = [];
  for await (const entries of readActivity(database.pool)) {
    sizes.push(entries.length);
    ids.push(...entries.map(({ id }) => id));
  }
  const { total } = await listActivity(database.pool, { skip: 0, pageSize: 1 });
  expect(Math.max(...sizes)).toBe(1_000);
  expect(new Set(ids).size).toBe(total);
  expect(ids).toEqual(ids.toSorted((a, b) => b - a));
});

async function csv(): Promise<string> {
  let text = '';
  for await (const piece of writeActivityCsv(readActivity(database.pool))) text += piece;
  return text;
}
