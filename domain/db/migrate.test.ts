import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { migrate } from './migrate.ts';
import { sql } from './sql.ts';

const folder = mkdtempSync(join(tmpdir(), 'rushes-migrations-'));
/** What a version after this one would change. */
const newer = { folder };
const next = '9998-of-the-next-version.sql';
const before =
  readdirSync(join(import.meta.dirname, 'migrations'))
    .sort()
    .at(-1) ?? '';

cpSync(join(import.meta.dirname, 'migrations'), folder, { recursive: true });
writeFileSync(join(folder, next), 'alter table videos add column of_the_next_version int;');
afterAll(() => rmSync(folder, { recursive: true }));

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

test('migrating twice, and from several processes at once, applies every file once', async () => {
  expect(await migrate(database.pool)).toEqual([]);
  await Promise.all([migrate(database.pool), migrate(database.pool), migrate(database.pool)]);
  const { rows } = await database.pool.query('select count(*)::int as n, count(distinct name)::int as names from migrations');
  expect(rows[0].n).toBe(rows[0].names);
});

test('an archive that a newer version has opened is refused by this one', async () => {
  await database.pool.query("insert into migrations (name) values ('9999-of-the-future.sql')");
  await expect(migrate(database.pool)).rejects.toThrow(
    /opened by a newer version of Rushes: .+ 9999-of-the-future\.sql, .+ Start the newer version/,
  );
});

test('an older archive that holds nothing is brought up to date without asking', async () => {
  expect(await migrate(database.pool, newer)).toEqual([next]);
});

test('what people have put in is changed only when there is a fresh backup of all of it, also where that lacks a file that the archive has lost', async () => {
  await database.pool.query("insert into users (id, email, name) values ('one', 'one@archive.example', 'One')");
  await expectRefusal();
  const whole = { at: new Date().toISOString(), folder: '/backups', ok: true, migration: before };
  for (const lacking of [
    { ...whole, ok: false, migration: null },
    { ...whole, migration: '0001-videos.sql' },
    { ...whole, at: new Date(Date.now() - 25 * 60 * 60 * 1_000).toISOString() },
    { ...whole, at: 'yesterday' },
  ]) {
    await noteBackup(lacking);
    await expectRefusal();
  }
  await noteBackup({ ...whole, ok: false });
  const [first, second] = await Promise.all([migrate(database.pool, newer), migrate(database.pool, newer)]);
  expect([...first, ...second]).toEqual([next]);
});

test('a video counts as well, and the operator may go on without a backup', async () => {
  await database.pool.query("insert into videos (id, name, origin, content_hash) values ('00000000aa', 'One', 'file', repeat('a', 64))");
  await expectRefusal();
  expect(await migrate(database.pool, { ...newer, withoutBackup: true })).toEqual([next]);
});

async function expectRefusal(): Promise<void> {
  await expect(migrate(database.pool, newer)).rejects.toThrow(`now at ${before}), which has no backup from the last 24 hours`);
}

async function noteBackup(backup: object): Promise<void> {
  await database.pool.query(sql`
    insert into archive_facts (name, value) values ('last_backup', ${JSON.stringify(backup)}) on conflict (name) do update set value = excluded.value`);
}
