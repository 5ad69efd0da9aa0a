import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noteBackup } from '#domain/backup/last-backup.ts';
import { keepTelling } from '#domain/status/processes.ts';
import { replaceSecrets, takeOutSecrets } from '#domain/tokens/sealed-secrets.ts';
import { loadSecrets } from '#domain/tokens/secrets.ts';
import { freePort } from '#testing/free-port.ts';
import { startStandInS3 } from '#testing/stand-in-s3.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { examine } from './doctor/examine.ts';

const root = mkdtempSync(join(tmpdir(), 'rushes-doctor-'));
let database: TestDatabase;
let well: Record<string, string>;
beforeAll(async () => {
  database = await createTestDatabase();
  const data = join(root, 'data');
  mkdirSync(data, { mode: 0o700 });
  // One that only serves tries out no decoders.
  well = { RUSHES_DATA: data, DATABASE_URL: database.url, RUSHES_ROLES: 'web', PORT: String(await freePort()), PATH: '/usr/bin:/bin' };
});
afterAll(async () => {
  await database.drop();
  rmSync(root, { recursive: true, force: true });
});

/** What the doctor says with these settings instead of good ones. */
async function about(more: Record<string, string | undefined>, circumstances: Omit<Parameters<typeof examine>[0], 'environment'> = {}) {
  const findings = await examine({ ...circumstances, environment: { ...well, ...more } });
  for (const { says, whatToDo } of findings) expect([says, whatToDo].map((text) => text.length > 10)).toEqual([true, true]);
  return findings.map(({ is, about: what }) => `${is} ${what}`);
}

/** Nobody looks at a name that is not there; this one refuses at once. */
const elsewhere = 'https://127.0.0.2:1';
const open = { RUSHES_PUBLIC_URL: elsewhere, RUSHES_TRUST_PROXY: '127.0.0.1', RUSHES_LISTEN: '127.0.0.1' };

function file(name: string, text: string, mode = 0o600): string {
  const path = join(root, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text, { mode });
  return path;
}

test('a practice archive that is well is told to be one, and nothing else', async () => {
  expect(await about({})).toEqual(['hint practice']);
});

const settings: [fault: string, set: () => Record<string, string | undefined>][] = [
  ['fault RUSHES_PUBLIC_URL', () => ({ RUSHES_PUBLIC_URL: 'http://archive.example' })],
  ['fault GOOGLE_CLIENT_SECRET', () => ({ GOOGLE_CLIENT_ID: 'half' })],
  ['fault RUSHES_ROLES=web', () => ({ DATABASE_URL: undefined })],
  ['fault data folder', () => ({ RUSHES_DATA: file('a-file', '') })],
  ['fault data folder', () => ({ RUSHES_DATA: join(file('a-file', ''), 'data') })],
  ['fault disk', () => ({ RUSHES_DISK_RESERVE_MB: '999999999' })],
  ['fault database', () => ({ DATABASE_URL: 'postgres://127.0.0.1:1/rushes' })],
  ['fault direct database', () => ({ DATABASE_DIRECT_URL: 'postgres://127.0.0.1:1/rushes' })],
  ['fault secrets', () => ({ RUSHES_SECRETS: join(root, 'no-secrets.json') })],
  ['fault secrets', () => ({ RUSHES_SECRETS: root })],
  ['fault secrets', () => ({ RUSHES_SECRETS: file('empty.json', '') })],
  ['fault watched folder', () => ({ RUSHES_WATCH: join(root, 'not-mounted') })],
  ['fault model', () => ({ RUSHES_WHISPER_MODEL: file('models/ggml-base.bin', 'a page that says: not found') })],
  ['fault model', () => ({ RUSHES_WHISPER_MODEL: join(root, 'models/gone.bin') })],
  ['hint archive.config.json', () => ({ RUSHES_ARCHIVE_CONFIG: file('archive.config.json', '{ "name": "" ') })],
  ['hint archive.config.json', () => open],
  ['hint mail', () => open],
  ['fault mail', () => ({ ...open, SMTP_URL: 'smtp://127.0.0.1:1' })],
  ['fault proxies', () => ({ RUSHES_PUBLIC_URL: elsewhere })],
  ['hint certificate', () => open],
];

