import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { sql } from './sql.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('a statement takes in others, each with its own values', async () => {
  const inner = sql`${'b'}::text = any(${['a', 'b']})`;
  const middle = sql`(${inner} and ${inner})`;
  const whole = sql`select ${1}::int as one, ${middle} as both, ${sql`true`} as plain, ${'last'}::text as last`;
  const values = [1, 'b', ['a', 'b'], 'b', ['a', 'b'], 'last'];
  const text = 'select $1::int as one, ($2::text = any($3) and $4::text = any($5)) as both, true as plain, $6::text as last';
  expect([whole.text, whole.values]).toEqual([text, values]);
  expect((await database.pool.query(whole)).rows).toEqual([{ one: 1, both: true, plain: true, last: 'last' }]);
});

test('text that looks like a statement stays a value', async () => {
  for (const value of ["'; drop table videos; --", '$1', { text: 'select 1', values: [], parts: ['select 1'] }]) {
    const { rows } = await database.pool.query(sql`select ${value}::text as value`);
    expect(rows[0].value).toBe(typeof value === 'string' ? value : JSON.stringify(value));
  }
});
