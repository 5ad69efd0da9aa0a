import { z } from 'zod';
import { readCorpus } from '#testing/corpus/read-corpus.ts';
import { corpusSample } from './corpus-sample.ts';
import { expect, test } from './journey.ts';

const Entry = z.object({
  id: z.string(),
  cls: z.string(),
  enc: z.string().optional(),
  repeat: z.object({ unit: z.string(), times: z.number() }).optional(),
});

test('text is never code: hostile queries are shown as they are, and no script of theirs runs', async ({ page }) => {
  const { chosen, leftOut } = corpusSample(readCorpus('search-queries', Entry));
  test.setTimeout(60_000 + chosen.length * 2_000);
  const faults: string[] = [];
  let at = '';
  page.on('pageerror', (error) => faults.push(`${at}: ${error.message}`));
  page.on('dialog', async (dialog) => {
    faults.push(`${at}: a dialog opened`);
    await dialog.dismiss();
  });
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) faults.push(`${at}: ${message.text()}`);
  });
  for (const entry of chosen) {
    at = entry.id;
    const encoded = entry.enc ?? encodeURIComponent((entry.repeat?.unit ?? '').repeat(entry.repeat?.times ?? 0));
    const answer = await page.goto(`/search?query=${encoded}&skip=0`);
    // An address that is too long is refused before any page.
    if (answer && answer.status() >= 414) continue;
    await expect(page.getByRole('heading', { level: 1 }), at).toHaveText(/Showing all videos|Showing results for|No matches found/);
    if (await page.evaluate(() => '__xss' in window)) faults.push(`${at}: a script ran`);
    // In the heading; where a word was read as another one, in the line below that offers the search as it was written.
    const shown = await page.getByRole('main').innerText();
    if (entry.cls === 'xss' && !squeezed(shown).includes(squeezed(decodeURIComponent(encoded)))) faults.push(`${at}: shown as ${shown}`);
  }
  expect(faults).toEqual([]);
  test.info().annotations.push({
    type: 'report',
    description: JSON.stringify({ check: 'text', runs: chosen.length, leftOut, faults: faults.length }),
  });
});

test('the check of hostile text can fail: a page that writes markup runs it', async ({ page }) => {
  await page.route('**/search?*', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<h1>Showing results for <img src=x onerror="window.__xss=1"></h1>' }),
  );
  await page.goto('/search?query=x&skip=0');
  await expect.poll(() => page.evaluate(() => '__xss' in window)).toBe(true);
});

test('a spelling that is offered in letters written from the right has its count behind it, as any other', async ({ page }) => {
  await page.route('**/Videos/Search?*', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), nearest: [{ text: 'שלום', videos: 3 }] } });
  });
  await page.goto('/search?query=zzyzzx&skip=0');
  const spelling = page.getByRole('link', { name: 'שלום' });
  await expect(spelling.locator('..')).toHaveText('שלום? 3 videos');
  const { end, count } = await spelling.evaluate((link) => {
    const digit = new Range();
    const behind = link.nextSibling ?? link;
    digit.setStart(behind, '? '.length);
    digit.setEnd(behind, '? 3'.length);
    return { end: link.getBoundingClientRect().right, count: digit.getBoundingClientRect().left };
  });
  expect(count).toBeGreaterThan(end);
});

function squeezed(text: string): string {
  return text.replace(/\s+/g, '');
}