test.each(settings)('%s', async (finding, set) => {
  expect(await about(set())).toContain(finding);
});

test('a machine that allows no walls around decoders is a hint, and a fault where ingest is told not to start without them', ({ skip }) => {
  const withoutWalls = ['--user', '--map-root-user', 'sh', '-c'];
  const forbidding = 'for kind in user mnt net pid; do echo 0 > /proc/sys/user/max_"$kind"_namespaces || exit; done; exec "$@"';
  skip(spawnSync('unshare', [...withoutWalls, forbidding, 'sh', 'true']).status !== 0, 'namespaces cannot be forbidden here');
  const doctor = [process.execPath, join(import.meta.dirname, 'doctor.ts'), '--json'];
  const examined = (more: Record<string, string>) => {
    const env = { ...well, RUSHES_ROLES: 'both', ...more };
    const { status, stdout } = spawnSync('unshare', [...withoutWalls, forbidding, 'sh', ...doctor], { env, encoding: 'utf8' });
    const found = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { is: string; about: string });
    return [status, found.find(({ about: what }) => what === 'walls')?.is];
  };
  expect(examined({})).toEqual([0, 'hint']);
  expect(examined({ RUSHES_STRICT_INGEST: '1' })).toEqual([1, 'fault']);
});

test('secrets that machines share are well when they can be read', async () => {
  loadSecrets(join(root, 'data'));
  expect(await about({ RUSHES_SECRETS: join(root, 'data', 'secrets.json') })).toEqual(['hint practice']);
});

test('a key that opens the secrets in the database is well, and another one or none is at fault', async () => {
  const [key, other] = [randomBytes(32), randomBytes(32)];
  expect(await about({ RUSHES_SECRETS_KEY: 'too-short' })).toEqual(['fault RUSHES_SECRETS_KEY']);
  await replaceSecrets(database.pool, key);
  try {
    expect(await about({ RUSHES_SECRETS_KEY: key.toString('base64url') })).toEqual(['hint practice']);
    expect(await about({ RUSHES_SECRETS_KEY: other.toString('base64url') })).toEqual(['hint practice', 'fault secrets']);
    expect(await about({})).toEqual(['hint practice', 'fault secrets']);
    expect(await about({ RUSHES_ROLES: 'ingest' })).not.toContain('fault secrets');
  } finally {
    await takeOutSecrets(database.pool, key, () => {});
  }
});

test('a store that refuses our keys is at fault, and not the database', async () => {
  const bucket = await startStandInS3();
  const { endpoint, bucket: name } = bucket.settings;
  const set = { RUSHES_S3_ENDPOINT: endpoint, RUSHES_S3_BUCKET: name, RUSHES_S3_ACCESS_KEY: 'key', RUSHES_S3_SECRET_KEY: 'secret' };
  expect(await about(set)).toEqual(['hint practice']);
  bucket.fail = () => 'forbid';
  expect(await about(set)).toEqual(['hint practice', 'fault store']);
  expect(await about({ ...set, DATABASE_URL: 'postgres://127.0.0.1:1/rushes' })).toContain('fault store');
  await bucket.close();
});

test('a pooler that gives out sessions by transaction needs a way past it', async () => {
  const pooled = await listen(speakAsPostgres({ ...usable, pid: '7' }));
  const url = `postgres://app@127.0.0.1:${pooled.port}/archive`;
  expect(await about({ DATABASE_URL: url })).toContain('fault pooler');
  expect(await about({ DATABASE_URL: url, DATABASE_DIRECT_URL: database.url })).not.toContain('fault pooler');
  expect(await about({ DATABASE_DIRECT_URL: url })).toContain('fault pooler');
  pooled.server.close();
});

