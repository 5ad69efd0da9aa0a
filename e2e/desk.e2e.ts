import type { Page } from '@playwright/test';
import { enterAs, expect, type JourneyArchive, takePicture, test } from './journey.ts';

test.use({ timezoneId: 'Asia/Kolkata' });

test.beforeEach(({ archive }) => forget(archive));
test.afterEach(({ archive }) => forget(archive));

/** The archive is shared with other journeys, which search as well. */
async function forget({ database }: JourneyArchive): Promise<void> {
  await database.pool.query('delete from unfound_queries');
}

const rowOf = (page: Page, query: string) =>
  page.getByRole('table', { name: 'Failed searches' }).getByRole('row').filter({ hasText: query });

async function searchFor(page: Page, query: string): Promise<void> {
  const box = page.getByRole('combobox', { name: /Search/ }).first();
  await box.fill(query);
  await box.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toContainText(query);
  await expect(page.getByRole('main')).not.toHaveAttribute('aria-busy', 'true');
}

/** Counts are written every two seconds. */
async function untilCounted({ database }: JourneyArchive, text: string, failures: number): Promise<void> {
  const count = async () => {
    const { rows } = await database.pool.query('select found_nothing + opened_nothing as failures from unfound_queries where text = $1', [
      text,
    ]);
    return Number(rows[0]?.failures ?? 0);
  };
  await expect.poll(count).toBe(failures);
}

test('what a guest finds nothing for, or opens nothing of, comes to the editors’ desk and goes from it', async ({
  page,
  browser,
  archive,
}) => {
  await page.goto('/');
  await searchFor(page, 'zzyzx crossing');
  await page.goto('/');
  await searchFor(page, 'Zzyzx  crossing');
  for (const _ of ['once', 'twice', 'three times']) {
    await page.goto('/search?query=lighthouse&skip=0');
    await expect(page.getByRole('article').first()).toBeVisible();
  }
  await page.goto('/');
  await searchFor(page, 'harbour');
  await untilCounted(archive, 'Zzyzx crossing', 2);
  await untilCounted(archive, 'lighthouse', 3);
  await untilCounted(archive, 'harbour', 1);

  const editor = await (await browser.newContext({ timezoneId: 'Asia/Kolkata', baseURL: archive.origin })).newPage();
  await enterAs(editor, archive, { editor: true });
  await editor.goto('/desk');
  await editor.getByRole('navigation', { name: 'Desk' }).getByRole('link', { name: 'Failed searches' }).click();
  await expect(editor).toHaveURL('/desk/unfound');
  const cells = (query: string) => rowOf(editor, query).getByRole('cell').allInnerTexts();
  await expect(rowOf(editor, 'Zzyzx crossing')).toBeVisible();
  const [nothing, opened] = [await cells('Zzyzx crossing'), await cells('lighthouse')];
  expect([nothing.slice(0, 3), opened.slice(0, 3)]).toEqual([
    ['Zzyzx crossing', '2 times', ''],
    ['lighthouse', '', '3 times'],
  ]);
  // Two failures go before three of the other kind, and what was left unopened once is no failure yet.
  await expect(editor.getByRole('table', { name: 'Failed searches' }).locator('tbody tr').getByRole('link')).toHaveText([
    'Zzyzx crossing',
    'lighthouse',
  ]);
  const time = rowOf(editor, 'lighthouse').locator('time');
  const at = new Date((await time.getAttribute('datetime')) ?? '');
  expect(await time.innerText()).toBe(new Date(at.getTime() + 5.5 * 3_600_000).toISOString().slice(0, 16).replace('T', ' '));
  expect(await time.getAttribute('title')).toBe(`${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`);
  await takePicture(editor, 'desk-unfound');

  // By keyboard, and the focus goes on to the next row.
  await rowOf(editor, 'Zzyzx crossing').getByRole('button', { name: 'Dismiss: Zzyzx crossing' }).focus();
  await editor.keyboard.press('Enter');
  await expect(editor.getByRole('status').getByText('Dismissed until it fails again: Zzyzx crossing')).toBeVisible();
  await expect(rowOf(editor, 'Zzyzx crossing')).toHaveCount(0);
  await expect(rowOf(editor, 'lighthouse').getByRole('button')).toBeFocused();
  await editor.reload();
  await expect(rowOf(editor, 'lighthouse')).toBeVisible();
  await expect(rowOf(editor, 'Zzyzx crossing')).toHaveCount(0);
  await rowOf(editor, 'lighthouse').getByRole('link').click();
  await expect(editor).toHaveURL('/search?query=lighthouse&skip=0');
  // Nothing of this journey is left to be counted in the next one.
  await untilCounted(archive, 'lighthouse', 4);
  await editor.context().close();
});

