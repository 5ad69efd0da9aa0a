import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { migrate, planUpgrade } from '#domain/db/migrate.ts';
import { mintAccountToken } from '#domain/tokens/account-token.ts';
import { loadSecrets } from '#domain/tokens/secrets.ts';
import { addPerson } from '#testing/add-person.ts';
import { checkOutOlder, runOlder } from '#testing/older-version.ts';
import { startArchive } from '#testing/running-archive.ts';
import { cloneDatabase } from '#testing/test-database.ts';
import { until } from '#testing/until.ts';
import { writeTestPages } from '#testing/write-test-pages.ts';

/** The version before processes told of themselves. */
const before = 'fb146ea4671e4284364d67bf4cc20643130e0846';
const migrations = join(import.meta.dirname, '..', 'domain', 'db', 'migrations');
const scratch = mkdtempSync(join(tmpdir(), 'rushes-upgrade-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

test('the version before goes on answering while this one makes what only adds, and the check names beforehand what it would stumble over', {
  timeout: 300_000,
}, async ({ skip }) => {
  const older = join(scratch, 'version');
  skip(!checkOutOlder(before, older), `this copy of the project has no history back to ${before.slice(0, 7)}`);
  const database = await cloneDatabase('template0');
  const [dataFolder, pages] = [join(scratch, 'data'), join(scratch, 'pages')];
  const env = { RUSHES_PAGES: pages, RUSHES_SAMPLES: '0', RUSHES_MEANING: '0' };
  const settings = { RUSHES_DATA: dataFolder, DATABASE_URL: database.url, ...env };
  writeTestPages(pages);
  const records = join(scratch, 'records.jsonl');
  const record = { id: 'one', title: 'Harbour', durationSeconds: 60, lines: [{ start: 1, end: 5, text: 'The xylographer came' }] };
  writeFileSync(records, `${JSON.stringify(record)}\n`);
  runOlder(older, ['commands/import.ts', '--transcripts', records], settings);
  const old = await startArchive({ dataFolder, databaseUrl: database.url, env, version: older });
  try {
    const archive = { pool: database.pool, secrets: loadSecrets(dataFolder) };
    const viewer = await addPerson(archive, { viewer: true });
    const token = await mintAccountToken(archive.secrets, { caller: 'guest', adminFields: false });
    const service = 'trial/Accounts/7d0e1f52-6c3b-4a9e-9b1d-2f8a5c04e6d3/Videos/Search';
    const answers = async (origin: string) => {
      const search = await fetch(`${origin}/${service}?query=xylographer&accessToken=${token}`);
      const session = await fetch(`${origin}/api/session`, { headers: { cookie: viewer.cookie } });
      const said = [await search.text(), await session.text()].map((text, n) => text.includes(['"name":"Harbour"', viewer.uid][n] ?? ''));
      return [...said, (await fetch(`${origin}/healthz`)).status];
    };
    const well = [true, true, 200];
    await until(async () => (await answers(old.origin))[0] === true);

    const check = (more = {}) =>
      spawnSync(process.execPath, [join(import.meta.dirname, 'upgrade-check.ts')], { env: { ...settings, ...more }, encoding: 'utf8' });
    const asked = check();
    expect(asked.stdout).toContain('0110-processes.sql: adds only');
    const { due } = await planUpgrade(database.pool);
    const firstBreak = due.findIndex(({ breaks }) => breaks.length > 0);
    const later = firstBreak < 0 ? [] : due.slice(firstBreak).map(({ name }) => name);
    expect(asked.stdout).toContain(later.length === 0 ? 'The previous version keeps working meanwhile' : 'Stop the previous version first');
    expect([asked.status, asked.stdout]).toEqual([1, expect.stringContaining('run npm run backup -- FOLDER first')]);
    // Where the start is let through without one, the check says so and does not stop whoever asks it first.
    const allowed = check({ RUSHES_MIGRATE_WITHOUT_BACKUP: '1' });
    expect([allowed.status, allowed.stdout]).toEqual([0, expect.stringContaining('lets this version start without one')]);

    const gentle = mkdtempSync(join(scratch, 'gentle-'));
    for (const name of readdirSync(migrations)) if (!later.includes(name)) copyFileSync(join(migrations, name), join(gentle, name));
    await migrate(database.pool, { withoutBackup: true, folder: gentle });
    expect(await answers(old.origin)).toEqual(well);
    // Before what it would stumble over it is ended, as the check says.
    if (later.length > 0) await old.stop();
    const next = await startArchive({ dataFolder, databaseUrl: database.url, env: { ...env, RUSHES_MIGRATE_WITHOUT_BACKUP: '1' } });
    if (later.length === 0) expect(await answers(old.origin)).toEqual(well);
    await old.stop();
    await until(async () => (await answers(next.origin))[0] === true);
    expect(await answers(next.origin)).toEqual(well);
    await next.stop();
    expect(check()).toMatchObject({ status: 0, stdout: expect.stringContaining('The database needs no changes') });
    await database.pool.query("update search_index set state = jsonb_set(state, '{format}', '7')");
    expect(check()).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('The search index is built anew: stop the previous version on all'),
    });
    await database.pool.query("insert into migrations (name) values ('9999-of-tomorrow.sql')");
    expect(check()).toMatchObject({ status: 1, stdout: expect.stringContaining('a newer version has already run 9999-of-tomorrow.sql') });
  } finally {
    await old.stop();
    await database.drop();
  }
});