test('a machine that only ingests is asked for nothing that serving takes', async () => {
  const other = await listen((socket) => socket.end('HTTP/1.1 404 Not Found\r\n\r\n'));
  const set = { RUSHES_PUBLIC_URL: elsewhere, PORT: other.port, SMTP_URL: 'smtp://127.0.0.1:1' };
  const ofServing = /proxies|listen|port|mail|certificate|provider|archive\.config|practice/;
  expect((await about(set)).filter((finding) => ofServing.test(finding)).length).toBeGreaterThan(3);
  for (const more of [set, { RUSHES_PUBLIC_URL: undefined }]) {
    const findings = await about({ ...more, RUSHES_ROLES: 'ingest', RUSHES_WATCH: join(root, 'not-mounted') });
    expect([findings.includes('fault watched folder'), findings.filter((finding) => ofServing.test(finding))]).toEqual([true, []]);
  }
  other.server.close();
});

test('that an archive listens everywhere is told where its proxies are on this machine alone', async () => {
  const behind = (proxies: string) => about({ RUSHES_PUBLIC_URL: elsewhere, RUSHES_TRUST_PROXY: proxies });
  for (const proxies of ['127.0.0.1', 'loopback', '127.0.0.1, ::1']) expect(await behind(proxies)).toContain('hint listen');
  // One in another container, or on another machine, comes by another address.
  for (const proxies of ['uniquelocal', '127.0.0.1,10.0.0.7']) expect(await behind(proxies)).not.toContain('hint listen');
});

test('a port that another program has is a fault, one that this archive has is none', async () => {
  const other = await listen((socket) => socket.end('HTTP/1.1 404 Not Found\r\n\r\n'));
  const ours = await listen((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nok\n'));
  expect(await about({ PORT: other.port })).toContain('fault port');
  expect(await about({ PORT: ours.port })).not.toContain('fault port');
  // It answers there alone where it listens.
  const elsewhereOurs = await listen((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nok\n'), '127.0.0.2');
  expect(await about({ ...open, RUSHES_LISTEN: '127.0.0.2', PORT: elsewhereOurs.port })).not.toContain('fault port');
  for (const { server } of [other, ours, elsewhereOurs]) server.close();
});

test('a folder that others can read, and one on a network disk, are faults', async () => {
  const data = join(root, 'open');
  mkdirSync(data);
  chmodSync(data, 0o755);
  expect(await about({ RUSHES_DATA: data })).toContain('fault open folder');
  expect(await about({ RUSHES_DATA: join(root, 'data'), DATABASE_URL: undefined, RUSHES_ROLES: 'both' }, { diskType: 0x6969 })).toContain(
    'fault network disk',
  );
});

test.runIf(process.platform === 'linux')(
  'media on a disk of their own that is full are a fault, also where the data folder has room',
  async () => {
    const data = join(root, 'media-elsewhere');
    mkdirSync(data, { mode: 0o700 });
    expect(await about({ RUSHES_DATA: data })).not.toContain('fault disk');
    // A disk without a byte.
    symlinkSync('/proc', join(data, 'media'));
    expect(await about({ RUSHES_DATA: data })).toContain('fault disk');
  },
);

test('an ffmpeg that is too old is a fault', async () => {
  const old = file('bin/ffmpeg', '#!/bin/sh\necho "ffmpeg version 4.2.7"; echo "libavcodec     58. 54.100"\n', 0o755);
  file('bin/ffprobe', '#!/bin/sh\n', 0o755);
  expect(await about({ RUSHES_ROLES: 'both', FFMPEG_PATH: old })).toContain('fault ffmpeg');
});

test('a database that is too old, and one in which the role may make no tables, are told apart', async () => {
  const old = await listen(speakAsPostgres({ number: '130011', version: '13.11' }));
  expect(await about({ DATABASE_URL: `postgres://app@127.0.0.1:${old.port}/archive` })).toContain('fault database version');
  old.server.close();
  const poor = await createTestDatabase();
  await poor.pool.query('revoke all on schema public from pg_database_owner');
  expect(await about({ DATABASE_URL: poor.url })).toContain('fault database rights');
  await poor.drop();
});

test('a clock that is off, an old backup, a second server and films without originals are faults', async () => {
  const { pool } = database;
  expect(await about({}, { now: () => Date.now() + 60_000 })).toContain('fault clock');
  const at = new Date(Date.now() - 50 * 3_600_000).toISOString();
  await noteBackup(pool, { at, folder: '/mnt/backup', ok: true, message: '', migration: null });
  expect(await about({})).toContain('fault backup');

  const servers = [1, 2].map(() => keepTelling(pool, { does: 'web', dataFolder: join(root, 'data') }));
  await expect.poll(() => about({}), { timeout: 15_000 }).toContain('fault two servers');
  for (const server of servers) await server.stop();
  expect(await about({})).not.toContain('fault two servers');

  for (const n of [1, 2, 3, 4, 5])
    await pool.query("insert into videos (id, name, origin, content_hash) values ($1, '', 'file', $2)", [
      `00000000a${n}`,
      `${n}`.padStart(64, '0'),
    ]);
  expect(await about({})).toContain('fault wrong pair');
  await pool.query("insert into migrations (name) values ('9999-of-tomorrow.sql')");
  expect(await about({})).toContain('fault version');
});

test('the command says each fault in a line, with what to do in the next, and ends with 1', () => {
  const env = { ...well, DATABASE_URL: 'postgres://127.0.0.1:1/rushes' };
  const done = spawnSync(process.execPath, [join(import.meta.dirname, 'doctor.ts')], { env, encoding: 'utf8' });
  expect(done.stdout).toMatch(/^FAULT {2}DATABASE_URL: no database answers there .+\n {7}Start it, or correct host and port/m);
  expect([done.status, done.stdout.trimEnd().split('\n').at(-1)]).toEqual([1, '1 problem found.']);
});

async function listen(serve: (socket: Socket) => void, host = '127.0.0.1'): Promise<{ server: Server; port: string }> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => serve(socket));
  });
  await once(server.listen(0, host), 'listening');
  return { server, port: String((server.address() as AddressInfo).port) };
}

