import { enterAs, expect, expectAccessible, playerOf, takePicture, test, videoIdOf } from './journey.ts';

test('an editor takes a film down by the keyboard while a viewer watches it, sees it marked, and shows it to everybody again from the desk', async ({
  page,
  browser,
  archive,
}) => {
  const name = 'Night tram, line 28';
  const id = await videoIdOf(page, name);
  const watching = await (await browser.newContext({ baseURL: archive.origin })).newPage();
  await enterAs(watching, archive, { viewer: true });
  await watching.goto(`/video/${id}`);
  await expect(playerOf(watching).locator('video')).toBeVisible();

  await enterAs(page, archive, { editor: true });
  await page.goto(`/video/${id}`);
  await expect(page.getByRole('button', { name: 'Who can see this video' })).toHaveText('Who can see');
  await page.getByRole('button', { name: 'Who can see this video' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Who can see this video' });
  await dialog.getByRole('radio', { name: 'Everyone' }).press('ArrowLeft');
  await expect(dialog.getByRole('radio', { name: 'Taken down' })).toBeFocused();
  await expect(dialog.getByLabel('Reason')).toHaveAttribute('required');
  await dialog.getByLabel('Reason').fill('Somebody in it has asked');
  await takePicture(page, 'film-visibility');
  await expectAccessible(page);
  await dialog.getByLabel('Reason').press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Who can see this video' })).toBeFocused();
  await expect(page.getByText('taken down')).toBeVisible();
  await expect(page.getByText('Somebody in it has asked')).toBeVisible();
  await takePicture(page, 'film-taken-down');

  // Who was watching has no player any more, and need not load anything.
  await expect(watching.getByRole('heading', { level: 1 })).toHaveText('This video is no longer available.');
  await expect(watching.locator('iframe')).toHaveCount(0);
  await takePicture(watching, 'film-taken-from-viewer');
  await watching.goto('/search?query=%22night+tram%22');
  await expect(watching.getByRole('heading', { level: 1 })).toHaveText('No matches found for "night tram"');

  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await takePicture(page, 'film-taken-down-phone');
  // Its poster is for nobody without a token.
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/desk');
  const frame = page.locator('.job').filter({ hasText: name }).locator('.job-frame');
  await frame.scrollIntoViewIfNeeded();
  await expect(frame.locator('svg')).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/desk/kept-back');
  const row = page.getByRole('row', { name: new RegExp(name) });
  await expect(row).toContainText('Somebody in it has asked');
  await takePicture(page, 'kept-back-phone');
  await page.setViewportSize({ width: 1440, height: 900 });
  await takePicture(page, 'kept-back');
  await expectAccessible(page);
  await row.getByRole('button', { name: 'Show to everyone' }).press('Enter');
  await expect(page.getByText('All videos are visible to everyone.')).toBeVisible();
  await watching.reload();
  await expect(watching.getByRole('article').getByRole('heading', { level: 2 })).toHaveText([name]);
  await watching.context().close();
});

test('an editor keeps a film back until a time by the clock of the device, and guests find it from then on', async ({
  page,
  browser,
  archive,
}) => {
  const name = 'Night tram, line 28';
  const id = await videoIdOf(page, name);
  await enterAs(page, archive, { editor: true });
  await page.goto(`/video/${id}`);
  await page.getByRole('button', { name: 'Who can see this video' }).click();
  const dialog = page.getByRole('dialog', { name: 'Who can see this video' });
  await dialog.getByRole('radio', { name: 'From a date' }).click();
  await dialog.getByLabel('From (this device’s time)').fill('2020-01-01T09:00');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByRole('alert')).toContainText('That time has passed.');
  await dialog.getByLabel('From (this device’s time)').fill('2100-01-01T09:00');
  await takePicture(page, 'film-embargo');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('editors only until')).toContainText('2100-01-01 09:00');

  const guest = await (await browser.newContext({ baseURL: archive.origin })).newPage();
  await guest.goto('/search?query=%22night+tram%22');
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText('No matches found for "night tram"');
  await archive.database.pool.query(`update film_visibility set until = now() - interval '1 second'`);
  await guest.reload();
  await expect(guest.getByRole('article').getByRole('heading', { level: 2 })).toHaveText([name]);
  await guest.context().close();
});

test('what another editor decided meanwhile is told, what was typed stays, and another press puts it in the place of theirs', async ({
  page,
  archive,
}) => {
  const id = await videoIdOf(page, 'Under the pier');
  await enterAs(page, archive, { editor: true });
  await page.goto(`/video/${id}`);
  await page.getByRole('button', { name: 'Who can see this video' }).click();
  const dialog = page.getByRole('dialog', { name: 'Who can see this video' });
  await dialog.getByRole('radio', { name: 'Taken down' }).click();
  await dialog.getByLabel('Reason').fill('Somebody in it has asked');
  const decide = (asked: object) =>
    page.evaluate(
      async ({ address, asked }) => {
        const { setAt } = await (await fetch(address)).json();
        const body = JSON.stringify({ until: null, ...asked, seenAt: setAt });
        return (await fetch(address, { method: 'PUT', headers: { 'content-type': 'application/json' }, body })).status;
      },
      { address: `/api/videos/${id}/visibility`, asked },
    );
  expect(await decide({ shownTo: 'viewers', reason: 'Their reason' })).toBe(200);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByRole('alert')).toContainText('has just changed who can see this video');
  await expect(dialog).toContainText('Now: hidden from guests');
  await expect(dialog.getByRole('radio', { name: 'Taken down' })).toHaveAttribute('aria-checked', 'true');
  await expect(dialog.getByLabel('Reason')).toHaveValue('Somebody in it has asked');
  await takePicture(page, 'film-visibility-meanwhile');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('Somebody in it has asked')).toBeVisible();
  expect(await decide({ shownTo: 'everybody', reason: '' })).toBe(200);
});