test('the check ends with 1, and says every line, where the next start would refuse the settings of this machine; it asks for no others', () => {
  const nowhere = { RUSHES_DATA: join(scratch, 'none'), DATABASE_URL: 'postgres://rushes@127.0.0.1:1/rushes' };
  const check = (env: Record<string, string>) => {
    const command = join(import.meta.dirname, 'upgrade-check.ts');
    const { status, stderr } = spawnSync(process.execPath, [command], { env: { ...nowhere, ...env }, encoding: 'utf8' });
    return [status, stderr];
  };
  const proxy = { RUSHES_TRUST_PROXY: '10.0.0.0/255.0.0.0' };
  expect(check(proxy)).toEqual([1, expect.stringContaining('RUSHES_TRUST_PROXY must name addresses')]);
  expect(check({ RUSHES_ROLES: 'ingest', ...proxy })).toEqual([1, expect.stringContaining('RUSHES_TRUST_PROXY must name addresses')]);
  const numbers = { RUSHES_SEARCHES_PER_MINUTE: 'x', RUSHES_SEARCH_BURST: 'y' };
  expect(check(numbers)).toEqual([1, expect.stringMatching(/RUSHES_SEARCHES_PER_MINUTE must.+\n.*RUSHES_SEARCH_BURST must/)]);
  const watch = { RUSHES_WATCH: 'not/whole' };
  expect(check({ RUSHES_ROLES: 'ingest', ...watch })).toEqual([1, expect.stringContaining('RUSHES_WATCH')]);
  expect(check({ RUSHES_ROLES: 'web', ...watch })).toEqual([1, expect.not.stringContaining('RUSHES_WATCH')]);
});

test('what a version before would stumble over is named, and what only adds is not', async () => {
  const database = await cloneDatabase('template0');
  const folder = mkdtempSync(join(scratch, 'migrations-'));
  const changes: Record<string, string> = {
    '0001-adds.sql': 'create table a (id int not null); alter table b add column c int not null default 1, add column d text;',
    '0002-drops.sql': '-- drop table nothing\ndrop table a; alter table b drop column c, rename d to e;',
    '0003-asks.sql':
      'alter table b add column f int not null; alter table b alter column c type bigint; alter table b alter column e set not null;',
  };
  for (const [name, text] of Object.entries(changes)) writeFileSync(join(folder, name), text);
  expect(await planUpgrade(database.pool, folder)).toEqual({
    unknown: [],
    isBackedUp: true,
    due: [
      { name: '0001-adds.sql', breaks: [] },
      { name: '0002-drops.sql', breaks: ['drops a', 'drops the column c', 'renames d'] },
      { name: '0003-asks.sql', breaks: ['changes the type of c', 'asks always for e', 'asks always for f'] },
    ],
  });
  await database.drop();
});
