import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startLocalPg } from '#domain/db/own-postgres/local-pg.ts';
import { runTool } from '#ingest/tools/run-tool.ts';
import { findSandbox } from '#ingest/tools/sandbox.ts';
import { walls } from '#ingest/tools/standing-walls.ts';
import { putReport } from '../put-report.ts';

const script = join(import.meta.dirname, 'would-be-decoder.mjs');
let archive: string;
let goals: Record<string, string | number>;
const server = createServer((socket) => socket.end());
let stopDatabase: () => Promise<void>;

beforeAll(async () => {
  archive = await mkdtemp(join(tmpdir(), 'rushes-walls-'));
  const film = join(archive, 'media', 'aa', 'own', 'original');
  for (const name of ['own', 'another']) {
    await mkdir(join(archive, 'media', 'aa', name), { recursive: true });
    await writeFile(join(archive, 'media', 'aa', name, 'original'), name);
  }
  await writeFile(join(archive, 'secrets.json'), 'secret');
  const database = await startLocalPg(join(archive, 'pg'), { tied: true });
  stopDatabase = database.stop;
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  goals = { archive, film, port, socket: join(database.application.host, '.s.PGSQL.5432'), workerPid: process.pid };
  vi.stubEnv('RUSHES_TEST_SECRET', 'secret');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  server.close();
  await stopDatabase();
  await rm(archive, { recursive: true, force: true });
});

test('a decoder in a stranger’s hands reaches nothing of the archive, its database, its network or its worker', {
  timeout: 120_000,
}, async ({ task, skip }) => {
  const args = [script, JSON.stringify(goals)];
  // What there is to reach, or the rest would prove nothing.
  const free = await runTool({ command: process.execPath, args, env: { RUSHES_TEST_SECRET: 'secret' }, timeoutMs: 60_000 });
  expect(linesOf(free.stdout)).toEqual(
    expect.arrayContaining(['secrets.json', 'another film', 'the database', 'a listener on this machine']),
  );
  if (process.platform !== 'linux') {
    putReport(task, { check: 'sandbox', skipped: 'only Linux holds decoders' });
    skip('only Linux holds decoders');
  }
  const sandbox = await findSandbox(archive);
  const film = String(goals.film);
  await chmod(film, 0o600);
  const limits = { memoryBytes: 2 ** 30, cpuSeconds: 60, fileBytes: 1_000_000 };
  const call = { command: process.execPath, args, programs: [script], inputs: [film], outputs: [], limits };
  const held = await sandbox.run(call, { timeoutMs: 60_000 });
  putReport(task, { check: 'sandbox', walls: sandbox.walls, reached: linesOf(held.stdout).length });
  expect(held.exitCode).toBe(0);
  expect(linesOf(held.stdout)).toEqual([]);
  expect(sandbox.walls).toEqual(walls);
});

function linesOf(text: string): string[] {
  return text.split('\n').filter(Boolean);
}
