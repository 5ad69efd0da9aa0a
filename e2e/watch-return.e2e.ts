import type { Page } from '@playwright/test';
import { enterAs, expect, expectAccessible, insightsOf, playerOf, playerSeconds, playing, signInAs, test, videoIdOf } from './journey.ts';

function licenceOf(page: Page) {
  const region = page.getByRole('region', { name: 'Request a licence for a range' });
  return {
    region,
    begins: region.getByRole('textbox', { name: 'In' }),
    ends: region.getByRole('textbox', { name: 'Out' }),
    use: region.getByLabel('What will you use it for?'),
  };
}

/** Stands still at a second of the film, which the page knows of by then. */
async function standAt(page: Page, seconds: number, timeCode: string): Promise<void> {
  await expect.poll(() => playerSeconds(page)).toBeGreaterThan(0);
  await playerOf(page)
    .locator('video')
    .evaluate((video: HTMLVideoElement, second) => {
      video.pause();
      video.currentTime = second;
    }, seconds);
  await expect(page.getByRole('button', { name: 'Copy link' })).toContainText(timeCode);
}

test('a film that is loaded anew opens where it was left, with the range and its use, and a new visit at its own second', async ({
  page,
  archive,
}) => {
  await enterAs(page, archive, { viewer: true });
  const id = await videoIdOf(page, 'Harbour at dusk');
  const { begins, ends, use } = licenceOf(page);
  await page.goto(`/video/${id}?t=3`);
  await standAt(page, 20.5, '00:00:20');
  await begins.fill('0:12');
  await begins.press('Enter');
  await ends.fill('0:16');
  await ends.press('Enter');
  await use.fill('Trailer');
  await page.reload();
  await expect.poll(() => playerSeconds(page)).toBeGreaterThanOrEqual(20);
  await expect(begins).toHaveValue('00:00:12');
  await expect(ends).toHaveValue('00:00:16');
  await expect(use).toHaveValue('Trailer');
  await expect(playerOf(page).locator('.range')).toBeVisible();

  await page.goto(`/video/${id}?t=3&query=harbour`);
  await expect.poll(() => playerSeconds(page)).toBeGreaterThanOrEqual(3);
  expect(await playerSeconds(page)).toBeLessThan(20);
  await expect(begins).toHaveValue('00:00:00');
  await expect(use).toHaveValue('');
});

test('a film that is come back to goes on, and another one begins where it begins, whatever was left in the one before', async ({
  page,
  archive,
}) => {
  await enterAs(page, archive, { viewer: true });
  const { use } = licenceOf(page);
  const first = await videoIdOf(page, 'Harbour at dusk');
  await page.goto(`/video/${first}?t=3`);
  await standAt(page, 20.5, '00:00:20');
  await use.fill('Trailer');
  const box = page.getByRole('combobox', { name: 'Search the archive' });
  await box.fill('boats');
  await box.press('Enter');
  await expect(page).toHaveURL(/\/search/);
  await page.goBack();
  await expect(use).toHaveValue('Trailer');
  await expect.poll(() => playerSeconds(page)).toBeGreaterThanOrEqual(20);
  await box.fill('night tram');
  await page
    .getByRole('option', { name: /Night tram/ })
    .first()
    .click();
  await expect(page.getByRole('heading', { level: 1, name: /Night tram/ })).toBeVisible();
  await expect.poll(() => playerSeconds(page)).toBeGreaterThan(0);
  expect(await playerSeconds(page)).toBeLessThan(15);
  await expect(use).toHaveValue('');
});