const openings: ReadonlyArray<[name: string, open: (page: Page) => Promise<void>]> = [
  ['the title', (page) => page.getByRole('article').first().getByRole('heading').getByRole('link').click()],
  ['a moment', (page) => page.getByRole('article').first().locator('a.moment').first().click()],
  ['the frame', (page) => page.getByRole('article').first().locator('a.frame').click()],
  ['a tick', (page) => page.getByRole('article').first().locator('.strip i').first().click({ force: true })],
  [
    'a title in another tab',
    (page) => page.getByRole('article').first().getByRole('heading').getByRole('link').click({ button: 'middle' }),
  ],
];

for (const [name, open] of openings) {
  test(`a search of which ${name} is opened did not fail`, async ({ page, archive }) => {
    await page.goto('/');
    await searchFor(page, 'lighthouse');
    await untilCounted(archive, 'lighthouse', 1);
    await open(page);
    await untilCounted(archive, 'lighthouse', 0);
  });
}

test('a press that opens nothing is no opening, and a list tells of its first opening alone', async ({ page, archive }) => {
  const told: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/search-opened')) told.push(request.method());
  });
  await enterAs(page, archive, { viewer: true });
  await page.goto('/');
  await searchFor(page, 'lighthouse');
  const title = page.getByRole('article').first().getByRole('heading').getByRole('link');
  await title.click({ button: 'right' });
  await page.getByRole('article').first().locator('.result-meta').first().click();
  expect(told).toEqual([]);
  await title.click();
  await expect(page).toHaveURL(/\/video\//);
  await page.goBack();
  await title.click();
  await expect(page).toHaveURL(/\/video\//);
  expect(told).toEqual(['POST']);
});

test('a viewer sees no desk', async ({ page, archive }) => {
  await enterAs(page, archive, { viewer: true });
  await page.goto('/desk/unfound');
  await expect(page).toHaveURL('/?returnUrl=%2Fdesk%2Funfound');
  expect((await page.request.get('/api/unfound')).status()).toBe(403);
});

test('an empty list says what it would hold; on a phone every search is a card', async ({ page, archive }) => {
  await enterAs(page, archive, { editor: true });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/desk/unfound');
  await expect(page.getByText('No failed searches.')).toBeVisible();
  await archive.database.pool.query(
    `insert into unfound_queries values ('a', 'a very long search for ' || repeat('something ', 12), 12, 3, now()), ('b', 'rain', 1, 0, now())`,
  );
  await page.reload();
  await expect(rowOf(page, 'rain')).toContainText('Found nothing once');
  const scroll = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(scroll).toBe(0);
  await takePicture(page, 'desk-unfound-phone');
});

test('what cannot be loaded on a desk says so, keeps the focus while it is asked again, and tells no number until it is there', async ({
  page,
  archive,
}) => {
  await enterAs(page, archive, { editor: true, admin: true });
  let isBroken = true;
  await page.route(/\/api\/(?!session)/, (route) => (isBroken ? route.fulfill({ status: 500, body: '{}' }) : route.continue()));
  for (const place of ['/desk', '/desk/films', '/desk/unfound', '/desk/kept-back', '/desk/deleted', '/desk/brands', '/admin/activity']) {
    isBroken = true;
    await page.goto(place);
    const failed = page.getByRole('main').getByRole('alert');
    await expect(failed, place).toContainText('could not be loaded');
    await expect(page.getByRole('main').locator('.tag'), place).toHaveCount(0);
    const again = failed.getByRole('button', { name: 'Try again' });
    const answered = page.waitForResponse((response) => response.status() === 500);
    await again.press('Enter');
    await answered;
    await expect(again, place).not.toHaveAttribute('aria-busy');
    await expect(again, place).toBeFocused();
    isBroken = false;
    await again.press('Enter');
    await expect(failed, place).toHaveCount(0);
    await expect(page.getByRole('heading', { level: 1 }), place).toBeFocused();
  }
});
