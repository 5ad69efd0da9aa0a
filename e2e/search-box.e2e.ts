import type { Page } from '@playwright/test';
import { indexIsBehind } from '#domain/search-index/find-videos-to-index.ts';
import { CatalogueRecord } from '#domain/videos/catalogue-record.ts';
import { createCatalogueVideos } from '#domain/videos/create-video.ts';
import { until } from '#testing/until.ts';
import { expect, expectAccessible, type JourneyArchive, takePicture, test } from './journey.ts';

test('2.14 9.2 typing is debounced by 220 ms: a fast word asks once', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.pathname.endsWith('/Partner/Breakdowns/Search')) asked.push(url.searchParams.get('query') ?? '');
  });
  await page.clock.install();
  await page.goto('/');
  const box = page.getByRole('combobox', { name: 'Search the archive' });
  await expect(box).toHaveAttribute('placeholder', 'Search the archive');
  await box.focus();
  // From here on time passes by our word alone.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
  for (const letter of 'harbour') {
    await page.keyboard.press(letter);
    await page.clock.runFor(100);
  }
  expect(asked).toEqual([]);
  await page.clock.runFor(119);
  expect(asked).toEqual([]);
  await page.clock.runFor(1);
  await expect.poll(() => asked).toEqual(['harbour']);
});

test('2.14 Enter goes to /search with query and skip=0; clear empties the box', async ({ page }) => {
  await page.goto('/');
  const box = page.getByRole('combobox', { name: 'Search the archive' });
  await expect(page.getByRole('button', { name: 'Clear search' })).toHaveCount(0);
  await box.fill('turn of the tide');
  await page.getByRole('button', { name: 'Clear search' }).click();
  await expect(box).toHaveValue('');
  await box.fill('turn of the tide');
  await box.press('Enter');
  await expect(page).toHaveURL('/search?query=turn+of+the+tide&skip=0');
});

test('a search made once more is asked again, is no further step back, and leads to the heading', async ({ page }) => {
  await page.goto('/');
  const box = page.getByRole('combobox', { name: 'Search the archive' });
  const heading = page.getByRole('heading', { level: 1 });
  await box.fill('harbour');
  await box.press('Enter');
  await expect(heading).toBeFocused();
  await expect(page.getByRole('article').first()).toBeVisible();
  const asked = page.waitForRequest('**/Videos/Search?*');
  await box.press('Enter');
  await asked;
  await expect(heading).toBeFocused();
  await expect(page.getByRole('article').first()).toBeVisible();
  // Without its filter it is another list, and has the same heading.
  await page.getByRole('group', { name: 'Match types' }).getByRole('button', { name: 'Title' }).click();
  await expect(page).toHaveURL(/kind=Title/);
  await box.press('Enter');
  await expect(page).toHaveURL('/search?query=harbour&skip=0');
  await expect(heading).toBeFocused();
  await page.goBack();
  await page.goBack();
  await expect(page).toHaveURL('/search?query=harbour&skip=0');
  await page.goBack();
  await expect(page).toHaveURL('/');
});

test('2.14 a spinner shows while suggestions load, in words where nothing may move', async ({ page }) => {
  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/Partner/Breakdowns/Search*', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/');
  await page.getByRole('combobox', { name: 'Search the archive' }).fill('harbour');
  const spinner = page.getByRole('search').locator('.spinner, [data-spinner], [aria-busy=true]').first();
  await expect(spinner).toBeVisible();
  const word = page.getByRole('search').getByText('Searching');
  const widthPx = async () => (await word.boundingBox())?.width;
  expect(await widthPx()).toBeGreaterThan(30);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await expect.poll(widthPx).toBe(1);
  answer();
  await expect(page.getByRole('listbox')).toBeVisible();
  await expect(spinner).toBeHidden();
});

test('suggestions complete the last word and open by the keyboard', async ({ page }) => {
  await page.goto('/');
  const box = page.getByRole('combobox', { name: 'Search the archive' });
  await box.fill('harb');
  await expect(page.getByRole('option').filter({ hasText: 'Harbour at dusk' }).first()).toBeVisible();
  await box.press('ArrowDown');
  await expect(box).toHaveAttribute('aria-activedescendant', /.+/);
  await box.press('Escape');
  await expect(page.getByRole('listbox')).toBeHidden();
});

const fill = (page: Page, text: string) => page.getByRole('combobox', { name: 'Search the archive' }).fill(text);
const option = (page: Page, text: string) => page.getByRole('option').filter({ hasText: text });
const partnerSearch = (text: string) => (url: URL) =>
  url.pathname.endsWith('/Partner/Breakdowns/Search') && url.searchParams.get('query') === text;

/** Films whose names and lines share a beginning that no sample film has. */
async function addQuincefilms({ database }: JourneyArchive): Promise<void> {
  const records = Array.from({ length: 5 }, (_, n) => ({
    id: `quince-${n}`,
    title: `Quince harvest, part ${n + 1}`,
    durationSeconds: 600,
    people: [`Quincy Marlow ${n}`, 'Quincer Ada'],
    brands: [{ name: `Quincel ${n}` }, { name: 'Quincette' }],
    lines: Array.from({ length: 5 }, (_unused, m) => ({ start: m * 60, end: m * 60 + 5, text: `quinces of row ${m} in part ${n + 1}` })),
  }));
  await createCatalogueVideos(
    database.pool,
    records.map((record) => CatalogueRecord.parse(record)),
  );
  await until(async () => !(await indexIsBehind(database.pool)), { withinMs: 20_000 });
}

test.afterEach(({ archive }) => archive.database.pool.query(`delete from videos where name like 'Quince harvest%'`));

