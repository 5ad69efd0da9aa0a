import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startPreparedArchive } from '#testing/prepared-archive.ts';
import { test as base, expect, type JourneyArchive, preparedArchive } from './journey.ts';

const root = resolve(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'rushes-records-'));

/** An archive with 30 catalogue records besides the sample films, brought in by the real command. */
const test = base.extend<object, { archive: JourneyArchive }>({
  archive: [
    async ({ browserName: _ }, use) => {
      const archive = await startPreparedArchive(preparedArchive());
      const file = join(folder, 'records.jsonl');
      writeFileSync(file, Array.from({ length: 30 }, (_unused, n) => JSON.stringify(record(n + 1))).join('\n'));
      importTranscripts(archive, file);
      await use(archive);
      await archive.stop();
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
});

test('2.4 4.3 results load more by scrolling, are appended, and end with a sentence', async ({ page }) => {
  const skips: string[] = [];
  const anchors: (string | null)[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (!url.pathname.endsWith('/Videos/Search') || url.searchParams.get('query') !== 'lighthouse keeper') return;
    skips.push(url.searchParams.get('skip') ?? '');
    anchors.push(url.searchParams.get('createdBefore'));
  });
  await page.goto('/search?query=lighthouse+keeper&skip=0');
  const cards = page.getByRole('article');
  await expect(cards).toHaveCount(12);
  const first = await cards.first().innerText();
  await page.getByRole('button', { name: /load more/i }).scrollIntoViewIfNeeded();
  await expect(cards).toHaveCount(24);
  expect(await cards.first().innerText()).toBe(first);
  await page.mouse.wheel(0, 20_000);
  await expect(page.getByText('No more results found')).toBeVisible();
  const names = await cards.getByRole('heading').allInnerTexts();
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => name.startsWith('Keeper tape'))).toHaveLength(30);
  expect(skips.slice(0, 3)).toEqual(['0', '12', '24']);
  expect(anchors[0]).toBeNull();
  expect(new Set(anchors.slice(1)).size).toBe(1);
});

test('4.3 a new query resets the list', async ({ page }) => {
  await page.goto('/search?query=lighthouse+keeper&skip=0');
  await expect(page.getByRole('article')).toHaveCount(12);
  const box = page.getByRole('combobox', { name: 'Search the archive' });
  await box.fill('"keeper tape 7"');
  await box.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('keeper tape 7');
  await expect(page.getByRole('article').first()).toContainText('Keeper tape 7');
  await expect(page.getByRole('article')).not.toHaveCount(12);
});

test('8.2 when a page of results fails, loading ends and the load-more control offers the retry', async ({ page }) => {
  let broken = true;
  await page.route('**/Videos/Search*skip=12*', async (route) => {
    if (broken) await route.fulfill({ status: 500, contentType: 'application/json', body: '{"ErrorType":"GENERAL","Message":"x"}' });
    else await route.continue();
  });
  const logged: string[] = [];
  page.on('console', (message) => logged.push(message.text()));
  await page.goto('/search?query=lighthouse+keeper&skip=0');
  await expect(page.getByRole('article')).toHaveCount(12);
  await page.mouse.wheel(0, 20_000);
  const retry = page.getByRole('button', { name: /try again/i });
  await expect(retry).toBeEnabled();
  expect(logged.join('\n')).toContain('search');
  broken = false;
  await retry.click();
  await expect(page.getByRole('article')).not.toHaveCount(12);
});

test('4.3 load-more is disabled while loading', async ({ page }) => {
  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/Videos/Search*skip=12*', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/search?query=lighthouse+keeper&skip=0');
  await expect(page.getByRole('article')).toHaveCount(12);
  await page.mouse.wheel(0, 20_000);
  await expect(page.getByRole('button', { name: /loading more/i })).toBeDisabled();
  answer();
  await expect(page.getByRole('article')).not.toHaveCount(12);
});

test('a catalogue record is searchable, and its page says that there is no playable copy', async ({ page }) => {
  await page.goto('/search?query=%22keeper+tape+7%22&skip=0');
  await page.getByRole('article').first().getByRole('link').first().click();
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Sign in with Google' }).click();
  await (await opened).getByText('Victor Viewer').click();
  await expect(page.getByRole('heading', { level: 1, name: 'Keeper tape 7' })).toBeVisible();
  await expect(page.frameLocator('iframe[src*="/embed/player/"]').getByText(/no playable copy/i)).toBeVisible();
});

function record(n: number): object {
  const lines = [
    { start: 2, end: 5, text: 'The lighthouse keeper wrote down the weather every evening.' },
    { start: 6, end: 9, text: `This is reel number ${n} of his diary.` },
  ];
  return { id: `keeper-${n}`, title: `Keeper tape ${n}`, language: 'en', durationSeconds: 60, people: [], brands: [], labels: [], lines };
}

function importTranscripts(archive: JourneyArchive, file: string): void {
  const env = { ...process.env, DATABASE_URL: archive.database.url, RUSHES_DATA: archive.dataFolder };
  const done = spawnSync(process.execPath, [join(root, 'ingest/import.ts'), '--transcripts', file], { env, encoding: 'utf8' });
  if (done.status !== 0) throw new Error(done.stdout + done.stderr);
}
