import { enterAs, expect, insightsOf, playerOf, takePicture, test, videoIdOf } from './journey.ts';

test('7.3 what is written in a film is found by itself, and outlined in the picture where it is pointed at', async ({ page, archive }) => {
  await enterAs(page, archive, { viewer: true, editor: true });
  await page.goto('/');
  const film = await videoIdOf(page, 'Night tram, line 28');
  // The archive of the journeys leaves recognisers out.
  const run = (step: string) =>
    fetch(step, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }).then(({ status }) => status);
  expect(await page.evaluate(run, `/api/videos/${film}/steps/text/run`)).toBe(202);
  const card = page.getByRole('article').filter({ hasText: 'Night tram' });
  await expect(async () => {
    await page.goto('/search?query=bakery');
    await expect(card.getByText('BAKERY')).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 120_000 });
  await page.goto(`/video/${film}?t=2`);
  const player = playerOf(page);
  await player.getByRole('button', { name: 'Pause' }).click();
  await insightsOf(page).getByText('BAKERY', { exact: true }).hover();
  const outline = player.locator('.outlines i');
  await expect(outline).toHaveCount(1);
  await expect(outline).toHaveCSS('outline-color', 'rgb(255, 191, 58)');
  const [box, picture] = [await outline.boundingBox(), await player.locator('.outlines').boundingBox()];
  if (!box || !picture) throw new Error('nothing is outlined');
  expect(Math.abs((box.x - picture.x) / picture.width - 0.35)).toBeLessThan(0.05);
  expect(Math.abs((box.y - picture.y) / picture.height - 0.39)).toBeLessThan(0.05);
  await takePicture(page, 'on-screen-text');
  await page.mouse.move(0, 0);
  await expect(outline).toHaveCount(0);
});
