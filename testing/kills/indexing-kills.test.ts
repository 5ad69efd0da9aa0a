import { expect, test } from 'vitest';
import { putReport } from '../put-report.ts';
import { wantsWholeCorpus } from '../whole-corpus.ts';
import { runKillRounds } from './indexing-rounds.ts';

const rounds = wantsWholeCorpus ? 100 : 3;

test('kill -9 of index, worker, server or database at any step of indexing loses nothing, and doubles nothing', {
  timeout: rounds * 120_000,
}, async ({ task }) => {
  const { steps, ...figures } = await runKillRounds({ rounds, seed: 4, print: (line) => console.info(line) });
  console.info(Object.fromEntries([...steps].toSorted()));
  putReport(task, { check: 'kills', scene: 'indexing', ...figures });
  expect(figures).toEqual({ rounds, lost: 0, twice: 0, disagreements: 0 });
});
