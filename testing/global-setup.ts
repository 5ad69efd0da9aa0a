import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type LocalPg, startLocalPg } from '#domain/db/own-postgres/local-pg.ts';
import { findFfmpeg } from './find-ffmpeg.ts';
import { endSharedS3Server } from './shared-s3-server.ts';

/**
 * One PostgreSQL for a whole run of tests, in a folder of its own: runs beside each other never meet, and nothing stays behind. And one
 * ffmpeg, whichever version it is.
 */
export async function setup(): Promise<() => Promise<void>> {
  const ffmpeg = findFfmpeg();
  if (ffmpeg) process.env.FFMPEG_PATH = ffmpeg;
  const folder = mkdtempSync(join(folderInMemory() ?? tmpdir(), 'rushes-test-pg-'));
  process.env.RUSHES_TEST_PG = folder;
  const server = await startLocalPg(folder, { tied: true });
  await doWithoutDisk(server);
  return async () => {
    await endSharedS3Server(folder);
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

/** Hundreds of databases, and their log until it is written over. */
const databasesMaxBytes = 4_000_000_000;

/** Where files lie in memory, where this machine has enough of it: each file of tests has a database, which is hundreds of small files. */
function folderInMemory(): string | undefined {
  const folder = '/dev/shm';
  if (!existsSync(folder)) return undefined;
  const { bavail, bsize } = statfsSync(folder);
  return Math.min(bavail * bsize, freemem()) > databasesMaxBytes ? folder : undefined;
}

/** Has the database wait for no disk. What is committed outlives every process that is killed; only a power cut would take it. */
async function doWithoutDisk({ superuser }: LocalPg): Promise<void> {
  const client = new pg.Client({ ...superuser, database: 'postgres' });
  await client.connect();
  try {
    for (const setting of ['fsync', 'full_page_writes']) await client.query(`alter system set ${setting} = off`);
    await client.query('select pg_reload_conf()');
  } finally {
    await client.end();
  }
}
