import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '#testing/free-port.ts';
import { processesOf, startByNpm, startToEnd } from '#testing/npm-archive.ts';
import { until } from '#testing/until.ts';
import { writeTestPages } from '#testing/write-test-pages.ts';

const scratch = mkdtempSync(join(tmpdir(), 'rushes-start-'));
const dataFolder = join(scratch, 'data');
const pagesFolder = join(scratch, 'pages');
const port = await freePort();
const origin = `http://localhost:${port}`;

beforeAll(() => writeTestPages(pagesFolder));

afterAll(async () => {
  await untilNothingRuns();
  rmSync(scratch, { recursive: true, force: true });
});

test('SIGTERM to npm ends the server, the worker and the database, and the next start finds everything', {
  timeout: 120_000,
}, async () => {
  await startAndStop();
  await startAndStop();
});

test('a start that is told to stop before it is over ends and leaves nothing', { timeout: 120_000 }, async () => {
  const fresh = join(scratch, 'fresh');
  const npm = startByNpm(settings({ RUSHES_DATA: fresh }));
  await until(() => processesOf(fresh).find((one) => /\/(postgres|initdb) -D/.test(one.command)));
  npm.kill('SIGTERM');
  await until(() => processesOf(fresh).length === 0);
});

test('npm killed by kill -9 leaves no server behind', { timeout: 120_000 }, async () => {
  const npm = startByNpm(settings());
  await untilPage();
  npm.kill('SIGKILL');
  await untilNothingRuns();
});

const parts = [
  { part: 'the shell between', command: /^sh -c/ },
  { part: 'the server', command: /^\S*node (--\S+ )*commands\/start\.ts/ },
  { part: 'the worker', command: /^\S*node \S*commands\/worker\.ts/ },
  { part: 'the database', command: /\/postgres -D/ },
];

test.each(parts)('kill -9 of $part is survived by the next start', { timeout: 120_000 }, async ({ command }) => {
  const first = startByNpm(settings());
  await untilPage();
  const victim = await until(() => processesOf(dataFolder).find((one) => command.test(one.command)));
  process.kill(victim.pid, 'SIGKILL');
  first.kill('SIGTERM');
  await untilNothingRuns();
  await startAndStop();
});

test('a port in use is told in one line', async () => {
  const other = createServer();
  await new Promise<void>((done) => other.listen({ host: 'localhost', port }, done));
  try {
    const { status, stderr } = startToEnd(settings());
    expect(stderr).toBe(`Port ${port} is in use. Stop the program that uses it, or take another port: PORT=${port + 1} npm start\n`);
    expect(status).toBe(1);
  } finally {
    other.close();
  }
});

test('a folder that cannot be written to is told in one line', () => {
  const folder = join(pagesFolder, 'index.html', 'data');
  const { status, stderr } = startToEnd(settings({ RUSHES_DATA: folder }));
  expect(stderr).toBe(`RUSHES_DATA: cannot write to ${folder} (ENOTDIR). Change its owner, or name another folder.\n`);
  expect(status).toBe(1);
});

test('every wrong variable is told, each in a line of its own', () => {
  const { status, stderr } = startToEnd(settings({ PORT: '99999', RUSHES_ROLES: 'all', DATABASE_URL: 'mysql://user:secret@host/db' }));
  expect(stderr.trim().split('\n')).toEqual([
    'PORT must be at most 65535 (it is "99999")',
    'DATABASE_URL must begin with postgres://',
    'RUSHES_ROLES must be web, ingest or both (it is "all")',
  ]);
  // With this code systemd does not start it again; with 1, as below, it does.
  expect(status).toBe(78);
});

test('a setting that the worker alone can refuse ends the start in the same way', { timeout: 120_000 }, () => {
  const { status, stderr } = startToEnd(settings({ RUSHES_WATCH: dataFolder }));
  expect(stderr).toContain('must not contain each other');
  expect(status).toBe(78);
});

test('what no setting can mend at once, such as a tool that is missing, ends the start with a code after which it is tried again', {
  timeout: 120_000,
}, () => {
  const { status, stderr } = startToEnd(settings({ FFMPEG_PATH: join(scratch, 'not-mounted') }));
  expect(stderr).toContain('ffmpeg and ffprobe are not there');
  expect(status).toBe(1);
});

test('a database that does not answer is told in one line', () => {
  const { status, stderr } = startToEnd(settings({ DATABASE_URL: 'postgres://app@127.0.0.1:9/rushes' }));
  expect(stderr).toMatch(/^DATABASE_URL: the database cannot be used \(.*ECONNREFUSED.*\)\. Start it or correct the address\.\n$/);
  expect(status).toBe(1);
});

/** A start that comes up, and goes down as it was told. */
async function startAndStop(): Promise<void> {
  const npm = startByNpm(settings());
  await untilPage();
  npm.kill('SIGTERM');
  await untilNothingRuns();
}

function settings(more: Record<string, string> = {}): Record<string, string> {
  return { RUSHES_DATA: dataFolder, RUSHES_PAGES: pagesFolder, RUSHES_SAMPLES: '0', PORT: String(port), ...more };
}

async function untilPage(): Promise<void> {
  await until(async () => (await fetch(origin).catch(() => undefined))?.status === 200);
}

async function untilNothingRuns(): Promise<void> {
  await until(() => processesOf(dataFolder).length === 0, {
    otherwise: () => `These still run: ${JSON.stringify(processesOf(dataFolder))}`,
  });
}
