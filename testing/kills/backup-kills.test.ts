import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { putReport } from '../put-report.ts';
import { wantsWholeCorpus } from '../whole-corpus.ts';
import { runBackupKills } from './backup-rounds.ts';
import { nothingWrong } from './kill-figures.ts';
import { type KillableArchive, openKillableArchive } from './killable-archive.ts';

const rounds = wantsWholeCorpus ? 20 : 1;
let archive: KillableArchive;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rushes-kill-backups-'));
  archive = await openKillableArchive();
}, 120_000);
afterAll(async () => {
  await archive.close();
  rmSync(folder, { recursive: true, force: true });
});

test('kill -9 of a backup leaves no snapshot that is not whole, and the next one ends well', { timeout: 1_800_000 }, async ({ task }) => {
  const print = (line: string) => console.info(`backup: ${line}`);
  const figures = await runBackupKills(archive, { rounds, seed: 3, folder: join(folder, 'backups'), print });
  putReport(task, { check: 'kills', scene: 'backup', ...figures });
  expect(figures).toEqual({ rounds, ...nothingWrong });
});
