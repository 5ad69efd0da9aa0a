import { enterAs, expect, insightsOf, playerOf, playing, test, videoIdOf } from './journey.ts';

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

test('sound that the browser refuses to start plays muted, with a way to turn it on that does not come back', async ({ page }) => {
  await page.addInitScript(() => {
    const { play } = HTMLMediaElement.prototype;
    HTMLMediaElement.prototype.play = function refuseSound() {
      return this.muted ? play.call(this) : Promise.reject(new DOMException('', 'NotAllowedError'));
    };
  });
  await page.goto(`/video/${await videoIdOf(page, 'Harbour at dusk')}`);
  await expect.poll(() => playing(page)).toMatchObject({ paused: false, muted: true });
  const button = playerOf(page).getByRole('button', { name: /sound is off/i });
  await button.click();
  await expect(button).toHaveCount(0);
  expect(await playing(page)).toMatchObject({ paused: false, muted: false });
  await page.keyboard.press('m');
  await expect.poll(() => playing(page)).toMatchObject({ muted: true });
  await expect(playerOf(page).getByRole('button', { name: 'Turn sound on' })).toBeVisible();
  await expect(button).toHaveCount(0);
});

test('the key for quieter leaves what is muted so, also in the next film, and ends in silence that M takes back', async ({ page }) => {
  const player = playerOf(page);
  const heard = () => player.locator('video').evaluate(({ volume, muted }: HTMLVideoElement) => ({ volume, muted }));
  await page.goto(`/video/${await videoIdOf(page, 'Harbour at dusk')}`);
  await player.getByRole('button', { name: 'Pause' }).focus();
  // The browser may have begun without sound.
  if ((await heard()).muted) await page.keyboard.press('m');
  await page.keyboard.press('m');
  await page.keyboard.press('ArrowDown');
  await expect.poll(heard).toEqual({ volume: 0.9, muted: true });
  await page.goto(`/video/${await videoIdOf(page, 'Night tram, line 28')}`);
  await player.getByRole('button', { name: 'Pause' }).focus();
  await expect.poll(heard).toEqual({ volume: 0.9, muted: true });
  await page.keyboard.press('ArrowUp');
  await expect.poll(heard).toEqual({ volume: 1, muted: false });
  for (let step = 0; step < 10; step++) await page.keyboard.press('ArrowDown');
  await expect.poll(heard).toEqual({ volume: 0, muted: true });
  await page.keyboard.press('m');
  await expect.poll(heard).toEqual({ volume: 0.5, muted: false });
});

test('C on a film without captions leaves the choice for the next ones as it is', async ({ page }) => {
  const [spoken, silent] = [await videoIdOf(page, 'Harbour at dusk'), await videoIdOf(page, 'Aurora over the fells')];
  const player = playerOf(page);
  const captions = player.getByRole('button', { name: 'Captions' });
  const said = player.getByRole('main').getByRole('status').last();
  await page.goto(`/video/${spoken}?query=harbour`);
  await expect(captions).toHaveAttribute('aria-pressed', 'true');
  await captions.click();
  await expect(captions).toHaveAttribute('aria-pressed', 'false');
  await page.goto(`/video/${silent}`);
  await player.getByRole('slider', { name: 'Position' }).press('c');
  await expect(said).toHaveText('This video has no captions');
  await page.goto(`/video/${spoken}`);
  await expect(captions).toHaveAttribute('aria-pressed', 'false');
});

