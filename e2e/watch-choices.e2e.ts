import { enterAs, expect, playerOf, playing, test, videoIdOf } from './journey.ts';

test.beforeEach(({ page, archive }) => enterAs(page, archive, { viewer: true }).then(() => undefined));

test('sound and speed of one film are those of the next, and what the browser refuses is no choice', async ({ page }) => {
  const [first, second] = [await videoIdOf(page, 'Harbour at dusk'), await videoIdOf(page, 'Night tram, line 28')];
  const player = playerOf(page);
  const heard = () =>
    player
      .locator('video')
      .evaluate(({ volume, muted, playbackRate, readyState }: HTMLVideoElement) => readyState > 1 && [volume, muted, playbackRate]);
  await page.goto(`/video/${first}`);
  await expect.poll(heard).toEqual([1, expect.any(Boolean), 1]);
  await player.getByRole('combobox', { name: 'Speed' }).selectOption('1.5');
  await player.locator('.vol').hover();
  await player.getByRole('slider', { name: 'Volume' }).fill('40');
  await page.goto(`/video/${second}`);
  await expect.poll(heard).toEqual([0.4, expect.any(Boolean), 1.5]);
  await expect(player.getByRole('combobox', { name: 'Speed' })).toHaveValue('1.5');
  // The browser may have begun without sound: that is turned on first.
  if ((await playing(page)).muted) await player.getByRole('button', { name: 'Turn sound on' }).click();
  await player.getByRole('button', { name: 'Mute' }).click();
  await page.goto(`/video/${first}`);
  await expect.poll(heard).toEqual([0.4, true, 1.5]);
  await expect(player.getByRole('button', { name: 'Sound is off' })).toHaveCount(0);
});
