import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { BackupState } from '#contract/archive.ts';
import { noteBackup } from '#domain/backup/last-backup.ts';
import { createLog } from '#domain/system/log.ts';
import { addFilm } from '#testing/add-film.ts';
import { addPerson, type Person } from '#testing/add-person.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { logBackupState } from '../app.ts';

let server: TestServer;
let admin: Person;

beforeAll(async () => {
  server = await startTestServer({ RUSHES_PUBLIC_URL: 'https://archive.example' });
  admin = await addPerson(server.context, { admin: true });
});
afterAll(() => server.stop());
afterEach(() => server.context.pool.query(`delete from archive_facts where name = 'last_backup'`));

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
const good = { folder: '/backups', ok: true, message: '5 rows, 1 files', migration: '0063-listed-names.sql' };
const bad = { ...good, ok: false, message: 'The disk of /backups is full.' };

test('an archive with footage and no backup says so; an empty one does not', async () => {
  expect(await state()).toMatchObject({ is: 'unneeded' });
  await addFilm(server.context);
  expect(await state()).toMatchObject({ is: 'never', at: null });
  expect(await logged()).toMatchObject({ level: 'warn', event: expect.stringContaining('never backed up') });
});

test('a backup is fine for 48 hours, then it is late and logged', async () => {
  await noteBackup(server.context.pool, { ...good, at: hoursAgo(47.9) });
  expect([await state(), await logged()]).toMatchObject([{ is: 'fine' }, undefined]);
  const at = hoursAgo(48.1);
  await noteBackup(server.context.pool, { ...good, at });
  expect(await state()).toMatchObject({ is: 'late', lastGoodAt: at });
  expect(await logged()).toMatchObject({ level: 'error', lastGoodAt: at });
});

test('a failed backup is told with its reason, and with the last one that went well', async () => {
  const lastGoodAt = hoursAgo(20);
  await noteBackup(server.context.pool, { ...good, at: lastGoodAt });
  for (const hours of [10, 1]) await noteBackup(server.context.pool, { ...bad, at: hoursAgo(hours) });
  expect(await state()).toMatchObject({ is: 'failed', lastGoodAt, message: bad.message });
  expect(await logged()).toMatchObject({ level: 'error', event: 'the last backup failed', message: bad.message });
});

async function state(): Promise<BackupState> {
  const answer = await server.app.inject({ url: '/api/backup', headers: { cookie: admin.cookie } });
  return BackupState.parse(answer.json());
}

/** What the hourly look leaves in the log. */
async function logged(): Promise<unknown> {
  const lines: string[] = [];
  await logBackupState({ ...server.context, log: createLog('web', 'warn', (line) => lines.push(line)) });
  return lines.map((line) => JSON.parse(line) as unknown)[0];
}
