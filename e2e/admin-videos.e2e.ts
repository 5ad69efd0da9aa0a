import { randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import { enterAs, expect, type JourneyArchive, test } from './journey.ts';

test.use({ timezoneId: 'Asia/Kolkata' });

// The archive is shared with other journeys, which count on its films.
test.afterEach(async ({ archive }) => {
  await archive.database.pool.query(`delete from videos where name ~ '^Reel \\d+ of [0-9a-f]{6}$'`);
});

/** Videos as an import leaves them, the newest an hour before `before`; every 97th could not be read. Returns what their ids begin with. */
async function addReels({ database: { pool } }: JourneyArchive, count: number, before = '2026-03-01T12:30:05Z'): Promise<string> {
  const prefix = randomBytes(3).toString('hex');
  await pool.query(
    `insert into videos (id, state, name, external_id, origin, content_hash, streaming_preset, created_at, published_at, revision, indexed_revision)
     select $1 || lpad(to_hex(n), 4, '0'), case when n % 97 = 0 then 'Failed' else 'Processed' end, 'Reel ' || n || ' of ' || $1,
            case when n % 2 = 0 then 'RU-' || $1 || '-' || n end, 'catalogue', encode(sha256(($1 || n)::bytea), 'hex'),
            (array['AdaptiveBitrate', 'SingleBitrate', 'NoStreaming'])[1 + n % 3], at, at, 1, 1
       from generate_series(1, $2) n, lateral (select $3::timestamptz - n * interval '1 hour') as t (at)`,
    [prefix, count, before],
  );
  return prefix;
}

const rowsOf = (page: Page) => page.getByRole('table', { name: 'Videos' }).locator('tbody tr[data-index]');
const filterOf = (page: Page) => page.getByRole('searchbox', { name: 'Filter by name, id or state' });

test('2.9 1.4 the table of all videos fetches page after page to the end, whatever comes in meanwhile', async ({ page, archive }) => {
  await enterAs(page, archive, { admin: true });
  const prefix = await addReels(archive, 2_000);
  const asked: URLSearchParams[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.pathname.endsWith('/Videos')) asked.push(url.searchParams);
  });
  await page.route('**/Videos?*skip=100&*', async (route) => {
    await addReels(archive, 3, new Date(Date.now() + 86_400_000).toISOString());
    await route.continue();
  });
  await page.goto('/admin/videos');
  await expect(page.getByRole('main').getByRole('link', { name: 'Add videos' })).toHaveAttribute('href', '/desk');
  await expect(page.getByText(/^All 2,0\d\d videos listed$/)).toBeAttached();
  const heads = await page.getByRole('table', { name: 'Videos' }).getByRole('columnheader').allInnerTexts();
  expect(heads).toEqual(['Name', 'Id', 'External Id', 'Created', 'Encoding']);
  expect(asked.map((params) => params.get('skip'))).toEqual(Array.from({ length: asked.length }, (_, n) => String(n * 100)));
  expect(asked.length).toBeGreaterThan(20);
  const anchors = asked.slice(1).map((params) => params.get('createdBefore'));
  expect(anchors[0]).toMatch(/^20\d\d-/);
  expect(new Set(anchors).size).toBe(1);
  expect(await rowsOf(page).count()).toBeLessThan(60);
  await filterOf(page).fill(prefix);
  await expect(page.getByText(/^2,000 of 2,0\d\d$/)).toBeVisible();
});

test('2.9 a row tells name, id, external id, local time and encoding, and the state when it is not done', async ({ page, archive }) => {
  await enterAs(page, archive, { admin: true });
  const prefix = await addReels(archive, 100);
  await page.goto(`/admin/videos?filter=${prefix}&sort=name&order=asc`);
  await expect(page.getByText(/^100 of /)).toBeVisible();
  const second = rowsOf(page).filter({ hasText: 'Reel 2 of' });
  const [name, id, externalId, created, encoding] = await second.getByRole('cell').allInnerTexts();
  expect([name, id, externalId, created, encoding]).toEqual([
    `Reel 2 of ${prefix}`,
    `${prefix}0002`,
    `RU-${prefix}-2`,
    '2026-03-01 16:00',
    'No streaming',
  ]);
  await expect(second.locator('time')).toHaveAttribute('title', '2026-03-01 10:30:05 UTC');
  await expect(second.getByRole('link')).toHaveAttribute('href', `/video/${prefix}0002`);
  await second.getByText(`${prefix}0002`).click();
  expect(await page.evaluate(() => getSelection()?.toString().trim())).toBe(`${prefix}0002`);
  await filterOf(page).fill(`reel 97 of ${prefix}`);
  await expect(rowsOf(page)).toHaveCount(1);
  await expect(rowsOf(page).getByRole('cell').first()).toContainText('Failed');
  await expect(rowsOf(page).getByRole('link')).toHaveCount(0);
  await expect(rowsOf(page).getByRole('cell').nth(2)).toHaveText('–');
});

