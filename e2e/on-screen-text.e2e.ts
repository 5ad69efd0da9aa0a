import { enterAs, expect, insightsOf, playerOf, takePicture, test, videoIdOf } from './journey.ts';

test('7.3 what is written in a film is found by itself, and outlined in the picture where it is pointed at', async ({ page, archive }) => {
  await enterAs(page, archive, { viewer: true });
  await page.goto('/search?query=bakery');
  const card = page.getByRole('article').filter({ hasText: 'Night tram' });
  await expect(card.getByText('BAKERY')).toBeVisible();
  await page.goto(`/video/${await videoIdOf(page, 'Night tram, line 28')}?t=2`);
  const player = playerOf(page);
  await player.getByRole('button', { name: 'Pause' }).click();
  await insightsOf(page).getByText('BAKERY', { exact: true }).hover();
  const outline = player.locator('.outlines i');
  await expect(outline).toHaveCount(1);
  const [box, picture] = [await outline.boundingBox(), await player.locator('.outlines').boundingBox()];
  if (!box || !picture) throw new Error('nothing is outlined');
  expect(Math.abs((box.x - picture.x) / picture.width - 0.35)).toBeLessThan(0.05);
  expect(Math.abs((box.y - picture.y) / picture.height - 0.39)).toBeLessThan(0.05);
  await takePicture(page, 'on-screen-text');
  await page.mouse.move(0, 0);
  await expect(outline).toHaveCount(0);
});
