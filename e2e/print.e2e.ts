import { enterAs, expect, insightsOf, takePicture, test, videoIdOf } from './journey.ts';

test('on paper a video is its title and all that is said, a search its results, without the frame of the page', async ({
  page,
  archive,
}) => {
  await enterAs(page, archive, { viewer: true });
  await page.goto(`/video/${await videoIdOf(page, 'Harbour at dusk')}`);
  await expect(insightsOf(page).getByRole('tab', { name: 'Insights' })).toBeVisible();
  const printed = page.locator('.printed-lines li');
  await expect(printed).toHaveCount(0);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(printed.filter({ hasText: 'A tug boat was the last to come home.' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Harbour at dusk' })).toBeVisible();
  const frame = [page.getByRole('banner'), page.getByRole('contentinfo'), page.locator('iframe').first(), page.getByRole('button').first()];
  for (const part of frame) await expect(part).toBeHidden();
  await takePicture(page, 'print-video');
  await page.emulateMedia({ media: 'screen' });
  await expect(printed).toHaveCount(0);
  await page.goto('/search?query=harbour&skip=0');
  await expect(page.getByRole('article').first()).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(page.getByRole('contentinfo')).toBeHidden();
  await expect(page.getByRole('article').first().locator('a.moment').first()).toBeVisible();
  for (const button of await page.getByRole('button').all()) await expect(button).toBeHidden();
  await takePicture(page, 'print-search');
});