test('2.9 a film that failed stands first, is found by that, and tells why, when and what to do', async ({ page, archive }) => {
  await enterAs(page, archive, { admin: true });
  const prefix = await addReels(archive, 3);
  await archive.database.pool.query(
    `update videos set state = 'Failed', origin = 'file', failure_code = 'processing_failed', failure_message = $2, modified_at = '2026-03-04T05:06:07Z' where id like $1 || '0003'`,
    [prefix, 'Failed 4 times at its step “renditions”. The original is kept.'],
  );
  await page.goto(`/admin/videos?filter=${prefix}`);
  await expect(rowsOf(page)).toHaveCount(3);
  const row = rowsOf(page).first();
  await expect(row).toContainText('Reel 3 of');
  await filterOf(page).fill('failed');
  await expect(rowsOf(page)).toHaveCount(1);
  await expect(row).toContainText('at its step “renditions”');
  await expect(row).toContainText('Try it again. If it fails again, import another copy.');
  await expect(row).toContainText('Failed 2026-03-04 10:36');
  await row.getByRole('button', { name: /^Retry: Reel 3/ }).click();
  await expect(page.getByText('Its original is not in the archive. Import the file again.')).toBeVisible();
});

test('a film that was tried again waits, also once its row has been away from the window', async ({ page, archive }) => {
  await enterAs(page, archive, { admin: true });
  const prefix = await addReels(archive, 120);
  await archive.database.pool.query(`update videos set failure_code = 'processing_failed' where id = $1 || '0061'`, [prefix]);
  await page.route('**/api/videos/*/retry', (route) => route.fulfill({ status: 204 }));
  await page.goto(`/admin/videos?filter=${prefix}`);
  const row = rowsOf(page).filter({ hasText: 'Reel 97 of' });
  const retry = row.getByRole('button', { name: /^Retry/ });
  await retry.press('Enter');
  await expect(row).toContainText('Waiting to be tried again');
  await expect(row.getByTitle('Reel 97 of')).toBeFocused();
  await filterOf(page).fill(`reel 98 of ${prefix}`);
  await expect(row).toHaveCount(0);
  await filterOf(page).fill(prefix);
  await expect(row).toContainText('Waiting to be tried again');
  await expect(retry).toHaveCount(0);
});

test('the tab takes the filter of the address away, from the field and from the table', async ({ page, archive }) => {
  await enterAs(page, archive, { admin: true });
  const prefix = await addReels(archive, 97);
  await page.goto('/admin/videos?filter=failed');
  await expect(rowsOf(page)).toHaveText([/Reel 97 of/]);
  await filterOf(page).fill(`reel 2 of ${prefix}`);
  await expect(rowsOf(page)).toHaveText([/Reel 2 of/]);
  await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Videos' }).click();
  await expect(page).toHaveURL('/admin/videos');
  await expect(filterOf(page)).toHaveValue('');
  await expect(rowsOf(page).filter({ hasText: 'Reel 1 of' })).toBeVisible();
});

