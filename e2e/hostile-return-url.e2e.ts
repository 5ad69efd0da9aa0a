import { z } from 'zod';
import { readCorpus } from '#testing/corpus/read-corpus.ts';
import { corpusSample } from './corpus-sample.ts';
import { expect, signInAs, test } from './journey.ts';

const Entry = z.object({
  id: z.string(),
  cls: z.string(),
  enc: z.string().optional(),
  rawQuery: z.string().optional(),
  expect: z.enum(['keep', 'fallback']),
  result: z.string(),
});

test('a returnUrl never leaves the site: the page goes to a page of ours or to /', async ({ page, archive }) => {
  const { chosen, leftOut } = corpusSample(readCorpus('open-redirect', Entry));
  test.setTimeout(60_000 + chosen.length * 2_000);
  await page.goto('/login');
  await signInAs(page, 'Ada Admin');
  const faults: string[] = [];
  for (const entry of chosen) {
    await page.goto(`/login?${entry.rawQuery ?? `returnUrl=${entry.enc}`}`);
    await page
      .waitForURL((url) => url.pathname !== '/login', { timeout: 10_000 })
      .catch(() => faults.push(`${entry.id}: stayed at ${page.url()}`));
    const landed = new URL(page.url());
    if (landed.origin !== archive.origin) faults.push(`${entry.id}: left to ${landed.href}`);
    if (await page.evaluate(() => '__xss' in window)) faults.push(`${entry.id}: a script ran`);
    const path = landed.pathname + landed.search + landed.hash;
    if (path !== entry.result) faults.push(`${entry.id}: landed on ${path}, not on ${entry.result}`);
  }
  expect(faults).toEqual([]);
  const report = { check: 'redirects', runs: chosen.length, leftOut, escapes: faults.length };
  test.info().annotations.push({ type: 'report', description: JSON.stringify(report) });
});
