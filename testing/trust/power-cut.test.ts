import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { findProgram, isMissing } from '../find-program.ts';
import { ownEnvironment } from '../own-environment.ts';
import { putReport } from '../put-report.ts';
import { createTestDatabase } from '../test-database.ts';
import { unsyncedFiles } from './replay-syscalls.ts';

const root = resolve(import.meta.dirname, '..', '..');
const film = join(root, 'samples', 'Harbour at dusk.mp4');
const calls = 'fsync,fdatasync,rename,renameat,renameat2,write,writev,pwrite64,pwritev';
/** A film is acknowledged with its record, each step with its state. */
const acknowledges = /insert into videos |set state = 'done'/;

test('every file of a film, and its name, is on the disk before the database is told of it', { timeout: 180_000 }, async ({
  task,
  skip,
}) => {
  if (!findProgram('strace')) {
    putReport(task, { check: 'power-cut', skipped: isMissing('strace') });
    skip(isMissing('strace'));
  }
  const scratch = mkdtempSync(join(tmpdir(), 'rushes-power-'));
  const database = await createTestDatabase();
  try {
    const dataFolder = join(scratch, 'data');
    await traceImport(join(scratch, 'trace'), { RUSHES_DATA: dataFolder, DATABASE_URL: database.url });
    const files = filesBelow(join(dataFolder, 'media'));
    const unsynced = unsyncedFiles(readFileSync(join(scratch, 'trace'), 'latin1'), { root: dataFolder, files, acknowledges });
    putReport(task, { check: 'power-cut', unsynced: unsynced.length });
    expect(files.map((path) => path.replace(/.*\/(\w{10}\/)/, ''))).toEqual(
      expect.arrayContaining([
        'original',
        'poster.jpg',
        'frames.pack',
        'storyboard.jpg',
        'captions.vtt',
        'sidecars/facts.json',
        'hls/master.m3u8',
      ]),
    );
    expect(unsynced).toEqual([]);
  } finally {
    await database.drop();
    rmSync(scratch, { recursive: true, force: true });
  }
});

async function traceImport(traceFile: string, settings: Record<string, string>): Promise<void> {
  const command = [process.execPath, join(root, 'commands', 'import.ts'), film];
  const args = ['-f', '-y', '-s', '160', '--seccomp-bpf', '-e', `trace=${calls}`, '-o', traceFile, ...command];
  const traced = spawn('strace', args, { env: ownEnvironment(settings), stdio: ['ignore', 'ignore', 'inherit'] });
  const [exitCode] = await once(traced, 'exit');
  expect(exitCode).toBe(0);
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
