import type { Locator, Page } from '@playwright/test';
import {
  enterAs,
  expect,
  expectAccessible,
  insightsOf,
  playerOf,
  playerSeconds,
  takePicture,
  test,
  untilDrawn,
  videoIdOf,
} from './journey.ts';

test.beforeEach(({ page, archive }) => enterAs(page, archive, { viewer: true }).then(() => undefined));

test('a film opened at a second at which something is said shows that line, on a telephone too, and after a reload', async ({ page }) => {
  const id = await videoIdOf(page, 'Harbour at dusk');
  let searches = 0;
  page.on('request', (request) => {
    if (request.url().includes('/Matches?')) searches++;
  });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/video/${id}?t=21&query=starboard`);
  const line = insightsOf(page).getByRole('listitem').filter({ hasText: 'green to starboard.' });
  for (const _ of ['opened', 'reloaded']) {
    await expect(insightsOf(page).getByRole('tab', { name: 'Timeline' })).toHaveAttribute('aria-selected', 'true');
    await expect(line).toBeInViewport({ ratio: 1 });
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    await expect(playerOf(page).getByText('1 of 1')).toBeVisible();
    await page.reload();
  }
  await expect(playerOf(page).getByText('1 of 1')).toBeVisible();
  // One for both frames.
  expect(searches).toBe(3);
  await page.goto(`/video/${id}`);
  await expect(insightsOf(page).getByRole('tab', { name: 'Insights' })).toHaveAttribute('aria-selected', 'true');
});

test('a tab that somebody chose stays chosen on reload and on the way back, and a new visit begins with its own', async ({ page }) => {
  const id = await videoIdOf(page, 'Harbour at dusk');
  const tab = (name: string) => insightsOf(page).getByRole('tab', { name });
  const isChosen = (name: string) => expect(tab(name)).toHaveAttribute('aria-selected', 'true');
  await page.goto(`/video/${id}?t=21`);
  await isChosen('Timeline');
  await tab('Insights').click();
  await isChosen('Insights');
  await page.reload();
  await isChosen('Insights');
  await page
    .getByRole('banner')
    .getByRole('link', { name: /Rushes/ })
    .click();
  await expect(page).toHaveURL('/');
  await page.goBack();
  await isChosen('Insights');
  // One step was made, and one leads back over it.
  await page.goBack();
  await expect(page).toHaveURL(/\/search\?query=/);
  await page.goto(`/video/${id}?t=21`);
  await isChosen('Timeline');
});

test('a player whose pictures come late is not taken back to a line that it has played already', async ({ page }) => {
  const id = await videoIdOf(page, 'Harbour at dusk');
  const held = Promise.withResolvers<void>();
  const asked = page.waitForRequest(/\/poster\.jpg/);
  await page.route(/\/poster\.jpg/, (route) => held.promise.then(() => route.continue()));
  await page.goto(`/video/${id}?t=3`, { waitUntil: 'commit' });
  await asked;
  await insightsOf(page).getByText('Red to port, and green to starboard.').click();
  await expect.poll(() => playerSeconds(page)).toBeGreaterThan(21);
  await playerOf(page).getByRole('button', { name: 'Pause' }).click();
  await page.keyboard.press('Home');
  await expect.poll(() => playerSeconds(page)).toBe(0);
  const player = playerOf(page).locator('html');
  expect(await player.evaluate(() => document.readyState)).toBe('interactive');
  held.resolve();
  await expect.poll(() => player.evaluate(() => document.readyState)).toBe('complete');
  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press('l');
  await expect.poll(() => playerSeconds(page)).toBeGreaterThan(9);
  expect(await playerSeconds(page)).toBeLessThan(11);
});

test('a moment is cited with its line, and a licence asked for with its title, id, time and link', async ({ page, context }) => {
  const id = await videoIdOf(page, 'Harbour at dusk');
  const link = `${new URL(page.url()).origin}/video/${id}?t=`;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`/video/${id}?t=22`);
  await playerOf(page).getByRole('button', { name: 'Pause' }).click();
  const [, time = ''] = /(\d\d:\d\d:\d\d)/.exec((await page.getByRole('button', { name: 'Copy link' }).textContent()) ?? '') ?? [];
  const seconds = Number(time.slice(-2));
  await page.getByRole('button', { name: 'Cite' }).click();
  await expect(page.getByRole('status').getByText('Citation copied')).toBeVisible();
  const said = seconds < 25 ? '"Red to port, and green to starboard." — ' : '';
  const citation = `${said}Harbour at dusk, ${time}, Rushes, ${link}${seconds}`;
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(citation);

  await page.evaluate(() => Object.assign(navigator.clipboard, { writeText: () => Promise.reject(new Error('refused')) }));
  await page.getByRole('button', { name: 'Cite' }).click();
  const refused = page.getByRole('status').filter({ hasText: 'Select this text and copy it' });
  await expect(refused).toContainText(citation);
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(refused).toHaveCount(0);

  const letter = new URL((await page.locator('.lic .ct a[href^="mailto:"]').getAttribute('href')) ?? '');
  expect(letter.pathname).toBe('licensing@rushes.example');
  expect(letter.href).not.toContain('+');
  expect(letter.searchParams.get('subject')).toBe(`Licence: Harbour at dusk, ${time}`);
  expect(letter.searchParams.get('body')?.trim().split('\r\n')).toEqual([
    'Title: Harbour at dusk',
    `Id: ${id}`,
    `Time: ${time}`,
    `Link: ${link}${seconds}`,
    expect.stringMatching(/^Rights: Made by code/),
  ]);
});

test('on a telephone the insights stay about where they are when the form of a range comes', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const id = await videoIdOf(page, 'Harbour at dusk');
  const held = Promise.withResolvers<void>();
  await page.route(/\/licensing[^/]*\.js/, (route) => held.promise.then(() => route.continue()));
  const facts = page.waitForResponse(/\/api\/.*\/facts/);
  await page.goto(`/video/${id}`);
  await (await facts).finished();
  const insights = page.locator('#insights');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await untilDrawn(page);
  const before = (await insights.boundingBox())?.y ?? 0;
  await expect(page.getByRole('heading', { name: 'Licensing' })).toHaveCount(0);
  held.resolve();
  await expect(page.getByRole('heading', { name: 'Licensing' })).toBeVisible();
  const after = (await insights.boundingBox())?.y ?? 0;
  expect(Math.abs(after - before), `${before} px, then ${after} px`).toBeLessThan(100);
});

test('a producer marks four seconds by keys or by hand, sees them, and asks for a licence for them', async ({ page }) => {
  const id = await videoIdOf(page, 'Harbour at dusk');
  await page.goto(`/video/${id}?t=0m12s`);
  const licence = page.getByRole('region', { name: 'Request a licence for a range' });
  const [begins, ends] = [licence.getByRole('textbox', { name: 'In' }), licence.getByRole('textbox', { name: 'Out' })];
  await playerOf(page).getByRole('button', { name: 'Pause' }).click();
  await expect(begins).toHaveValue('00:00:00');
  // Wherever it has come to by then.
  await playerOf(page)
    .locator('video')
    .evaluate((video: HTMLVideoElement) => {
      video.currentTime = 12.5;
    });
  await expect(page.getByRole('button', { name: 'Copy link' })).toContainText('00:00:12');
  await expect(licence).toContainText('Length 00:00:3');
  // By a key in the player's own frame, and by one on the page.
  await playerOf(page).getByRole('slider', { name: 'Position' }).press('i');
  await expect(begins).toHaveValue('00:00:12');
  const from = 12;
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('l');
  await expect(page.getByRole('button', { name: 'Copy link' })).toContainText('00:00:22');
  await page.keyboard.press('o');
  await expect(ends).toHaveValue('00:00:23');
  await ends.fill(`0:${from + 4}`);
  await ends.press('Enter');
  await expect(ends).toHaveValue(`00:00:${from + 4}`);
  await expect(licence).toContainText('Length 00:00:04');
  await expect(playerOf(page).locator('.range')).toBeVisible();
  await expect
    .poll(() =>
      licence
        .getByRole('presentation')
        .first()
        .evaluate((image: HTMLImageElement) => image.naturalWidth),
    )
    .toBeGreaterThan(0);
  await licence.getByLabel('What will you use it for?').fill('Documentary & trailer');
  const letter = new URL((await licence.getByRole('link', { name: 'Request a licence' }).getAttribute('href')) ?? '');
  expect(letter.searchParams.get('body')?.split('\r\n')).toEqual(
    expect.arrayContaining([`Range: 00:00:${from} to 00:00:${from + 4}, length 00:00:04`, 'Use: Documentary & trailer']),
  );
  expect(letter.searchParams.get('body')).toContain(`/video/${id}?t=${from}&end=${from + 4}`);
  await ends.fill('twelve');
  await licence.getByRole('link', { name: 'Request a licence' }).click();
  await expect(ends).toHaveAccessibleDescription('Enter a time such as 00:14:07.');
  await expect(ends).toBeFocused();
  await expectAccessible(page, { include: '.lic' });
  await takePicture(page, 'licence-range-wrong');
  await ends.press('Escape');
  // On a telephone the ends stand under one another, in letters that it does not come nearer for.
  await page.setViewportSize({ width: 390, height: 844 });
  const [upper, lower] = [await begins.boundingBox(), await ends.boundingBox()];
  expect(lower?.x).toBe(upper?.x);
  expect(await ends.evaluate((one) => getComputedStyle(one).fontSize)).toBe('16px');
  expect(await ends.evaluate((one) => one.scrollWidth - one.clientWidth), 'what is cut of a time').toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 1_440, height: 900 });
  await expect(licence.getByRole('alert')).toHaveCount(0);
  await expect(ends).toHaveValue('00:00:16');
  await expectAccessible(page, { include: '.lic' });
  for (const [width, colorScheme] of [
    [1_440, 'light'],
    [1_440, 'dark'],
    [390, 'dark'],
    [390, 'light'],
  ] as const) {
    await page.setViewportSize({ width, height: 1_300 });
    await page.emulateMedia({ colorScheme });
    await licence.getByRole('link').scrollIntoViewIfNeeded();
    await takePicture(page, `licence-range-${width}-${colorScheme}`);
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  // What lies behind the range is the beginning of another.
  await begins.fill('0:20');
  await begins.press('Enter');
  await expect(ends).toHaveValue('00:00:32');
  await licence.getByRole('button', { name: 'Clear' }).click();
  await expect(begins).toHaveValue('00:00:00');
  await expect(playerOf(page).locator('.range')).toHaveCount(0);
});

test('where no page may fill the screen, as on an iPhone, the film fills it in the player of the device', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(Document.prototype, 'fullscreenEnabled', { get: () => false });
    Object.defineProperties(HTMLVideoElement.prototype, {
      webkitSupportsFullscreen: { get: () => true },
      webkitEnterFullscreen: {
        value() {
          document.title = 'full';
        },
      },
    });
  });
  await page.goto(`/video/${await videoIdOf(page, 'Harbour at dusk')}`);
  await playerOf(page).getByRole('button', { name: 'Full screen' }).click();
  await expect
    .poll(() =>
      playerOf(page)
        .locator('html')
        .evaluate(() => document.title),
    )
    .toBe('full');
  // Captions that are on are drawn there by the device.
  const video = playerOf(page).locator('video');
  const modes = () => video.evaluate(({ textTracks }: HTMLVideoElement) => [...textTracks].map(({ mode }) => mode));
  await expect(playerOf(page).getByRole('button', { name: 'Captions' })).toBeVisible();
  await page.keyboard.press('c');
  await expect.poll(modes).toContain('hidden');
  await video.dispatchEvent('webkitbeginfullscreen');
  expect(await modes()).toContain('showing');
  await video.dispatchEvent('webkitendfullscreen');
  expect(await modes()).not.toContain('showing');
});

test('a video that is opened without a connection says so, and comes by itself when it is back', async ({ page, context }) => {
  const other = await cardAfterAVideo(page);
  await context.setOffline(true);
  await other.click();
  await expect(page.getByRole('alert').getByRole('heading', { level: 1 })).toHaveText(/^No connection\./);
  await context.setOffline(false);
  await expect(playerOf(page).getByRole('button', { name: /Pause|Play/ })).toBeVisible();
});

test('a video that is opened while the server is away, or a proxy says so in its place, comes by itself when it answers', async ({
  page,
}) => {
  const other = await cardAfterAVideo(page);
  const [search, index] = ['**/Videos/Search?*', '**/Videos/*/Index?*'];
  await page.route(search, (route) => route.abort());
  await page.route(index, (route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>502 Bad Gateway</h1>' }));
  await other.click();
  const notice = page.getByRole('alert').filter({ hasText: /^No connection\./ });
  await expect(notice).toContainText('Trying again automatically.');
  const asked = page.waitForRequest(index);
  await page.unroute(search);
  await asked;
  await expect(notice).toBeVisible();
  await page.unroute(index);
  await expect(playerOf(page).getByRole('button', { name: /Pause|Play/ })).toBeVisible();
});

/** The card of a video on the home page, to which somebody came back from another one: the parts of a video's page are loaded by then. */
async function cardAfterAVideo(page: Page): Promise<Locator> {
  const id = await videoIdOf(page, 'Harbour at dusk');
  await page.goto(`/video/${id}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Harbour at dusk' })).toBeVisible();
  await page
    .getByRole('banner')
    .getByRole('link', { name: /Rushes/ })
    .click();
  const other = page.locator(`a.video-card:not([href*="${id}"])`).first();
  await expect(other).toBeVisible();
  return other;
}
