import { enterAs, expect, takePicture, test, videoIdOf } from './journey.ts';

test('an editor keeps several films back until a time, and shows them to everyone again with one press', async ({ page, archive }) => {
  await enterAs(page, archive, { editor: true });
  const ids = [await videoIdOf(page, 'Under the pier'), await videoIdOf(page, 'Dunes in the wind')];
  await page.goto('/desk/films');
  for (const name of ['Under the pier', 'Dunes in the wind'])
    await page
      .getByRole('row', { name: new RegExp(name) })
      .getByRole('checkbox')
      .check();
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
