import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startArchive } from '#testing/running-archive.ts';
import { azureAccountToken, azureFilm, startStandInAzure } from '#testing/stand-in-azure.ts';
import { createTestDatabase } from '#testing/test-database.ts';
import { test as base, enterAs, expect, expectAccessible, type JourneyArchive, takePicture } from './journey.ts';

/** Films lie at something that answers as Azure AI Video Indexer does; pages, people and roles are this archive's. */
const test = base.extend<object, { archive: JourneyArchive }>({
  archive: [
    async ({ browserName: _ }, use) => {
      const [azure, database] = [await startStandInAzure(), await createTestDatabase()];
      const dataFolder = mkdtempSync(join(tmpdir(), 'rushes-at-azure-'));
      const running = await startArchive({ dataFolder, databaseUrl: database.url, env: azure.settings });
      await use({ ...running, database, dataFolder });
      await running.stop();
      await database.drop();
      azure.stop();
      rmSync(dataFolder, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
});

test('films that lie at Azure are searched by guests, and watched in its frames at the second by who may', async ({ page, archive }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(`${request.url()} ${JSON.stringify(request.headers())}`));
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 3, name: 'Harbour lights' })).toBeVisible();
  // That service puts films in one order and leaves none out.
  await expect(page.getByRole('combobox', { name: 'Sort by' })).toHaveCount(0);
  await page.getByRole('combobox', { name: 'Search the archive' }).fill('harbour');
  await page.keyboard.press('Enter');
  const card = page.getByRole('article').filter({ has: page.getByRole('heading', { name: 'Harbour lights' }) });
  const moment = card.getByRole('link').filter({ hasText: 'The harbour lights came on' });
  await expect(moment.locator('mark').first()).toHaveText('harbour');
  await expect(card).toContainText('Ann Archer');
  const kinds = page.getByRole('group', { name: 'Match types' });
  await expect(kinds).toContainText('Spoken text');
  await expect(kinds.getByRole('button')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Filters' })).toHaveCount(0);
  await takePicture(page, 'azure-search');
  await expectAccessible(page);
  await moment.click();
  await expect(page.getByRole('dialog')).toContainText('Sign in');

  await enterAs(page, archive, { viewer: true });
  await page.goto('/search?query=harbour&skip=0');
  await moment.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Harbour lights' })).toBeVisible();
  const frame = (kind: string) => page.locator(`iframe[src*="/embed/${kind}/"]`);
  const addressOf = async (kind: string) => new URL((await frame(kind).getAttribute('src')) ?? '');
  for (const kind of ['player', 'insights']) {
    await expect(frame(kind)).toBeVisible();
    const { pathname, origin } = await addressOf(kind);
    expect([pathname.split('/').filter(Boolean).at(-1), origin === archive.origin]).toEqual([azureFilm, false]);
  }
  expect((await addressOf('player')).searchParams.get('t')).toBe('26');
  await takePicture(page, 'azure-video');
  expect(asked.filter((one) => one.includes(azureAccountToken))).toEqual([]);
});

test('what opens a film here is never told to the frames of Azure, also when it is renewed', async ({ page, archive }) => {
  const heard: string[] = [];
  page.on('console', (line) => heard.push(line.text()));
  await page.addInitScript(() => window.addEventListener('message', ({ data }) => console.info(`heard ${JSON.stringify(data)}`)));
  await page.clock.install();
  await enterAs(page, archive, { viewer: true });
  await page.goto(`/video/${azureFilm}`);
  await expect(page.locator('iframe[src*="/embed/player/"]')).toBeVisible();
  const renewed = page.waitForResponse((answer) => answer.url().includes('/api/GetVideoIndexerVideoAccessTokenV2/'));
  await page.clock.runFor(3_600_000);
  await renewed;
  // What is told after it comes after it.
  await page.evaluate(() => document.documentElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', bubbles: true })));
  await expect.poll(() => heard.some((line) => line.startsWith('heard ') && line.includes('"command"'))).toBe(true);
  expect(heard.filter((line) => line.startsWith('heard ') && line.includes('accessToken'))).toEqual([]);
});

test('the status tells of nothing that is done with films elsewhere', async ({ page, archive }) => {
  await enterAs(page, archive, { admin: true });
  await page.goto('/admin/status');
  await expect(page.getByRole('heading', { name: 'Database' })).toBeVisible();
  for (const name of ['Waiting work', 'Files', 'Search index', 'Engines']) await expect(page.getByRole('heading', { name })).toHaveCount(0);
  await expect(page.getByRole('main')).not.toContainText(/being built|index version/);
});
