import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { archiveFolderIn } from '#domain/files/archive-folder.ts';
import { startPreparedArchive } from '#testing/prepared-archive.ts';
import { enterAs, expect, expectAccessible, insightsOf, preparedArchive, takePicture, test, videoIdOf } from './journey.ts';

test('while the index is being built the search says how far it is, and shows what it finds by itself', async ({ page }) => {
  // Nobody here builds it anew.
  const archive = await startPreparedArchive(preparedArchive(), { RUSHES_ROLES: 'web' });
  const { pool } = archive.database;
  const { index } = archiveFolderIn(archive.dataFolder);
  const [current, away] = [join(index, 'current.json'), join(index, 'current.away')];
  try {
    const { rows } = await pool.query('select state from search_index');
    await pool.query('update search_index set state = null, built_percent = 42');
    renameSync(current, away);
    await page.goto(`${archive.origin}/search?query=lighthouse&skip=0`);
    const waits = page.getByRole('status').filter({ hasText: 'Search is being prepared: 42% so far.' });
    await expect(waits).toBeVisible();
    await expect(waits.getByRole('link', { name: 'look through all videos' })).toBeVisible();
    await expect(page.getByText('No matches found')).toBeHidden();
    await expectAccessible(page);
    const { rows: films } = await pool.query("select id from videos where name like 'Harbour at dusk%'");
    await enterAs(page, archive, { viewer: true });
    const film = await page.context().newPage();
    await film.goto(`${archive.origin}/video/${films[0].id}?query=harbour`);
    // A film is looked through as it is stored.
    const inFilm = insightsOf(film).getByRole('search').getByRole('status');
    await expect(inFilm).toContainText('in this video');
    renameSync(away, current);
    await pool.query('update search_index set state = $1, built_percent = null', [rows[0].state]);
    await expect(page.getByRole('main').locator('a[href^="/video/"]').first()).toBeVisible({ timeout: 20_000 });
    await expect(waits).toBeHidden();
    expect((await pool.query('select 1 from unfound_queries where found_nothing > 0')).rows).toEqual([]);
  } finally {
    await archive.stop();
  }
});

test('a search inside a film that the archive has no time for says so, and is asked again by itself twice, then by hand', async ({
  page,
  archive,
}) => {
  const id = await videoIdOf(page, 'Harbour at dusk');
  await enterAs(page, archive, { viewer: true });
  const body = JSON.stringify({ ErrorType: 'SERVER_BUSY', Message: 'The archive is busy.' });
  let refusals = 3;
  await page.route('**/Matches?*', (route) => {
    const refusal = { status: 503, headers: { 'retry-after': '1' }, contentType: 'application/json', body };
    return refusals-- > 0 ? route.fulfill(refusal) : route.continue();
  });
  await page.goto(`/video/${id}?query=harbour`);
  const inFilm = insightsOf(page).getByRole('search').getByRole('status');
  await expect(inFilm).toHaveText('The archive is busy. Trying again automatically.');
  await takePicture(page, 'search-in-film-waits');
  await insightsOf(page).getByRole('button', { name: 'Try again' }).click();
  await expect(inFilm).toContainText('in this video');
});

test('a search inside a film waits for an index that is being built, however long, and then has its answer', async ({ page, archive }) => {
  const id = await videoIdOf(page, 'Harbour at dusk');
  await enterAs(page, archive, { viewer: true });
  const body = JSON.stringify({ ErrorType: 'INDEX_NOT_READY', Message: 'Search is being prepared: 42% so far.' });
  let refusals = 5;
  await page.route('**/Matches?*', (route) => {
    const refusal = { status: 503, headers: { 'retry-after': '1' }, contentType: 'application/json', body };
    return refusals-- > 0 ? route.fulfill(refusal) : route.continue();
  });
  await page.goto(`/video/${id}?query=harbour`);
  const inFilm = insightsOf(page).getByRole('search').getByRole('status');
  await expect(inFilm).toHaveText('Search is being prepared: 42% so far. Trying again automatically.');
  await expect(inFilm).toContainText('in this video', { timeout: 30_000 });
});

