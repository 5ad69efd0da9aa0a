import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { S3Settings } from '#domain/files/s3/s3-settings.ts';
import { endPart, hasCeph, makeBucket, startS3Server } from './s3-server.ts';
import { until } from './until.ts';

const Note = z.object({ endpoint: z.string(), pids: z.array(z.number()) });

/** An empty bucket of a gateway that a whole run of tests shares, started by whoever needs it first; null where there is none to be had. */
export async function newBucket(): Promise<S3Settings | null> {
  const run = process.env.RUSHES_TEST_PG;
  if (run === undefined || !hasCeph()) return null;
  const { endpoint } = await noteIn(run);
  return await makeBucket(endpoint, `bucket-${randomUUID()}`);
}

async function noteIn(run: string): Promise<z.infer<typeof Note>> {
  const file = join(run, 's3.json');
  try {
    mkdirSync(join(run, 's3-starting'));
    const { endpoint, pids } = await startS3Server(join(run, 's3'));
    writeFileSync(`${file}.new`, JSON.stringify({ endpoint, pids }));
    renameSync(`${file}.new`, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  await until(() => existsSync(file), { withinMs: 120_000 });
  return Note.parse(JSON.parse(readFileSync(file, 'utf8')));
}

/** Ends it with the run. */
export async function endSharedS3Server(run: string): Promise<void> {
  const file = join(run, 's3.json');
  if (!existsSync(file)) return;
  // Nobody asks for what it holds.
  for (const pid of Note.parse(JSON.parse(readFileSync(file, 'utf8'))).pids) await endPart(pid, 'SIGKILL');
}
