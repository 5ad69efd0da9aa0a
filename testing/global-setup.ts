import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLocalPg } from '#domain/db/own-postgres/local-pg.ts';
import { findFfmpeg } from './find-ffmpeg.ts';

/**
 * One PostgreSQL for a whole run of tests, in a folder of its own: runs beside each other never meet, and nothing stays behind. And one
 * ffmpeg, whichever version it is.
 */
export async function setup(): Promise<() => Promise<void>> {
  const ffmpeg = findFfmpeg();
  if (ffmpeg) process.env.FFMPEG_PATH = ffmpeg;
  const folder = mkdtempSync(join(tmpdir(), 'rushes-test-pg-'));
  process.env.RUSHES_TEST_PG = folder;
  const server = await startLocalPg(folder, { tied: true });
  return async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
