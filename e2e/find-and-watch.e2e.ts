import { expect, insightsOf, playerOf, playerSeconds, signInAs, takePicture, test } from './journey.ts';

test('1.1 2.15 9.7 a guest finds a phrase spoken across two captions, signs in as a viewer, and watches at that second', async ({
  page,
}) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Showing all videos' })).toBeVisible();
  await expect(page.getByRole('link', { name: /Harbour at dusk/ })).toBeVisible();
  await takePicture(page, 'home');

  await page.keyboard.press('/');
  await page.keyboard.type('"harbour lights came on"');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/search\?query=%22harbour\+lights\+came\+on%22&skip=0/);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Showing results for');
  const match = page.getByRole('article').first().getByRole('link').filter({ hasText: '00:00:03' });
  await expect(match.locator('mark').first()).toBeVisible();
  await takePicture(page, 'search');

  await match.click();
  await expect(page).toHaveURL(/\/login\?returnUrl=/);
  await signInAs(page, 'Victor Viewer');
  await expect(page).toHaveURL(/\/video\/[0-9a-f]{10}\?.*\bt=3\b/);
  await expect(page.getByRole('heading', { level: 1, name: 'Harbour at dusk' })).toBeVisible();
  await expect.poll(() => playerSeconds(page)).toBeGreaterThanOrEqual(3);
  expect(await playerSeconds(page)).toBeLessThan(20);
  await playerOf(page).getByRole('button', { name: 'Pause' }).click();
  await expect(insightsOf(page).getByRole('searchbox')).toHaveValue('"harbour lights came on"');
  await takePicture(page, 'video');
});

test('the token never stays in the address of a frame, and no request carries it in a Referer', async ({ page }) => {
  const referers: string[] = [];
  page.on('request', (request) => referers.push(request.headers().referer ?? ''));
  await page.goto('/login');
  await signInAs(page, 'Victor Viewer');
  await page
    .getByRole('main')
    .getByRole('link', { name: /Harbour at dusk/ })
    .first()
    .click();
  await expect.poll(() => playerSeconds(page)).toBeGreaterThanOrEqual(0);
  await expect(insightsOf(page).getByRole('tab', { name: 'Insights' })).toBeVisible();
  const frames = page.frames().filter((frame) => frame.url().includes('/embed/'));
  expect(frames).toHaveLength(2);
  for (const frame of frames) expect(frame.url()).not.toContain('accessToken');
  expect(referers.filter((referer) => referer.includes('accessToken'))).toEqual([]);
});
