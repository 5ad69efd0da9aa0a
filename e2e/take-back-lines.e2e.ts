import { openLocalStore } from '#domain/files/local-store.ts';
import { addFilm } from '#testing/add-film.ts';
import { enterAs, expect, takePicture, test } from './journey.ts';

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
