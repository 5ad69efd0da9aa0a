import { limits } from '#contract/limits.ts';
import { openLocalStore } from '#domain/files/local-store.ts';
import { addFilm } from '#testing/add-film.ts';
import { enterAs, expect, takePicture, test } from './journey.ts';

test('what more lines of a film say than one call changes is written otherwise by one press, and taken back by one', async ({
  page,
  archive,
}) => {
  await enterAs(page, archive, { editor: true });
  const { pool } = archive.database;
  const lines = Array.from({ length: limits.changesAtOnceMax + 1 }, (_, n) => `Whimbrel number ${n}`);
  const id = await addFilm({ pool, store: openLocalStore(archive.dataFolder) }, { name: 'All whimbrels', lines });
  const count = async (word: string) =>
    (await pool.query(`select regexp_count(convert_from(body, 'UTF8'), $2) as count from moments where video_id = $1`, [id, word])).rows[0]
      .count;
  await page.goto('/desk/replace');
  await page.getByLabel('Find', { exact: true }).fill('whimbrel');
  await page.getByLabel('Replace with').fill('Curlew');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Replace in 2,001 lines of 1 video' }).click();
  await expect(page.getByText('2,001 lines of 1 video changed.')).toBeVisible();
  expect([await count('Whimbrel'), await count('Curlew')]).toEqual([0, 2_001]);
  await page.getByRole('button', { name: 'Undo all' }).click();
  await expect(page.getByText('Undone.')).toBeVisible();
  expect([await count('Whimbrel'), await count('Curlew')]).toEqual([2_001, 0]);

  await page.goto(`/video/${id}?edit=transcript`);
  // Not by its role: to find the roles of a page of so many lines takes longer than to draw it.
  const many = page.locator('details').filter({ hasText: 'Change many lines' });
  await many.getByText('Change many lines').click();
  await many.getByLabel('Find').fill('whimbrel');
  await many.getByLabel('Replace with').fill('Curlew');
  await many.getByRole('button', { name: 'Replace in 2001 lines' }).click();
  const drawn = { timeout: 60_000 };
  await expect(many.getByRole('status')).toHaveText('2001 lines changed.', drawn);
  expect([await count('Whimbrel'), await count('Curlew')]).toEqual([0, 2_001]);
  await many.getByRole('button', { name: 'Undo all' }).click();
  await expect(many.getByRole('status')).toHaveText('Undone.', drawn);
  expect([await count('Whimbrel'), await count('Curlew')]).toEqual([2_001, 0]);

  // The connection is lost between two calls, and what the first one did cannot be taken back yet.
  let calls = 0;
  const corrections = /\/api\/videos\/[^/]+\/(lines|corrections)/;
  await page.route(corrections, (route) => (route.request().method() === 'GET' || calls++ === 0 ? route.continue() : route.abort()));
  await many.getByLabel('Find').fill('whimbrel');
  await expect(many.getByRole('listitem')).toHaveCount(201);
  await many.getByRole('button', { name: 'Replace in 2001 lines' }).click();
  await expect(many.getByRole('alert')).toContainText('A part of the lines was changed before', drawn);
  expect([await count('Whimbrel'), await count('Curlew')]).toEqual([1, 2_000]);
  await page.unroute(corrections);
  await many.getByRole('button', { name: 'Undo all' }).click();
  await expect(many.getByRole('status')).toHaveText('Undone.', drawn);
  expect([await count('Whimbrel'), await count('Curlew')]).toEqual([2_001, 0]);
  await pool.query('delete from videos where id = $1', [id]);
});

test('what was done last to a line is taken back by the key, also a line that was removed, and nothing is done to its neighbours', async ({
  page,
  archive,
}) => {
  await enterAs(page, archive, { editor: true });
  const id = await addFilm(
    { pool: archive.database.pool, store: openLocalStore(archive.dataFolder) },
    { name: 'Three buoys', lines: ['The first buoy', 'The second buoy', 'The third buoy'] },
  );
  await page.goto(`/video/${id}?edit=transcript`);
  const editor = page.getByRole('region', { name: 'Edit transcript' });
  const words = editor.getByRole('textbox', { name: 'Transcript line' });
  const status = editor.getByRole('status');
  await expect(words).toHaveValue('The first buoy');
  await words.press('Enter');
  await expect(words).toHaveValue('The second buoy');
  await words.press('Enter');
  await expect(words).toHaveValue('The third buoy');
  await editor.getByRole('button', { name: 'The first buoy' }).click();
  await editor.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(editor.getByText('2 of 3 checked')).toBeHidden();
  await expect(words).toHaveValue('The second buoy');
  await takePicture(page, 'edit-lines-removed');
  await words.press('Alt+u');
  await expect(status).toHaveText('Undone.');
  await expect(words).toHaveValue('The first buoy');
  await expect(editor.getByText('2 of 3 checked')).toBeVisible();

  // A press too many leads on to the next line; what it did was done to the one before.
  await editor.getByRole('button', { name: 'The third buoy' }).click();
  await words.fill('The third boy');
  await editor.getByRole('button', { name: 'The second buoy' }).click();
  await expect(editor.getByText('3 of 3 checked')).toBeVisible();
  await expect(words).toHaveValue('The second buoy');
  await words.press('Alt+u');
  await expect(words).toHaveValue('The third buoy');
  await expect(editor.getByText('2 of 3 checked')).toBeVisible();

  // Also where no line is left.
  for (const left of [2, 1, 0]) {
    await editor.getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(editor.getByRole('listitem')).toHaveCount(left);
  }
  await expect(editor.getByText('This transcript has no lines.')).toBeVisible();
  await editor.getByRole('button', { name: 'Undo removing this line' }).click();
  await expect(editor.getByRole('listitem')).toHaveCount(1);
  await archive.database.pool.query('delete from videos where id = $1', [id]);
});