test('2.14 search: at most three titles, people, brands and moments each, all within reach of the keyboard', async ({ page, archive }) => {
  await addQuincefilms(archive);
  await page.goto('/');
  const box = page.getByRole('combobox', { name: 'Search the archive' });
  await box.fill('quinc');
  for (const name of ['Titles', 'People', 'Brands', 'Moments']) {
    await expect(page.getByRole('group', { name }).getByRole('option'), name).toHaveCount(3);
  }
  await expect(page.getByRole('group', { name: 'Brands' }).getByRole('option').first()).toHaveText('Quincette5 videos');
  await expect(page.getByRole('group', { name: 'People' }).getByRole('option').first()).toHaveText('Quincer Ada5 videos');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expectAccessible(page, { include: '[role=search]' });
  }

  const list = page.getByRole('listbox', { name: 'Suggestions' });
  const rows = list.getByRole('option');
  const chosen = list.getByRole('option', { selected: true });
  for (let n = 0; n < 12; n++) {
    await box.press('ArrowDown');
    await expect(chosen).toHaveText((await rows.nth(n).textContent()) ?? '');
    await expect(box).toHaveAttribute('aria-activedescendant', (await chosen.getAttribute('id')) ?? '');
  }
  await box.press('ArrowDown');
  await expect(rows.first()).toHaveAttribute('aria-selected', 'true');
  await box.press('End');
  await expect(rows.last()).toHaveAttribute('aria-selected', 'true');
  await box.press('Home');
  await expect(rows.first()).toHaveAttribute('aria-selected', 'true');
  for (let n = 0; n < 6; n++) await box.press('ArrowDown');
  await box.press('Enter');
  await expect(page).toHaveURL(`/search?${new URLSearchParams({ query: 'brand:"Quincette"', skip: '0' })}`);
  await expect(page.getByRole('article')).toHaveCount(5);
});

test('2.14 the words that match stand in sight, however late in their line', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('combobox', { name: 'Search the archive' }).fill('last tram home');
  const row = page.getByRole('group', { name: 'Moments' }).getByRole('option').filter({ hasText: 'and this is its last' });
  const mark = row.locator('mark').first();
  await expect(mark).toBeVisible();
  for (const width of [1440, 1024]) {
    await page.setViewportSize({ width, height: 900 });
    const [text, marked] = [await row.locator('.option-text').boundingBox(), await mark.boundingBox()];
    expect((marked?.x ?? 0) + (marked?.width ?? 0), `${width}`).toBeLessThanOrEqual((text?.x ?? 0) + (text?.width ?? 0));
  }
});

test('2.14 a slow answer never takes the place of a newer one', async ({ page }) => {
  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route(partnerSearch('harbour'), async (route) => {
    const response = await route.fetch();
    await held;
    // The page may have given it up by now.
    await route.fulfill({ response }).catch(() => {});
  });
  await page.goto('/');
  const slow = page.waitForRequest((request) => partnerSearch('harbour')(new URL(request.url())));
  await fill(page, 'harbour');
  const request = await slow;
  const ended = new Promise<void>((resolve) => {
    page.on('requestfinished', (one) => one === request && resolve());
    page.on('requestfailed', (one) => one === request && resolve());
  });
  await fill(page, 'lighthouse');
  await expect(option(page, 'Lighthouse').first()).toBeVisible();
  const shown = await page.getByRole('option').allInnerTexts();
  answer();
  await ended;
  // Whatever the page makes of it has been drawn by the second frame.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  expect(await page.getByRole('option').allInnerTexts()).toEqual(shown);
});

test('2.14 suggestions that fail close the list without a word, and Enter still searches', async ({ page }) => {
  await page.goto('/');
  await fill(page, 'harb');
  await expect(page.getByRole('listbox')).toBeVisible();
  await page.route(partnerSearch('harbo'), (route) => route.fulfill({ status: 503, body: '{}' }));
  await fill(page, 'harbo');
  await expect(page.getByRole('listbox')).toBeHidden();
  await expect(page.getByRole('search').getByRole('status')).toHaveText('');
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/search?query=harbo&skip=0');
});

test('recent searches are a group of that name, each forgotten by a mark as large as a finger, and clearing them leaves the keys in the box', async ({
  page,
}) => {
  await page.addInitScript(() =>
    localStorage.setItem('rushes-recent-searches', JSON.stringify({ of: null, searches: ['harbour', 'tram', 'lighthouse'] })),
  );
  for (const [width, size] of [
    [390, 44],
    [1440, 40],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/');
    const box = page.getByRole('combobox', { name: 'Search the archive' });
    await box.click();
    const rows = page.getByRole('group', { name: 'Recent searches' }).getByRole('option');
    await expect(rows).toHaveCount(3);
    const row = (await rows.first().boundingBox())?.height;
    const marks = page.getByTitle('Forget this search');
    const { width: across = 0, height: down = 0 } = (await marks.first().boundingBox()) ?? {};
    expect(Math.min(across, down)).toBeGreaterThanOrEqual(size);
    expect(row).toBe(width === 390 ? 52 : 40);
    await marks.first().click({ position: { x: 2, y: 2 } });
    await expect(rows).toHaveCount(2);
    await expect(box).toBeFocused();
    await expect(page).toHaveURL('/');
    const clear = page.getByRole('button', { name: 'Clear recent searches' });
    await box.press('Tab');
    await page.keyboard.press('Tab');
    await expect(clear).toBeFocused();
    await takePicture(page, `recent-searches-${width}`);
    await clear.press('Enter');
    await expect(rows).toHaveCount(0);
    await expect(box).toBeFocused();
  }
});
