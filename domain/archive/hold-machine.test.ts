import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { archiveFolderIn } from '../files/archive-folder.ts';
import { holdMachine } from './hold-machine.ts';

const s3 = { endpoint: 'http://s3.example', bucket: 'films', region: 'here', accessKey: 'key', secretKey: 'secret', pathStyle: true };

let database: TestDatabase;
let root: string;
beforeEach(async () => {
  database = await createTestDatabase();
  root = mkdtempSync(join(tmpdir(), 'rushes-machines-'));
});
afterEach(async () => {
  await database.drop();
  rmSync(root, { recursive: true, force: true });
});

/** The sessions by which machines are known to each other. */
async function signs(): Promise<number[]> {
  const { rows } = await database.pool.query<{ pid: number }>(
    "select pid from pg_stat_activity where application_name like 'rushes-machine %' and datname = current_database()",
  );
  return rows.map(({ pid }) => pid);
}

const machine = (name: string, { secrets, ...more }: { s3?: typeof s3 | null; secrets?: string } = {}) =>
  holdMachine(database.pool, {
    folder: archiveFolderIn(join(root, name)),
    s3: undefined,
    secrets: secrets === undefined ? undefined : { sign: secrets, fits: (other) => other === secrets },
    ...more,
  });

test('a second machine is refused as long as films lie in the folder of one; processes of one machine are not', async () => {
  const first = await machine('first');
  (await machine('first')).release();
  await expect(machine('second')).rejects.toThrow(/^Another machine works on this archive.+RUSHES_S3_ENDPOINT.+or stop the other one\.$/);
  await expect(machine('second', { s3 })).rejects.toThrow('Another machine works on this archive');
  first.release();
  await expect
    .poll(() =>
      machine('second').then(
        ({ release }) => release(),
        () => 'refused',
      ),
    )
    .toBe(undefined);
});

test('machines of one archive share a store and its secrets, and are told what differs', async () => {
  const first = await machine('first', { s3, secrets: 'one' });
  const others = [await machine('second', { s3, secrets: 'one' }), await machine('third', { s3 })];
  await expect(machine('fourth', { s3: { ...s3, bucket: 'others' } })).rejects.toThrow('another media store');
  await expect(machine('fourth', { s3, secrets: 'two' })).rejects.toThrow(/different secrets.+RUSHES_SECRETS/);
  for (const { release } of [first, ...others]) release();
});

test('machines whose films another service has share no media, and their secrets alike', async () => {
  const first = await machine('first', { s3: null, secrets: 'one' });
  const second = await machine('second', { s3: null, secrets: 'one' });
  await expect(machine('third', { s3: null, secrets: 'two' })).rejects.toThrow(/different secrets.+RUSHES_SECRETS/);
  for (const { release } of [first, second]) release();
});

test('a machine that lost its connection is known to the others again, and holds one connection', async () => {
  const { pool } = database;
  const first = await machine('first', { s3, secrets: 'one' });
  try {
    const before = await signs();
    // Older than the session by which the machine comes back.
    const older = await pool.connect();
    await pool.query('select pg_terminate_backend(pid) from unnest($1::int[]) as t (pid)', [before]);
    await expect.poll(async () => (await signs()).filter((pid) => !before.includes(pid)), { timeout: 20_000 }).toHaveLength(1);
    older.release();
    await expect(machine('second', { s3, secrets: 'two' })).rejects.toThrow('different secrets');
    await expect.poll(() => pool.totalCount - pool.idleCount).toBe(1);
  } finally {
    first.release();
  }
  await expect.poll(() => pool.totalCount - pool.idleCount).toBe(0);
});