test('what waits for an administrator is counted on top, each with the way to it, and nothing is when nothing waits', async ({
  page,
  archive,
}) => {
  const { pool } = archive.database;
  await pool.query(`delete from users where not is_active(roles)`);
  await pool.query('delete from unfound_queries');
  await enterAs(page, archive, { admin: true });
  const top = page.getByRole('navigation', { name: 'Needs attention' });
  await page.goto('/admin');
  await expect(page.getByRole('table', { name: 'Active users' })).toBeVisible();
  await expect(top).toHaveCount(0);
  await pool.query(`insert into users (id, name) values ('livaune', 'Liv Aune')`);
  await pool.query(
    `insert into videos (id, state, name, origin, content_hash) values ('fa11ed0001', 'Failed', 'Torn reel', 'file', repeat('f', 64))`,
  );
  await pool.query(`insert into unfound_queries select 'zeppelin ' || n, 'zeppelin ' || n, 1, 0, now() from generate_series(1, 3) n`);
  try {
    await page.reload();
    await expect(top.getByRole('link')).toHaveText(['one waiting', 'one video failed', 'three searches found nothing']);
    const waiting = page.getByRole('heading', { name: 'Waiting for activation' });
    // The counts on top may come before the table that they lead to.
    await expect(waiting).toBeVisible();
    await top.getByRole('link', { name: 'one waiting' }).click();
    await expect(waiting).toBeFocused();
    await top.getByRole('link', { name: 'one video failed' }).click();
    await expect(rowsOf(page)).toHaveText([/Torn reel/]);
    await page.goBack();
    await top.getByRole('link', { name: 'three searches' }).click();
    await expect(page.getByRole('table', { name: 'Failed searches' }).locator('tbody tr')).toHaveCount(3);
  } finally {
    await pool.query(`delete from users where id = 'livaune'`);
    await pool.query(`delete from videos where id = 'fa11ed0001'`);
    await pool.query('delete from unfound_queries');
  }
});

test('the heads sort the table, and the address keeps how it is looked at', async ({ page, archive }) => {
  await enterAs(page, archive, { admin: true });
  const prefix = await addReels(archive, 12);
  await page.goto(`/admin/videos?filter=${prefix}`);
  const first = rowsOf(page).first();
  await expect(first).toContainText('Reel 1 of');
  await expect(page.getByRole('columnheader', { name: 'Created' })).toHaveAttribute('aria-sort', 'descending');
  await page.getByRole('button', { name: 'Name' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending');
  await expect(rowsOf(page).nth(1)).toContainText('Reel 2 of');
  await page.keyboard.press('Enter');
  await expect(first).toContainText('Reel 12 of');
  await expect(page).toHaveURL(`/admin/videos?filter=${prefix}&sort=name&order=desc`);
  await page.reload();
  await expect(first).toContainText('Reel 12 of');
  await expect(filterOf(page)).toHaveValue(prefix);
});

test('2.9 when a page of the list fails it says so, and goes on there when asked to', async ({ page, archive }) => {
  await enterAs(page, archive, { admin: true });
  await addReels(archive, 350);
  const skips: string[] = [];
  let isBroken = true;
  await page.route('**/Videos?*', async (route) => {
    const skip = new URL(route.request().url()).searchParams.get('skip') ?? '';
    skips.push(skip);
    if (isBroken && skip === '200')
      await route.fulfill({ status: 503, json: { ErrorType: 'SERVER_BUSY', Message: 'The archive is busy.' } });
    else await route.continue();
  });
  await page.goto('/admin/videos');
  const alert = page.getByRole('alert').filter({ hasText: 'Fetching stopped' });
  await expect(alert).toContainText('Fetching stopped after 200 videos. The archive is busy.');
  await expect(page.getByText('200 so far')).toBeVisible();
  isBroken = false;
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText(/^All .* videos listed$/)).toBeAttached();
  await expect(alert).toHaveCount(0);
  expect(skips.slice(0, 5)).toEqual(['0', '100', '200', '200', '300']);
});

test('on a phone the table scrolls sideways under its names, the page does not', async ({ page, archive }) => {
  await enterAs(page, archive, { admin: true });
  const prefix = await addReels(archive, 5);
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto(`/admin/videos?filter=${prefix}`);
  const name = rowsOf(page).first().getByRole('link');
  await expect(name).toBeVisible();
  await rowsOf(page).first().getByRole('cell').last().scrollIntoViewIfNeeded();
  await expect(rowsOf(page).first().getByRole('cell').last()).toBeInViewport();
  await expect(name).toBeInViewport();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
});

test('6.3 the list of all videos is refused to who is no administrator, and the desk to who may not edit', async ({ page, archive }) => {
  await enterAs(page, archive, { editor: true });
  await page.goto('/admin/videos');
  await expect(page).toHaveURL('/?returnUrl=%2Fadmin%2Fvideos');
  await page.goto('/desk');
  await expect(page.getByRole('heading', { level: 1, name: 'Desk' })).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: 'Open video Harbour at dusk' })).toBeVisible();
  await page.context().clearCookies();
  await enterAs(page, archive, { viewer: true });
  await page.goto('/desk');
  await expect(page).toHaveURL('/?returnUrl=%2Fdesk');
});
