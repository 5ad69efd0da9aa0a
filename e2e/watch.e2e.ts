import type { Page } from '@playwright/test';
import { publishLayers } from '#domain/videos/recompose-video.ts';
import { addMadeVideo } from '#testing/add-made-videos.ts';
import { enterAs, expect, expectAccessible, insightsOf, playerOf, playerSeconds, playing, test, videoIdOf } from './journey.ts';

test.beforeEach(({ page, archive }) => enterAs(page, archive, { viewer: true }).then(() => undefined));

test('1.2 2.7 3.6 the page has player, views, name, licensing with mailto and tel, and insights', async ({ page }) => {
  const id = await videoIdOf(page, 'Harbour at dusk');
  await page.goto(`/video/${id}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Harbour at dusk' })).toBeVisible();
  await expect(page.getByText(/\d+ views?/)).toBeVisible();
  const licensing = page.getByRole('region', { name: 'Licensing' });
  await expect(licensing.locator('.ct a[href^="mailto:"]')).toHaveText('licensing@rushes.example');
  await expect(licensing.locator('a[href^="tel:"]')).toHaveText('+1 202 555 0143');
  await expect(playerOf(page).getByRole('button', { name: /Pause|Play/ })).toBeVisible();
  await expect(insightsOf(page).getByRole('tab', { name: 'Insights' })).toBeVisible();
});

test('the page tells what is known of the film, and a letter for a licence what is known of its rights', async ({ page, archive }) => {
  const id = await videoIdOf(page, 'Night tram, line 28');
  await page.goto(`/video/${id}`);
  const about = page.getByRole('region', { name: 'About this video' });
  await expect(about).toContainText('The last tram of the night');
  await expect(about.getByRole('definition')).toHaveText(['2 March 2024', 'Norvik old town', 'English']);
  const licensing = page.getByRole('region', { name: 'Licensing' });
  await expect(licensing.getByRole('definition')).toHaveText(/^Made by code for the Rushes project/);
  await expect(licensing.locator('.ct a[href^="mailto:"]')).toHaveAttribute('href', /Rights%3A%20Made%20by%20code/);
  const description = `<b>Rain</b> ${'and then the doors close '.repeat(30)}for the last time.`;
  const { pool } = archive.database;
  const { rows } = await pool.query('select description from videos where id = $1', [id]);
  await pool.query('update videos set description = $2 where id = $1', [id, description]);
  await page.reload();
  await expect(about).toContainText('<b>Rain</b> and then');
  await expect(about.getByText('for the last time')).toBeHidden();
  await about.getByRole('button', { name: 'Show all' }).click();
  await expect(about.getByText('for the last time.')).toBeVisible();
  await expectAccessible(page, { include: '.about' });
  await pool.query('update videos set description = $2 where id = $1', [id, rows[0]?.description]);
});

test('7.2 7.3 7.4 9.7 tokens and frames follow the contract', async ({ page }) => {
  const id = await videoIdOf(page, 'Harbour at dusk');
  const token = page.waitForRequest(`**/api/GetVideoIndexerVideoAccessTokenV2/${id}`);
  const byId = page.waitForRequest(
    (request) => request.url().includes('/Videos/Search') && new URL(request.url()).searchParams.get('id') === id,
  );
  const index = page.waitForRequest(`**/Videos/${id}/Index?*`);
  const player = page.waitForRequest('**/embed/player/**');
  await page.goto(`/video/${id}?t=12`);
  const headers = await (await token).allHeaders();
  expect(headers['content-type']).toContain('application/json');
  expect(headers.authorization).toMatch(/^Bearer /);
  expect(Object.keys(await (await (await token).response())?.json())).toEqual(['accessToken']);
  expect(new URL((await byId).url()).searchParams.get('state')).toBe('Processed');
  expect(new URL((await index).url()).searchParams.get('includeStreamingUrls')).toBe('false');
  const asked = new URL((await player).url());
  expect(asked.pathname).toMatch(new RegExp(`/embed/player/[0-9a-f-]{36}/${id}/`));
  expect(Object.fromEntries(asked.searchParams)).toMatchObject({ locale: 'en', autoplay: 'true', t: '12' });
  expect(asked.searchParams.get('location')).toBeTruthy();
  expect(asked.searchParams.get('accessToken')).toMatch(/^ey/);
  await expect.poll(() => playerSeconds(page)).toBeGreaterThanOrEqual(12);
});

test('7.1 9.3 the account token is asked for once and renewed after 3,540,000 ms', async ({ page }) => {
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/api/GetVideoIndexerAccountTokenV2')) asked++;
  });
  await page.clock.install();
  await page.goto('/');
  await expect(page.getByRole('link', { name: /Harbour at dusk/ })).toBeVisible();
  expect(asked).toBe(1);
  await page.clock.runFor(3_500_000);
  await page.getByRole('combobox', { name: 'Search the archive' }).fill('tide');
  await page.getByRole('combobox', { name: 'Search the archive' }).press('Enter');
  await page.clock.runFor(500);
  await expect(page.getByRole('article').first()).toBeVisible();
  expect(asked).toBe(1);
  await page.clock.runFor(40_000);
  await page.getByRole('combobox', { name: 'Search the archive' }).fill('lamps');
  await page.getByRole('combobox', { name: 'Search the archive' }).press('Enter');
  await expect.poll(() => asked).toBe(2);
});

test('9.8 the insights panel is 1200 px tall from 1181 px wide, and 800 px below', async ({ page }) => {
  const id = await videoIdOf(page, 'Harbour at dusk');
  await page.goto(`/video/${id}`);
  const panel = page.getByRole('complementary', { name: 'Insights panel' });
  await expect(panel).toBeVisible();
  for (const [width, tall] of [
    [1_181, 1_200],
    [1_180, 800],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(async () => Math.round((await panel.boundingBox())?.height ?? 0)).toBe(tall);
  }
});

test('the transcript follows playback, and a click on a line seeks', async ({ page }) => {
  const id = await videoIdOf(page, 'Harbour at dusk');
  await page.goto(`/video/${id}`);
  await insightsOf(page).getByRole('tab', { name: 'Timeline' }).click();
  await insightsOf(page).getByText('Red to port, and green to starboard.').click();
  await expect.poll(() => playerSeconds(page)).toBeGreaterThanOrEqual(21);
  await expect(insightsOf(page).locator('[aria-current]').first()).toContainText(/Red to port|night ferry|islands/);
  const back = insightsOf(page).getByRole('button', { name: 'Back to now' });
  await expect(back).toHaveCount(0);
  // A hand at the scrollbar, and one that goes on by the keyboard, keep the list where they are.
  await insightsOf(page).getByRole('region', { name: 'Lines' }).dispatchEvent('pointerdown');
  await back.click();
  await expect(back).toHaveCount(0);
  await insightsOf(page).getByRole('radio', { name: 'Everything' }).focus();
  await page.keyboard.press('Tab');
  await expect(back).toBeVisible();
  const now = insightsOf(page).locator('[aria-current]').getByRole('button');
  await back.press('Enter');
  await expect(now).toBeFocused();
  await expect(back).toHaveCount(0);
  // Text that is selected elsewhere keeps no key from the line that it is pressed on.
  await insightsOf(page).getByRole('listitem').first().locator('p').first().selectText();
  const first = insightsOf(page).getByRole('listitem').first().getByRole('button');
  const second = insightsOf(page).getByRole('listitem').nth(1);
  await first.focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(second).toHaveAttribute('aria-current', 'true');
});

test.afterEach(({ archive }) => archive.database.pool.query(`delete from videos where name = 'Keeper tape'`));

test('what has no film opens at its line below the strip of its moments, which are walked and cited all the same', async ({
  page,
  archive,
}) => {
  const lines = Array.from({ length: 40 }, (_, n) => ({ start: 10 * n + 3.4, end: 10 * n + 6, text: `The keeper wrote line ${n}.` }));
  const record = { id: 'tape', title: 'Keeper tape', language: 'en', durationSeconds: 400, people: [], brands: [], labels: [], lines };
  const id = await addMadeVideo(archive.database.pool, record);
  const failed = mediaRefused(page);
  await page.setViewportSize({ width: 390, height: 844 });
  const current = insightsOf(page).locator('[aria-current]');
  await expect(async () => {
    await page.goto(`/video/${id}?t=203&query=keeper`);
    await expect(current).toHaveText(/The keeper wrote line 20\.$/);
  }).toPass();
  await expect(current).toBeInViewport({ ratio: 1 });
  const player = playerOf(page);
  const [sentence, strip] = [player.getByText('There is no playable copy of this recording.'), player.getByRole('slider')];
  await expect(sentence).toBeVisible();
  const [{ y: at = 0, height = 0 } = {}, { y: below = 0 } = {}] = [await sentence.boundingBox(), await strip.boundingBox()].map(
    (box) => box ?? {},
  );
  expect(at + height).toBeLessThanOrEqual(below);
  expect((await page.locator('.deck-frame').boundingBox())?.height).toBeLessThan(200);
  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press('n');
  await expect(current).toHaveText(/The keeper wrote line 21\.$/);
  await expect(page.getByRole('button', { name: 'Copy link at 00:03:33' })).toBeVisible();
  expect(failed).toEqual([]);
});

test('of a record whose length nobody knows a licence is asked for a moment, or for what somebody says', async ({ page, archive }) => {
  const lines = [{ start: 754, end: 760, text: 'The keeper wrote a line.' }];
  const record = { id: 'tape', title: 'Keeper tape', language: 'en', durationSeconds: 0, people: [], brands: [], labels: [], lines };
  await page.goto(`/video/${await addMadeVideo(archive.database.pool, record)}`);
  const licence = page.getByRole('region', { name: 'Request a licence for a range' });
  const asked = async () => new URL((await licence.getByRole('link').getAttribute('href')) ?? '').searchParams.get('body');
  const ends = licence.getByRole('textbox', { name: 'Out' });
  await expect(ends).toHaveValue('');
  await licence.getByRole('textbox', { name: 'In' }).fill('12:34');
  await ends.focus();
  await expect.poll(asked).toContain('Time: 00:12:34');
  await expect(licence).not.toContainText('Length');
  await ends.fill('15:01');
  await ends.press('Enter');
  await expect.poll(asked).toContain('Range: 00:12:34 to 00:15:01, length 00:02:27');
});

test('9.10 on a telephone every control is as big as a finger, and a menu holds captions, which leave the picture alone, speed and sound', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/video/${await videoIdOf(page, 'Harbour at dusk')}?t=2&query=harbour`);
  const player = playerOf(page);
  // The exact length stands beside the clock, the whole minutes below the title.
  await expect(player.getByText('/ 00:00:32')).toBeVisible();
  await expect(page.getByText('1 min', { exact: true })).toBeVisible();
  const caption = player.locator('.cap');
  await expect(caption).toBeVisible();
  await player.getByRole('button', { name: 'Pause' }).click();
  const [picture, text] = [await player.locator('video').boundingBox(), await caption.boundingBox()];
  expect(text?.y).toBeGreaterThanOrEqual((picture?.y ?? 0) + (picture?.height ?? 0) - 1);
  const rowOf = async (name: string) => (await player.getByRole('button', { name }).boundingBox())?.y;
  expect(await rowOf('Full screen')).toBe(await rowOf('Play'));
  await player.getByRole('button', { name: 'More' }).click();
  const controls = player.locator('button:visible, select:visible, [role=slider]');
  const sizes = await controls.evaluateAll((all) =>
    all.map((one) => [one.getAttribute('aria-label') ?? one.textContent, one.clientWidth, one.clientHeight] as const),
  );
  expect(sizes.length).toBeGreaterThan(7);
  expect(sizes.filter(([, width, height]) => width < 44 || height < 44)).toEqual([]);
  await player.getByRole('switch', { name: 'Captions' }).click();
  await expect(caption).toHaveCount(0);
  const { muted } = await playing(page);
  await player.getByRole('switch', { name: 'Sound' }).click();
  await expect.poll(() => playing(page)).toMatchObject({ muted: !muted });
  await player.getByRole('combobox', { name: 'Speed' }).selectOption('1.5');
  await expect.poll(() => player.locator('video').evaluate((video: HTMLVideoElement) => video.playbackRate)).toBe(1.5);
  await player.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await expect(player.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
});

test('nothing is asked for that a film does not have', async ({ page }) => {
  const failed = mediaRefused(page);
  // Home shows it only as long as nothing newer has come.
  await page.goto('/search?query=title%3A%22Aurora+over+the+fells%22&skip=0');
  await page.getByRole('main').getByRole('link', { name: 'Aurora over the fells' }).first().click();
  await expect.poll(() => playerSeconds(page)).toBeGreaterThan(0);
  expect(failed).toEqual([]);
});

/** What of the films' files is asked for in vain from now on. */
function mediaRefused(page: Page): string[] {
  const refused: string[] = [];
  page.on('response', (response) => response.status() >= 400 && response.url().includes('/media/') && refused.push(response.url()));
  return refused;
}

test('the strip shows where somebody speaks, above the film', async ({ page, archive }) => {
  const id = await videoIdOf(page, 'Night tram, line 28');
  const stretchesMs = [
    [1_000, 4_000],
    [8_000, 11_000],
  ] as const;
  await publishLayers(archive.database.pool, id, { madeBy: 'voice', version: 1, layers: [{ name: 'voice', stretchesMs }] });
  await page.goto(`/video/${id}`);
  const band = playerOf(page).locator('.speech');
  await expect(band.locator('path')).toHaveAttribute('d', /^M[\d.]+ 1H[\d.]+M[\d.]+ 1H[\d.]+$/);
  const film = await playerOf(page).locator('.film').boundingBox();
  const drawn = await band.boundingBox();
  expect(drawn?.width).toBe(film?.width);
  expect((drawn?.y ?? 0) + (drawn?.height ?? 0)).toBeLessThanOrEqual(film?.y ?? 0);
});

test('the still under the pointer is of the second pointed at, where the strip of a long film has one for minutes', async ({ page }) => {
  const id = await videoIdOf(page, 'Harbour at dusk');
  await page.route('**/storyboard.json', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), count: 2, intervalSeconds: 16 } });
  });
  await page.goto(`/video/${id}`);
  await playerOf(page).getByText('/ 00:00:32').waitFor();
  const strip = playerOf(page).getByRole('slider', { name: 'Position' });
  const { width = 0 } = (await strip.boundingBox()) ?? {};
  await strip.hover({ position: { x: (width * 21) / 32, y: 40 } });
  const still = playerOf(page).locator('.pv img');
  await expect(still).toBeVisible();
  await expect(still).toHaveAttribute('src', new RegExp(`/media/${id}/frame/10\\.jpg`));
});

