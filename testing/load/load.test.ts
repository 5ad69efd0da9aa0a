import { afterAll, beforeAll, expect, test } from 'vitest';
import { putReport } from '../put-report.ts';
import { until } from '../until.ts';
import { wantsWholeCorpus } from '../whole-corpus.ts';
import { type AttackedArchive, startAttackedArchive } from './attacked-archive.ts';
import { costlySearches, manySearches, slowConnections } from './attacks.ts';
import { type Fared, othersSearch } from './others-search.ts';

const check = 'load';
const ratioMax = 3;
/** Of what the server held before anybody attacked it: an idle collector leaves much of what it could give back. */
const memoryMax = 2;
const backWithinMs = 60_000;
const size = wantsWholeCorpus ? { films: 1_000, lines: 300 } : { films: 40, lines: 40 };
const times = wantsWholeCorpus ? 500 : 20;
const attacks = Object.entries({ 'slow-connections': slowConnections, 'many-searches': manySearches, 'costly-searches': costlySearches });
const hasNetworks = process.platform === 'linux';
const why = 'this machine has no second network of its own';

let archive: AttackedArchive;
let idle: Fared;
let beforeMB: number;
beforeAll(async () => {
  if (!hasNetworks) return;
  archive = await startAttackedArchive(size);
  await othersSearch(archive, { times: Math.min(100, times), seed: 1 });
  idle = await othersSearch(archive, { times, seed: 2 });
  beforeMB = archive.rssMB();
}, 400_000);
afterAll(() => archive?.stop());

// npm test looks at one of them; the others differ in what is asked, and take minutes.
test.for(wantsWholeCorpus ? attacks : attacks.slice(0, 1))(
  'while one network does its worst (%s), another one searches as before, and memory comes back',
  { timeout: 400_000 },
  async ([attack, begin], { task, skip }) => {
    if (!hasNetworks) {
      putReport(task, { check, attack, skipped: why });
      skip(why);
    }
    const end = await begin(archive);
    const attacked = await othersSearch(archive, { times, seed: 3 }).finally(end);
    const peakMB = archive.rssMB();
    const isBack = () => archive.rssMB() <= beforeMB * memoryMax;
    const memoryBack = await until(isBack, { withinMs: backWithinMs, everyMs: 1_000 }).catch(() => false);
    const othersP95Ratio = Math.round((attacked.p95Ms / Math.max(1, idle.p95Ms)) * 100) / 100;
    const errors = idle.errors + attacked.errors;
    const memory = { beforeMB, peakMB, afterMB: archive.rssMB() };
    putReport(task, {
      check,
      attack,
      searches: attacked.searches,
      idleP95Ms: idle.p95Ms,
      p95Ms: attacked.p95Ms,
      othersP95Ratio,
      errors,
      ...memory,
    });
    expect([errors, memoryBack]).toEqual([0, true]);
    if (wantsWholeCorpus) expect(othersP95Ratio).toBeLessThanOrEqual(ratioMax);
  },
);
