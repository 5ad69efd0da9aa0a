import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { sql } from '../../db/sql.ts';
import type { SearchRequest } from '../search-request.ts';
import { listConditions } from './list-conditions.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.pool.query(`
    insert into videos (id, state, name, origin, content_hash, people, labels, brands, owner, external_id)
    select lpad(to_hex(n), 10, '0'), 'Processed', 'Film ' || n, 'catalogue', lpad(to_hex(n), 64, '0'),
           array['Person ' || n], array['Label ' || n], array['Brand ' || n], 'Owner ' || n, 'film-' || n
      from generate_series(1, 5000) n`);
  await database.pool.query('analyze videos');
});
afterAll(() => database.drop());

test.each<[string, Partial<SearchRequest>]>([
  ['videos_people', { narrowing: { people: ['nobody'] } }],
  ['videos_people', { faces: ['nobody'] }],
  ['videos_labels', { narrowing: { labels: ['nothing'] } }],
  ['videos_brands', { narrowing: { brands: ['nothing'] } }],
  ['videos_owners', { owners: ['nobody'] }],
  ['videos_external_ids', { externalIds: ['nothing'] }],
])('the index %s finds what a list asks for by %j', async (index, asked) => {
  expect(await planOf(asked)).toContain(` ${index} `);
});

/** How PostgreSQL goes about a list. */
async function planOf(request: Partial<SearchRequest>): Promise<string> {
  const whole: SearchRequest = { query: [], skip: 0, pageSize: 12, purpose: 'results', ...request };
  const { asked, people, labels, brands } = listConditions(whole);
  const { rows } = await database.pool.query(
    sql`explain select v.id from videos v where ${asked} and ${people} and ${labels} and ${brands}`,
  );
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}