test('insights that come back after a transcript was edited are as they were left, and the player goes by the same matches', async ({
  page,
  archive,
}) => {
  await enterAs(page, archive, { editor: true });
  await page.goto(`/video/${await videoIdOf(page, 'Harbour at dusk')}?query=harbour`);
  const insights = insightsOf(page);
  const [field, tab] = [insights.getByRole('searchbox'), insights.getByRole('tab', { name: 'Timeline' })];
  const editAndReturn = async () => {
    await page.getByRole('button', { name: 'Edit transcript' }).click();
    await page.getByRole('region', { name: 'Edit transcript' }).getByRole('button', { name: 'Done' }).click();
  };
  await tab.click();
  await field.fill('starboard');
  await expect(playerOf(page).getByText('of 1', { exact: false })).toBeVisible();
  await editAndReturn();
  await expect(field).toHaveValue('starboard');
  await expect(tab).toHaveAttribute('aria-selected', 'true');
  await expect(insights.getByText('1 moment in this video')).toBeVisible();
  await expect(playerOf(page).getByText('of 1', { exact: false })).toBeVisible();

  await insights.getByRole('button', { name: 'Clear search inside this video' }).click();
  await expect(playerOf(page).getByText('of 1', { exact: false })).toHaveCount(0);
  await editAndReturn();
  await expect(tab).toHaveAttribute('aria-selected', 'true');
  await expect(field).toHaveValue('');
  await expect(playerOf(page).getByRole('button', { name: 'Next match' })).toHaveCount(0);
});

test('whoever signs in again goes on where they were, and somebody else where the address begins', async ({ page, archive }) => {
  await enterAs(page, archive, { viewer: true });
  const id = await videoIdOf(page, 'Harbour at dusk');
  const { use } = licenceOf(page);
  await page.context().clearCookies();
  await page.goto(`/video/${id}?t=3`);
  await signInAs(page, 'Victor Viewer');
  await standAt(page, 20.5, '00:00:20');
  await use.fill('Trailer');

  await page.context().clearCookies();
  await page.reload();
  await signInAs(page, 'Victor Viewer');
  await expect.poll(() => playerSeconds(page)).toBeGreaterThanOrEqual(20);
  await expect(use).toHaveValue('Trailer');

  await page.context().clearCookies();
  await page.reload();
  await signInAs(page, 'Edda Editor');
  await expect.poll(() => playerSeconds(page)).toBeGreaterThanOrEqual(3);
  expect(await playerSeconds(page)).toBeLessThan(20);
  await expect(use).toHaveValue('');
});

test('a link to a range opens with it marked, plays to its end once, and is copied from there', async ({ page, context, archive }) => {
  await enterAs(page, archive, { viewer: true });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const id = await videoIdOf(page, 'Harbour at dusk');
  const { region, begins, ends } = licenceOf(page);
  await page.goto(`/video/${id}?t=12.0&end=13.5`);
  await expect(begins).toHaveValue('00:00:12');
  await expect(ends).toHaveValue('00:00:14');
  await expect(playerOf(page).locator('.range')).toBeVisible();
  // At the picture of its end, and not where the film was when it said that it had come there.
  const restsAt = async () => {
    const { paused, seconds } = await playing(page);
    return paused ? seconds : 0;
  };
  await expect.poll(restsAt).toBeGreaterThanOrEqual(14);
  await expect.poll(restsAt).toBeLessThan(14.11);
  const seconds = await restsAt();
  // Once: whoever plays on hears the rest.
  await playerOf(page).getByRole('button', { name: 'Play', exact: true }).click();
  await expect.poll(() => playerSeconds(page)).toBeGreaterThan(seconds + 0.5);
  await region.getByRole('button', { name: 'Copy range link' }).click();
  await expect(page.getByRole('status').getByText('Link copied')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${archive.origin}/video/${id}?t=12&end=14`);
  await expectAccessible(page, { include: '.lic' });

  for (const wrong of ['soon', '3', '-1']) {
    await page.goto(`/video/${id}?t=12&end=${wrong}`);
    await expect.poll(() => playerSeconds(page)).toBeGreaterThanOrEqual(12);
    await expect(begins).toHaveValue('00:00:00');
    await expect(region.getByRole('button', { name: 'Clear' })).toHaveCount(0);
  }
});