test('a recording of sound alone is played and paused by a click on its poster', async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(HTMLVideoElement.prototype, 'videoWidth', { get: () => 0 }));
  await page.goto(`/video/${await videoIdOf(page, 'Harbour at dusk')}`);
  await expect(playerOf(page).locator('.poster')).toBeVisible();
  for (const paused of [true, false]) {
    await expect.poll(() => playing(page)).toMatchObject({ paused: !paused });
    await playerOf(page).locator('.pic').click();
    await expect.poll(() => playing(page)).toMatchObject({ paused });
  }
});

test('a refusal that comes just after the stream was renewed does not lock the player', async ({ page }) => {
  const answered: string[] = [];
  await page.route(/\/media\/[^?]*\.m4s/, (route) => {
    const isRefused = !answered.includes('renewed') || !answered.includes('refused again');
    if (!isRefused) return route.continue();
    answered.push(answered.includes('renewed') ? 'refused again' : 'refused');
    return route.fulfill({ status: 401 });
  });
  page.on('response', (response) => /\/media\/\w+\/session/.test(response.url()) && response.ok() && answered.push('renewed'));
  await page.goto(`/video/${await videoIdOf(page, 'Harbour at dusk')}`);
  await expect.poll(() => playerSeconds(page)).toBeGreaterThan(0.5);
  expect(answered).toContain('refused again');
});
