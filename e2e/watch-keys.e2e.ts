import { enterAs, expect, expectAccessible, insightsOf, playerOf, playerSeconds, playing, test, videoIdOf } from './journey.ts';

test.beforeEach(({ page, archive }) => enterAs(page, archive, { viewer: true }).then(() => undefined));

/** Of the sample films. */
const framesPerSecond = 24;

test('the player obeys its keys wherever the focus is: on the page, in its own frame, in the insights', async ({ page }) => {
  await page.goto(`/video/${await videoIdOf(page, 'Harbour at dusk')}?t=5&query=tide`);
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
      ['.', 1 / framesPerSecond],
      [',', 0],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(() => playerSeconds(page), `${place}, ${key}`).toBeCloseTo(seconds + moved, 1);
    }
    await page.keyboard.press('m');
    await expect.poll(() => playing(page), place).toMatchObject({ muted: !muted });
    await page.keyboard.press('n');
    await expect.poll(() => playerSeconds(page), place).toBeCloseTo(27.3, 0);
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await expect.poll(() => playing(page), place).toMatchObject({ paused: false });
  }
});

test('a second of steps by a frame is a second of the film, however far apart its frames are', async ({ page }) => {
  await page.goto(`/video/${await videoIdOf(page, 'Harbour at dusk')}?t=5`);
  await expect.poll(() => playerSeconds(page)).toBeGreaterThanOrEqual(6);
  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press('k');
  const video = playerOf(page).locator('video');
  const isSeeking = () => video.evaluate(({ seeking }: HTMLVideoElement) => seeking);
  const press = async (key: string, times: number) => {
    for (let step = 0; step < times; step++) {
      const before = await playerSeconds(page);
      await page.keyboard.press(key);
      await expect.poll(() => playerSeconds(page)).not.toBe(before);
      await expect.poll(isSeeking).toBe(false);
    }
  };
  // From the middle of a frame.
  await press('.', 1);
  const { seconds } = await playing(page);
  await press('.', 2 * framesPerSecond);
  expect(Math.abs((await playing(page)).seconds - seconds - 2)).toBeLessThan(0.02);
  await press(',', 5);
  expect(Math.abs((await playing(page)).seconds - seconds - 2 + 5 / framesPerSecond)).toBeLessThan(0.02);
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
  await insightsOf(page).getByRole('tab', { name: 'Timeline' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(insightsOf(page).getByRole('tab', { name: 'Insights' })).toBeFocused();
  await page.keyboard.press('/');
  const field = page.getByRole('combobox', { name: 'Search the archive' });
  await expect(field).toBeFocused();
  await page.keyboard.type('kl ');
  await expect(field).toHaveValue('kl ');
  expect(await playing(page)).toMatchObject({ paused: true, seconds });
  const speed = playerOf(page).getByRole('combobox', { name: 'Speed' });
  await speed.focus();
  await page.keyboard.press('ArrowDown');
  await expect(speed).toHaveValue('1.25');
  await expect(speed).toBeFocused();
  await page.getByRole('heading', { level: 1 }).click();
  await speed.click();
  await speed.selectOption('1.5');
  await expect(speed).not.toBeFocused();
  await page.getByRole('contentinfo').getByRole('link').last().focus();
  await page.keyboard.press('?');
  await expect(playerOf(page).getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeInViewport();
  await page.keyboard.press('Escape');
  await expect(playerOf(page).getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeHidden();
});

test('letters and signs do nothing by themselves for whoever has turned them off, and what scrolls a page scrolls it', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 500 });
  await page.goto(`/video/${await videoIdOf(page, 'Harbour at dusk')}?t=5`);
  await expect.poll(() => playerSeconds(page)).toBeGreaterThanOrEqual(5);
  const heading = page.getByRole('heading', { level: 1 });
  const film = playerOf(page).locator('video');
  // On a slow machine it would end before all is tried.
  await film.evaluate((video: HTMLVideoElement) => {
    video.loop = true;
  });
  const volume = () => film.evaluate((video: HTMLVideoElement) => video.volume);
  await heading.focus();
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(0);
  expect(await volume()).toBe(1);
  await playerOf(page).getByRole('button', { name: 'Full screen' }).press('ArrowDown');
  await expect.poll(volume).toBeCloseTo(0.9);
  await expect(playerOf(page).getByRole('slider', { name: 'Position' })).toHaveAttribute('aria-valuetext', /^\d+ seconds? of 32 seconds$/);

  await heading.focus();
  await page.keyboard.press('?');
  const list = playerOf(page).getByRole('dialog', { name: 'Keyboard shortcuts' });
  await list.getByRole('switch', { name: 'Single-letter keys' }).click();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  const places = [
    heading,
    playerOf(page).getByRole('slider', { name: 'Position' }),
    insightsOf(page).getByRole('tab', { name: 'Insights' }),
  ];
  for (const place of places) {
    await place.focus();
    for (const key of ['k', '/', '?', 'm']) await page.keyboard.press(key);
    await expect(place).toBeFocused();
  }
  expect(await playing(page)).toMatchObject({ paused: false, muted: false });
  await heading.focus();
  await page.keyboard.press('Space');
  await expect.poll(() => playing(page)).toMatchObject({ paused: true });
  // The list has no key any more, but a button.
  await playerOf(page).getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await expect(list).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Search help' }).click();
  const toggle = page.getByRole('dialog', { name: 'Search help' }).getByRole('switch', { name: 'Single-letter keys' });
  await expect(toggle).toHaveAttribute('aria-checked', 'false');
  await toggle.click();
  await page.keyboard.press('Escape');
  await heading.focus();
  await page.keyboard.press('k');
  await expect.poll(() => playing(page)).toMatchObject({ paused: false });
});

test('[ and ], and the buttons beside Play, go from shot to shot, whose beginnings the strip marks', async ({ page }) => {
  await page.goto(`/video/${await videoIdOf(page, 'Dunes in the wind')}`);
  await expect(playerOf(page).locator('.shot')).toHaveCount(2);
  await playerOf(page).getByRole('button', { name: 'Pause' }).click();
  await page.keyboard.press('Home');
  await page.keyboard.press(']');
  await expect.poll(() => playerSeconds(page)).toBeGreaterThan(5);
  const first = await playerSeconds(page);
  // A little behind the cut: before it the picture may still be that of the shot before.
  const shares = await playerOf(page)
    .locator('.shot')
    .evaluateAll((all: HTMLElement[]) => all.map(({ style }) => Number.parseFloat(style.left) / 100));
  const cut =
    (shares[0] ?? 0) *
    (await playerOf(page)
      .locator('video')
      .evaluate(({ duration }: HTMLVideoElement) => duration));
  expect(first).toBeGreaterThan(cut + 0.05);
  expect(first).toBeLessThan(cut + 0.2);
  await page.keyboard.press(']');
  await expect.poll(() => playerSeconds(page)).toBeGreaterThan(first + 3);
  await page.keyboard.press('[');
  await expect.poll(() => playerSeconds(page)).toBe(first);
  await playerOf(page).getByRole('button', { name: 'Next shot' }).click();
  await expect.poll(() => playerSeconds(page)).toBeGreaterThan(first + 3);
  await playerOf(page).getByRole('button', { name: 'Previous shot' }).click();
  await expect.poll(() => playerSeconds(page)).toBe(first);
});

test('a video that is still asked for says so, and what it is in the title', async ({ page }) => {
  const id = await videoIdOf(page, 'Harbour at dusk');
  const held = Promise.withResolvers<void>();
  await page.route(/\/Videos\/\w+\/Index/, (route) => held.promise.then(() => route.continue()));
  await page.goto(`/video/${id}`);
  await expect(page.getByRole('main').getByRole('status')).toHaveText('Loading video');
  await expect(page).toHaveTitle(/^Video — /);
  held.resolve();
  await expect(page.getByRole('heading', { level: 1, name: 'Harbour at dusk' })).toBeVisible();
  await expect(page).toHaveTitle(/^Harbour at dusk — /);
});

test('what N, C and M did is said, wherever the key was pressed', async ({ page }) => {
  await page.goto(`/video/${await videoIdOf(page, 'Harbour at dusk')}?t=5&query=tide`);
  await expect.poll(() => playerSeconds(page)).toBeGreaterThanOrEqual(5);
  const player = playerOf(page);
  const said = player.getByRole('main').getByRole('status').last();
  await player.getByRole('button', { name: 'Pause' }).click();
  const { muted } = await playing(page);
  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press('m');
  await expect(said).toHaveText(muted ? 'Sound on' : 'Sound off');
  await page.keyboard.press('m');
  await expect(said).toHaveText(muted ? 'Sound off' : 'Sound on');
  await page.keyboard.press('c');
  await expect(said).toHaveText(/^Captions o(n|ff)$/);
  const [, wasTurned] = /Captions (on|off)/.exec((await said.textContent()) ?? '') ?? [];
  await expect(player.getByRole('button', { name: 'Captions' })).toHaveAttribute('aria-pressed', `${wasTurned === 'on'}`);
  await page.keyboard.press('n');
  await expect(said).toHaveText(/^Match \d of \d, 27 seconds: .*tide/i);
  await page.keyboard.press('n');
  await expect(said).toHaveText('No next match');
});

test('Enter in the insights goes to a match of what stands in the field, also where that is still asked for', async ({ page }) => {
  await page.goto(`/video/${await videoIdOf(page, 'Harbour at dusk')}`);
  await expect.poll(() => playerSeconds(page)).toBeGreaterThan(0);
  await playerOf(page).getByRole('button', { name: 'Pause' }).click();
  const field = insightsOf(page).getByRole('searchbox');
  const held = new Map(['tide', 'starboard'].map((query) => [query, Promise.withResolvers<void>()]));
  await page.route('**/Matches?*', async (route) => {
    await held.get(new URL(route.request().url()).searchParams.get('query') ?? '')?.promise;
    await route.continue();
  });
  for (const [query, seconds] of [
    ['tide', 27.3],
    ['starboard', 22],
  ] as const) {
    await playerOf(page).getByRole('slider', { name: 'Position' }).press('Home');
    const asked = page.waitForRequest((request) => request.url().includes(`/Matches?`) && request.url().includes(`query=${query}`));
    await field.fill(query);
    await field.press('Enter');
    await asked;
    held.get(query)?.resolve();
    await expect.poll(() => playerSeconds(page), query).toBeCloseTo(seconds, 0);
  }
});

test('the device shows what the film is called, and its keys handle it', async ({ page }) => {
  await page.addInitScript(() => {
    const { mediaSession } = navigator;
    const handlers = new Map<string, MediaSessionActionHandler | null>();
    const { setActionHandler } = MediaSession.prototype;
    MediaSession.prototype.setActionHandler = function hear(action, handler) {
      handlers.set(action, handler);
      return setActionHandler.call(mediaSession, action, handler);
    };
    addEventListener('press-on-device', (event) => {
      if (event instanceof CustomEvent) handlers.get(event.detail.action)?.(event.detail);
    });
  });
  await page.goto(`/video/${await videoIdOf(page, 'Harbour at dusk')}?t=5`);
  await expect.poll(() => playerSeconds(page)).toBeGreaterThanOrEqual(5);
  const video = playerOf(page).locator('video');
  const shown = () =>
    video.evaluate(() => {
      const { title, artist, artwork } = navigator.mediaSession.metadata ?? {};
      return { title, artist, pictures: artwork?.map(({ src }) => new URL(src).pathname.split('/').at(-1)) };
    });
  await expect.poll(shown).toEqual({ title: 'Harbour at dusk', artist: 'Rushes', pictures: ['poster.jpg'] });
  const press = (action: string, more = {}) =>
    video.evaluate((_video, detail) => window.dispatchEvent(new CustomEvent('press-on-device', { detail })), { action, ...more });
  await press('pause');
  await expect.poll(() => playing(page)).toMatchObject({ paused: true });
  await press('seekto', { seekTime: 12 });
  await expect.poll(() => playerSeconds(page)).toBeCloseTo(12, 1);
  await press('seekforward');
  await expect.poll(() => playerSeconds(page)).toBeCloseTo(22, 1);
  await press('seekbackward');
  await expect.poll(() => playerSeconds(page)).toBeCloseTo(12, 1);
  await press('play');
  await expect.poll(() => playing(page)).toMatchObject({ paused: false });
});
