import { afterAll, beforeAll, expect, test } from 'vitest';
import { putReport } from '../put-report.ts';
import { wantsWholeCorpus } from '../whole-corpus.ts';
import { runCorrectionKills } from './correction-rounds.ts';
import { nothingWrong } from './kill-figures.ts';
import { type KillableArchive, openKillableArchive } from './killable-archive.ts';

const rounds = wantsWholeCorpus ? 80 : 4;
let archive: KillableArchive;
beforeAll(async () => {
  archive = await openKillableArchive();
}, 120_000);
afterAll(() => archive.close());

test('kill -9 while an editor corrects line after line loses no correction that was acknowledged, and doubles none', {
  timeout: 3_600_000,
}, async ({ task }) => {
  const figures = await runCorrectionKills(archive, { rounds, seed: 15, print: (line) => console.info(`corrections: ${line}`) });
  putReport(task, { check: 'kills', scene: 'corrections', ...figures });
  expect(figures).toEqual({ rounds, ...nothingWrong });
});
