import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AttackedArchive, startAttackedArchive } from '../load/attacked-archive.ts';
import { costlySearches } from '../load/attacks.ts';
import { othersSearch } from '../load/others-search.ts';
import { putReport } from '../put-report.ts';
import { wantsWholeCorpus } from '../whole-corpus.ts';

const check = 'costly-search';
const ratioMax = 3;
const size = wantsWholeCorpus ? { films: 1_000, lines: 300 } : { films: 60, lines: 60 };
const times = wantsWholeCorpus ? 300 : 40;
/** Elsewhere a machine has one loopback address, and everybody comes from one network. */
const hasNetworks = process.platform === 'linux';

let archive: AttackedArchive;
beforeAll(async () => {
  if (hasNetworks) archive = await startAttackedArchive(size);
}, 300_000);
afterAll(() => archive?.stop());

test('whatever one network asks for, another one searches as before', { timeout: 300_000 }, async ({ task, skip }) => {
  if (!hasNetworks) {
    putReport(task, { check, skipped: 'this machine has no second network of its own' });
    skip('this machine has no second network of its own');
  }
  await othersSearch(archive, { times: 40, seed: 1 });
  const idle = await othersSearch(archive, { times, seed: 2 });
  const end = await costlySearches(archive);
  const attacked = await othersSearch(archive, { times, seed: 3 }).finally(end);
  const othersP95Ratio = Math.round((attacked.p95Ms / Math.max(1, idle.p95Ms)) * 100) / 100;
  const errors = idle.errors + attacked.errors;
  putReport(task, { check, othersP95Ratio, errors, idleP95Ms: idle.p95Ms, p95Ms: attacked.p95Ms, searches: attacked.searches });
  expect(errors).toBe(0);
  // A sample of searches in a small archive says nothing of times.
  if (wantsWholeCorpus) expect(othersP95Ratio).toBeLessThanOrEqual(ratioMax);
});
