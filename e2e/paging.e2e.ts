import { enterAs, expect, takePicture } from './journey.ts';
import { test } from './keeper-archive.ts';

test('2.1 home lists all videos newest first, with a load-more control that ends', async ({ page, archive }) => {
  const queries: (string | null)[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.pathname.endsWith('/Videos/Search')) queries.push(url.searchParams.get('query'));
  });
  const { rows } = await archive.database.pool.query('select id, created_at from videos order by created_at desc');
  const times = new Map<string, number>(rows.map(({ id, created_at }) => [id, created_at.getTime()]));
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 2, name: 'Showing all videos' })).toBeVisible();
  const cards = page.locator('a.video-card');
  // Those that came in one moment may stand in any order.
  const shownTimes = async () =>
    (await cards.evaluateAll((all) => all.map((card) => card.getAttribute('href')?.split('/')[2] ?? ''))).map((id) => times.get(id));
  await expect(cards).toHaveCount(12);
  expect(await shownTimes()).toEqual([...times.values()].slice(0, 12));
  // Those that hear the page are not told that these are all.
  await expect(page.getByRole('status').filter({ hasText: 'videos' })).toHaveText('First 12 videos');
  await page.getByRole('button', { name: 'Load more' }).scrollIntoViewIfNeeded();
  await expect(cards).toHaveCount(24);
  await expect(async () => {
    await page.mouse.wheel(0, 20_000);
    await expect(page.getByText('No more results found')).toBeVisible({ timeout: 1_000 });
  }).toPass();
  expect(await shownTimes()).toEqual([...times.values()]);
  expect(new Set(await cards.evaluateAll((all) => all.map((card) => card.getAttribute('href')))).size).toBe(times.size);
  expect(queries).not.toEqual([]);
  expect(queries.filter((query) => query !== null && query !== '')).toEqual([]);
});

test('3.5 a card shows the best four of sixty moments, and its strip all of them, each where it is in the film', async ({
  page,
  archive,
}) => {
  // Who may not watch is shown some of the lines only.
  await enterAs(page, archive, { viewer: true });
  await page.goto('/search?query=logbook&skip=0');
  const card = page.getByRole('article').filter({ has: page.getByRole('heading', { name: 'Sixty entries' }) });
  await expect(card.locator('a.moment')).toHaveCount(4);
  await expect(card).toContainText('60 moments');
  const strip = card.getByRole('img', { name: '60 moments along the video' });
  const ticks = strip.locator('i');
  await expect(ticks).toHaveCount(60);
  const { x = 0, width = 0 } = (await strip.boundingBox()) ?? {};
  for (const place of [15, 30, 45]) {
    const tick = await ticks.nth(place).boundingBox();
    expect(Math.abs((tick?.x ?? 0) - x - (width * place) / 60)).toBeLessThan(4);
  }
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
  expect(anchors[1]).toMatch(/^20\d\d-/);
  expect(new Set(anchors.slice(1)).size).toBe(1);
});

test('whoever stands on the load-more control stays there page by page, and at the end on the sentence in its place', async ({ page }) => {
  await page.goto('/search?query=lighthouse+keeper&skip=0');
  const cards = page.getByRole('article');
  await expect(cards).toHaveCount(12);
  const more = page.locator('.load-more button');
  const end = page.getByText('No more results found');
  await more.focus();
  await expect(cards).toHaveCount(24);
  await expect(more).toBeFocused();
  await more.press('Enter');
  await expect(end).toBeFocused();
  expect(await cards.count()).toBeGreaterThan(24);
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
  expect(logged.join('\n')).toMatch(/^Failed: .*search/m);
  broken = false;
  await retry.click();
  await expect(page.getByRole('article')).not.toHaveCount(12);
});

test('while the index is not ready a further page says so, and comes by itself', async ({ page }) => {
  let isReady = false;
  const body = JSON.stringify({ ErrorType: 'INDEX_NOT_READY', Message: 'Search is being prepared: 42% so far.' });
  await page.route('**/Videos/Search*skip=12*', (route) =>
    isReady ? route.continue() : route.fulfill({ status: 503, contentType: 'application/json', body }),
  );
  await page.goto('/search?query=lighthouse+keeper&skip=0');
  await page.getByRole('button', { name: /load more/i }).scrollIntoViewIfNeeded();
  const waits = page.getByRole('status').filter({ hasText: 'Search is being prepared: 42% so far.' });
  await expect(waits).toContainText('Trying again automatically');
  isReady = true;
  await expect(page.getByRole('article')).not.toHaveCount(12);
  await expect(waits).toBeHidden();
});

test('a list that is shown again while there is no connection says so where it goes on, and goes on when there is one', async ({
  page,
}) => {
  await page.goto('/search?query=lighthouse+keeper&skip=0');
  const cards = page.getByRole('article');
  await expect(cards).toHaveCount(12);
  await page
    .getByRole('banner')
    .getByRole('link', { name: /Rushes/ })
    .click();
  await expect(page.locator('a.video-card').first()).toBeVisible();
  // By then the list is too old to be shown unasked.
  await page.clock.setFixedTime(Date.now() + 61_000);
  await page.route('**/Videos/Search?*', (route) => route.abort());
  const box = page.getByRole('combobox', { name: 'Search the archive' });
  await box.fill('lighthouse keeper');
  await box.press('Enter');
  await expect(cards).toHaveCount(12);
  await expect(page.locator('.load-more')).toHaveText(/^Loading more\s*No connection\./);
  await page.unroute('**/Videos/Search?*');
  await page.getByRole('button', { name: 'Load more' }).scrollIntoViewIfNeeded();
  await expect(cards).toHaveCount(24);
});

test('an address that begins behind the last result says so, and leads to the first', async ({ page }) => {
  await page.goto('/search?query=lighthouse+keeper&skip=500');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('No more results for lighthouse keeper');
  await expect(page.getByText('New footage takes a while')).toHaveCount(0);
  await takePicture(page, 'search-past-end');
  await page.getByRole('link', { name: 'Go to the first results' }).click();
  await expect(page).toHaveURL('/search?query=lighthouse+keeper&skip=0');
  await expect(page.getByRole('article')).toHaveCount(12);
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

test('a catalogue record is searchable, its page says that there is no playable copy, and offers no other file', async ({
  page,
  archive,
}) => {
  await page.goto('/search?query=%22keeper+tape+7%22&skip=0');
  await page.getByRole('article').first().getByRole('link').first().click();
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Sign in with Google' }).click();
  await (await opened).getByText('Victor Viewer').click();
  await expect(page.getByRole('heading', { level: 1, name: 'Keeper tape 7' })).toBeVisible();
  await expect(page.frameLocator('iframe[src*="/embed/player/"]').getByText(/no playable copy/i)).toBeVisible();
  await enterAs(page, archive, { editor: true });
  await page.reload();
  await expect(page.getByRole('button', { name: 'Who can see this video' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Poster and file' })).toHaveCount(0);
});
