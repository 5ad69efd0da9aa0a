import type { Page } from '@playwright/test';
import { enterAs, expect, takePicture, test, videoIdOf } from './journey.ts';

async function chooseFilms(page: Page, names: readonly string[]): Promise<void> {
  await page.goto('/desk/films');
  for (const name of names)
    await page
      .getByRole('row', { name: new RegExp(name) })
      .getByRole('checkbox')
      .check();
}

test('an editor keeps several films back until a time, and shows them to everyone again with one press', async ({ page, archive }) => {
  await enterAs(page, archive, { editor: true });
  const ids = [await videoIdOf(page, 'Under the pier'), await videoIdOf(page, 'Dunes in the wind')];
  await chooseFilms(page, ['Under the pier', 'Dunes in the wind']);
  await page.getByRole('button', { name: 'Change visibility' }).click();
  const window = page.getByRole('dialog', { name: 'Who can see 2 videos' });
  await window.getByRole('radio', { name: 'From a date' }).click();
  await window.getByLabel('From (this device’s time)').fill('2100-01-01T09:00');
  await takePicture(page, 'desk-embargo');
  await window.getByRole('button', { name: 'Change 2 videos' }).click();
  const told = page.getByRole('status').getByRole('paragraph').filter({ hasText: 'Visibility of 2 videos changed.' });
  await expect(told).toBeVisible();
  const kept = async () =>
    (
      await archive.database.pool.query(
        `select count(*)::int as n from film_visibility
          where video_id = any ($1) and shown_to = 'editors' and extract(year from until at time zone 'UTC') in (2099, 2100)`,
        [ids],
      )
    ).rows[0]?.n;
  expect(await kept()).toBe(2);
  await told.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Undone.')).toBeVisible();
  expect(await kept()).toBe(0);
});

test('films that are refused stay chosen with what was typed, and one that is shown to everyone by mistake comes back with its reason', async ({
  page,
  archive,
}) => {
  await enterAs(page, archive, { editor: true });
  const names = ['Under the pier', 'Dunes in the wind'];
  await chooseFilms(page, names);
  await page.getByRole('button', { name: 'Change visibility' }).click();
  const window = page.getByRole('dialog', { name: 'Who can see 2 videos' });
  await window.getByRole('radio', { name: 'From a date' }).click();
  const from = window.getByLabel('From (this device’s time)');
  await from.fill('2001-01-01T09:00');
  await window.getByRole('button', { name: 'Change 2 videos' }).click();
  await expect(window.getByRole('alert')).toContainText('That time has passed');
  await expect(from).toHaveValue('2001-01-01T09:00');
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog', { name: 'Discard what you typed?' }).getByRole('button', { name: 'Cancel' }).click();
  await window.getByRole('radio', { name: 'Taken down' }).click();
  await window.getByLabel('Reason').fill('Rights unclear');
  await window.getByRole('button', { name: 'Change 2 videos' }).click();
  await expect(page.getByText('Visibility of 2 videos changed.')).toBeVisible();
  await expect(window).toBeHidden();

  await page.getByRole('link', { name: 'Restricted', exact: true }).click();
  const row = page.getByRole('row', { name: /Under the pier/ });
  await row.getByRole('button', { name: /^Show to everyone/ }).click();
  const told = page.getByRole('status').getByRole('paragraph').filter({ hasText: 'Visible to everyone: Under the pier' });
  await expect(row).toHaveCount(0);
  await told.getByRole('button', { name: 'Undo' }).click();
  await expect(row).toContainText('Rights unclear');
  for (const name of names) await page.getByRole('button', { name: `Show to everyone: ${name}` }).click();
  await expect(page.getByText('All videos are visible to everyone.')).toBeVisible();

  // The box says what is asked for, whichever way that was changed; on a small screen all are chosen by one press as well.
  await page.getByRole('link', { name: 'Videos', exact: true }).click();
  const filter = page.getByLabel('Filter by title, file name or id');
  await filter.fill('pier');
  await expect(page).toHaveURL(/text=pier/);
  await page.getByRole('link', { name: 'Videos', exact: true }).click();
  await expect(page).not.toHaveURL(/text=/);
  await expect(filter).toHaveValue('');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('checkbox', { name: 'Select all videos shown' }).check();
  await expect(page.getByText(/^\d+ videos selected$/)).toBeVisible();
  await takePicture(page, 'desk-films-all');
});