test('without a connection the page says so and shows its results by itself when it is back', async ({ page, context }) => {
  await page.goto('/search?query=harbour&skip=0');
  await expect(page.getByRole('article').first()).toBeVisible();
  // The last part of this page that is loaded by itself.
  await expect(page.getByRole('radiogroup', { name: 'Length in minutes' })).toBeVisible();
  const box = page.getByRole('combobox', { name: 'Search the archive' });
  await context.setOffline(true);
  await box.fill('lighthouse');
  await box.press('Enter');
  const waits = page.getByRole('status').filter({ hasText: 'No connection. Playback and search wait until it is back.' });
  await expect(waits).toBeVisible();
  await expect(page.locator('.skeleton')).toHaveCount(0);
  await expectAccessible(page);
  // A part of the page that was not loaded yet waits as well.
  await page.getByRole('button', { name: 'Search help' }).click();
  await context.setOffline(false);
  await expect(page.getByRole('dialog', { name: 'Search help' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('article').first()).toBeVisible();
  await expect(waits).toBeHidden();
});

test('a page that was not loaded before the connection went waits until it is back', async ({ page, context }) => {
  // The table of such pages is here by now.
  await page.goto('/no-such-page');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await context.setOffline(true);
  await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy policy' }).click();
  await expect(page).toHaveURL('/privacy');
  await context.setOffline(false);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Privacy policy');
});

test('a part of the page that was under way when the connection went comes when it is back', async ({ page, context }) => {
  await page.goto('/no-such-page');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  let cutOff = () => {};
  const isCutOff = new Promise<void>((resolve) => (cutOff = resolve));
  await page.route('**/assets/*.js', async (route) => {
    await isCutOff;
    await route.abort('internetdisconnected');
  });
  const asked = page.waitForRequest('**/assets/*.js');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy policy' }).click();
  await asked;
  await context.setOffline(true);
  cutOff();
  await page.unrouteAll({ behavior: 'wait' });
  await context.setOffline(false);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Privacy policy');
});

test('while the server restarts a part of the page that is not to be had breaks nothing, and comes when it answers; one that never comes is told once', async ({
  page,
}) => {
  await page.goto('/no-such-page');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  let [isAway, looks] = [true, 0];
  await page.route('**/*', async (route) => {
    if (route.request().method() === 'HEAD') looks++;
    await (isAway ? route.abort() : route.continue());
  });
  await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy policy' }).click();
  await expect.poll(() => looks).toBeGreaterThan(1);
  await expect(page.getByText('could not be shown')).toHaveCount(0);
  isAway = false;
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Privacy policy');
  await page.goto('/no-such-page');
  await page.route(/\/assets\/.*\.js$/, (route) => route.abort());
  await page.getByRole('contentinfo').getByRole('link', { name: 'Cookie policy' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This page could not be shown.');
});

test('what is typed into the search field before the page is ready is not lost, and Enter searches', async ({ page }) => {
  let ready = () => {};
  const held = () => new Promise<void>((resolve) => (ready = resolve));
  let holding = held();
  await page.route('**/assets/site-*.js', async (route) => {
    await holding;
    await route.continue();
  });
  const field = page.locator('#root input[type=search]');
  await page.goto('/', { waitUntil: 'commit' });
  await field.click();
  await page.keyboard.type('light');
  ready();
  const box = page.getByRole('combobox', { name: 'Search the archive' });
  await expect(box).toBeFocused();
  await page.keyboard.type('house');
  await expect(box).toHaveValue('lighthouse');
  await expect(page.getByRole('option').first()).toBeVisible();

  holding = held();
  await page.goto('/', { waitUntil: 'commit' });
  await field.click();
  await page.keyboard.type('lighthouse');
  await page.keyboard.press('Enter');
  ready();
  await expect(page).toHaveURL('/search?query=lighthouse&skip=0');
  await expect(page.getByRole('article').first()).toBeVisible();
});
