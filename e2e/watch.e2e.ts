import type { Page } from '@playwright/test';
import { enterAs, expect, insightsOf, playerOf, playerSeconds, test, videoIdOf } from './journey.ts';

test.beforeEach(({ page, archive }) => enterAs(page, archive, { viewer: true }).then(() => undefined));

test('1.2 2.7 3.6 the page has player, views, name, licensing with mailto and tel, and insights', async ({ page }) => {
  const id = await videoIdOf(page, 'Harbour at dusk');
  await page.goto(`/video/${id}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Harbour at dusk' })).toBeVisible();
  await expect(page.getByText(/\d+ views?/)).toBeVisible();
  const licensing = page.getByRole('region', { name: 'Licensing' });
  await expect(licensing.locator('a[href^="mailto:"]')).toHaveText('licensing@rushes.example');
  await expect(licensing.locator('a[href^="tel:"]')).toHaveText('+1 202 555 0143');
  await expect(playerOf(page).getByRole('button', { name: /Pause|Play/ })).toBeVisible();
  await expect(insightsOf(page).getByRole('tab', { name: 'Insights' })).toBeVisible();
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
  expect(Math.round((await panel.boundingBox())?.height ?? 0)).toBe(1_200);
  await page.setViewportSize({ width: 1_100, height: 900 });
  await expect.poll(async () => Math.round((await panel.boundingBox())?.height ?? 0)).toBe(800);
});

test('the transcript follows playback, and a click on a line seeks', async ({ page }) => {
  const id = await videoIdOf(page, 'Harbour at dusk');
  await page.goto(`/video/${id}`);
  await insightsOf(page).getByRole('tab', { name: 'Timeline' }).click();
  await insightsOf(page).getByText('Red to port, and green to starboard.').click();
  await expect.poll(() => playerSeconds(page)).toBeGreaterThanOrEqual(21);
  await expect(insightsOf(page).locator('[aria-current]').first()).toContainText(/Red to port|night ferry|islands/);
});

test('the player obeys its keys wherever the focus is: on the page, in its own frame, in the insights', async ({ page }) => {
  await page.goto(`/video/${await videoIdOf(page, 'Harbour at dusk')}?t=5&query=ferry`);
  await expect.poll(() => playerSeconds(page)).toBeGreaterThanOrEqual(5);
  const places = {
    page: page.getByRole('heading', { level: 1 }),
    player: playerOf(page).getByRole('slider', { name: 'Position' }),
    insights: insightsOf(page).getByRole('tab', { name: 'Timeline' }),
  };
  for (const [place, locator] of Object.entries(places)) {
    await locator.focus();
    await page.keyboard.press('k');
    await expect.poll(() => playing(page), place).toMatchObject({ paused: true });
    const { seconds, muted } = await playing(page);
    for (const [key, moved] of [
      ['l', 10],
      ['j', 0],
      ['.', 0.04],
      [',', 0],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(() => playerSeconds(page), `${place}, ${key}`).toBeCloseTo(seconds + moved, 1);
    }
    await page.keyboard.press('m');
    await expect.poll(() => playing(page), place).toMatchObject({ muted: !muted });
    await page.keyboard.press('n');
    await expect.poll(() => playerSeconds(page), place).toBeCloseTo(25.2, 0);
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await expect.poll(() => playing(page), place).toMatchObject({ paused: false });
  }
});

test('keys of the player leave fields, buttons and tabs what is theirs, and open what they name from every frame', async ({ page }) => {
  await page.goto(`/video/${await videoIdOf(page, 'Harbour at dusk')}?t=5`);
  await expect.poll(() => playerSeconds(page)).toBeGreaterThanOrEqual(5);
  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press('Space');
  await expect.poll(() => playing(page)).toMatchObject({ paused: true });
  const { seconds } = await playing(page);
  await page.getByRole('button', { name: 'Copy link' }).focus();
  await page.keyboard.press('Space');
  await insightsOf(page).getByRole('tab', { name: 'Insights' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(insightsOf(page).getByRole('tab', { name: 'Timeline' })).toBeFocused();
  await page.keyboard.press('/');
  const field = page.getByRole('combobox', { name: 'Search the archive' });
  await expect(field).toBeFocused();
  await page.keyboard.type('kl ');
  await expect(field).toHaveValue('kl ');
  expect(await playing(page)).toMatchObject({ paused: true, seconds });
  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press('?');
  await expect(playerOf(page).getByRole('dialog', { name: 'Keys' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(playerOf(page).getByRole('dialog', { name: 'Keys' })).toBeHidden();
});

test('sound that the browser refuses to start plays muted, with a way to turn it on', async ({ page }) => {
  const id = await videoIdOf(page, 'Harbour at dusk');
  await page.goto(`/video/${id}`);
  const video = playerOf(page).locator('video');
  await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.paused)).toBe(false);
  const muted = await video.evaluate((element: HTMLVideoElement) => element.muted);
  await expect(playerOf(page).getByRole('button', { name: /sound is off/i })).toHaveCount(muted ? 1 : 0);
});

async function playing(page: Page) {
  return await playerOf(page)
    .locator('video')
    .evaluate(({ paused, muted, currentTime }: HTMLVideoElement) => ({ paused, muted, seconds: currentTime }));
}