test('a film plays on by itself when what comes next comes again, and says meanwhile that it does not', async ({ page }) => {
  const behindFirst = /\/media\/[^?]*\/(?!00000)\d{5}\.m4s/;
  await page.route(behindFirst, (route) => route.abort());
  await page.goto(`/video/${await videoIdOf(page, 'Harbour at dusk')}`);
  const player = playerOf(page);
  const fault = player.getByRole('alert').filter({ hasText: 'The connection to this video was lost.' });
  await expect(fault).toBeVisible();
  const { seconds } = await playing(page);
  expect(seconds, 'what had come was played').toBeGreaterThan(1);
  const asked = page.waitForRequest(behindFirst);
  await fault.getByRole('button', { name: 'Try again' }).click();
  await asked;
  await expect(fault).toBeVisible();
  await page.unroute(behindFirst);
  await expect(fault).toHaveCount(0);
  await expect.poll(async () => (await playing(page)).seconds).toBeGreaterThan(seconds + 1);
  expect(await playing(page)).toMatchObject({ paused: false });
});

test('a film that could not be decoded plays on where it stood when somebody tries again', async ({ page }) => {
  const behindFirst = /\/media\/[^?]*\/(?!00000)\d{5}\.m4s/;
  await page.route(behindFirst, async (route) => {
    const response = await route.fetch();
    const body = await response.body();
    await route.fulfill({ response, body: body.fill(255, body.indexOf('mdat') + 4) });
  });
  await page.goto(`/video/${await videoIdOf(page, 'Harbour at dusk')}`);
  const fault = playerOf(page).getByRole('alert').filter({ hasText: 'This video cannot be played right now.' });
  await expect(fault).toBeVisible();
  const { seconds } = await playing(page);
  await page.unroute(behindFirst);
  await fault.getByRole('button', { name: 'Try again' }).click();
  await expect(fault).toHaveCount(0);
  await expect.poll(async () => (await playing(page)).seconds).toBeGreaterThan(seconds + 1);
  expect(await playing(page)).toMatchObject({ paused: false });
});

test('a film that opens in an outage begins at the second of its link, and a browser that is offline is told like any other', async ({
  page,
  context,
}) => {
  const pieces = /\/media\/[^?]*\.m4s/;
  const id = await videoIdOf(page, 'Harbour at dusk');
  const fault = playerOf(page).getByRole('alert').filter({ hasText: 'The connection to this video was lost.' });
  await page.route(pieces, (route) => route.abort());
  await page.goto(`/video/${id}?t=21`);
  await expect(fault).toBeVisible();
  await page.unroute(pieces);
  await fault.getByRole('button', { name: 'Try again' }).click();
  await expect(fault).toHaveCount(0);
  await expect.poll(async () => (await playing(page)).seconds).toBeGreaterThan(20.5);

  await page.route(pieces, (route) => (route.request().url().includes('00000') ? route.continue() : route.abort()));
  await page.goto(`/video/${id}`);
  await expect.poll(async () => (await playing(page)).seconds).toBeGreaterThan(0);
  await context.setOffline(true);
  await expect(fault).toBeVisible();
  await playerOf(page).getByRole('button', { name: 'Pause' }).click();
  await expect(playerOf(page).getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  await page.unroute(pieces);
  await context.setOffline(false);
  await expect(fault).toHaveCount(0);
});

test('what is said carries its language: on a card, in the lines, in captions and on paper', async ({ page, archive }) => {
  const name = 'Harbour at dusk';
  const { pool } = archive.database;
  const { rows } = await pool.query('select id, language from videos where name = $1', [name]);
  await pool.query("update videos set language = 'nb' where name = $1", [name]);
  try {
    await page.goto('/search?query=starboard&skip=0');
    await expect(page.locator('.moment-text [lang=nb]').first()).toContainText('starboard');
    await page.goto(`/video/${rows[0]?.id}?t=21&query=starboard`);
    await expect(insightsOf(page).locator('p[lang=nb]').filter({ hasText: 'green to starboard.' })).toBeVisible();
    await expect(playerOf(page).locator('.cap')).toHaveAttribute('lang', 'nb');
    await page.emulateMedia({ media: 'print' });
    await expect(page.locator('.printed-lines [lang=nb]').first()).toBeAttached();
  } finally {
    await pool.query('update videos set language = $2 where name = $1', [name, rows[0]?.language]);
  }
});