/** What a database answers that the archive can work on, all in one row; without letters for no. */
const usable = { number: '150000', version: '15.0', role: 'app', isStandby: '', makesTables: 't', ownsTables: 't' };

/** As much of the protocol as it takes to be taken for a PostgreSQL, of 2020, which no package source has any more, or behind a pooler: it answers this row to everything. */
function speakAsPostgres(row: Record<string, string>): (socket: Socket) => void {
  const message = (type: string, body: Buffer) => {
    const head = Buffer.alloc(5);
    head.write(type);
    head.writeInt32BE(body.length + 4, 1);
    return Buffer.concat([head, body]);
  };
  const ready = message('Z', Buffer.from('I'));
  // Columns: name, table, column, type 25 (text), size, modifier, format.
  const column = (name: string) =>
    Buffer.concat([Buffer.from(`${name}\0`), Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 25, 255, 255, 255, 255, 255, 255, 0, 0])]);
  const value = (text: string) => Buffer.concat([Buffer.from([0, 0, 0, text.length]), Buffer.from(text)]);
  const count = Buffer.from([0, Object.keys(row).length]);
  const answer = Buffer.concat([
    message('T', Buffer.concat([count, ...Object.keys(row).map(column)])),
    message('D', Buffer.concat([count, ...Object.values(row).map(value)])),
    message('C', Buffer.from('SELECT 1\0')),
    ready,
  ]);
  return (socket) => {
    socket.write(Buffer.concat([message('R', Buffer.from([0, 0, 0, 0])), ready]));
    socket.on('data', (asked) => {
      if (asked.toString('latin1', 0, 1) === 'Q') socket.write(answer);
    });
  };
}
