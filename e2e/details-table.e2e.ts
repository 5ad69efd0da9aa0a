import { enterAs, expect, expectAccessible, takePicture, test, videoIdOf } from './journey.ts';

test('an editor says what the columns of a table hold, sees what each row changes, has it written, and takes all of it back', async ({
  page,
  archive,
}) => {
  await enterAs(page, archive, { editor: true });
  const id = await videoIdOf(page, 'Harbour at dusk');
  await page.goto('/desk/details');
  const chosen = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a table' }).click();
  const csv = 'Title,Shot in,Date,Notes\nHarbour at dusk,Norvik,1958-06,x\nUnder the pier,,summer,y\nLost reel,Norvik,,z\n';
  await (await chosen).setFiles({ name: 'tapes.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });

  // What it takes them for is shown, and corrected where it is wrong.
  await expect(page.getByLabel('What “Title” holds')).toHaveValue('mark title');
  await expect(page.getByLabel('What “Date” holds')).toHaveValue('fact recordedAt');
  await expect(page.getByRole('button', { name: 'Change 1 detail of 1 video' })).toBeVisible();
  await page.getByLabel('What “Shot in” holds').selectOption('Place');
  const change = page.getByRole('button', { name: 'Change 2 details of 1 video' });
  await expect(change).toBeVisible();
  // A look at another page leaves the table as it was.
  await page.getByRole('link', { name: 'Videos', exact: true }).click();
  await expect(page.getByRole('table', { name: 'Videos' })).toBeVisible();
  await page.goBack();
  await expect(change).toBeVisible();
  const changed = page.getByRole('table', { name: 'What is changed' });
  await expect(changed.getByRole('row').nth(1)).toContainText('Recorded: 1958-06');
  await expect(changed.getByRole('row').nth(1)).toContainText('Place: Norvik');
  await page.getByText('2 problems').click();
  await expect(page.getByText('Row 3: A recording date is a year, month or day')).toBeVisible();
  await expect(page.getByText('Row 4: “Lost reel” matches no video.')).toBeVisible();
  await takePicture(page, 'desk-details');
  await expectAccessible(page);
  const facts = async () => {
    const { rows } = await archive.database.pool.query('select place, recorded_at as recorded from videos where id = $1', [id]);
    return rows[0];
  };
  const before = await facts();
  expect(before.place).not.toBe('Norvik');

  // It goes on where another page is looked at: the tab is not closed unasked, and whoever comes back cannot begin it again.
  const held = Promise.withResolvers<void>();
  await page.route('**/facts/*', (route) => held.promise.then(() => route.continue()), { times: 1 });
  await change.press('Enter');
  await page.getByRole('link', { name: 'Videos', exact: true }).click();
  await expect(page.getByRole('table', { name: 'Videos' })).toBeVisible();
  expect(await page.evaluate(() => window.dispatchEvent(new Event('beforeunload', { cancelable: true })))).toBe(false);
  await page.goBack();
  await expect(change).toHaveAttribute('aria-busy', 'true');
  held.resolve();
  const told = page.getByRole('status').getByRole('paragraph').filter({ hasText: '2 details changed.' });
  await expect(told).toBeVisible();
  expect(await facts()).toEqual({ place: 'Norvik', recorded: '1958-06' });
  await expect(page.getByText('Nothing to change')).toBeVisible();
  await told.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Undone.')).toBeVisible();
  await expect.poll(facts).toEqual(before);
  await expect(change).toBeVisible();
});

test('a table without a column that tells the film, or without rows, says what it needs, and nobody else finds it', async ({
  page,
  archive,
}) => {
  await enterAs(page, archive, { editor: true });
  await page.goto('/desk/details');
  const choose = async (name: string, csv: string) => {
    const chosen = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: /^Choose a/ }).click();
    await (await chosen).setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(csv) });
  };
  await choose('places.csv', 'Place,Rights\nNorvik,CC BY\n');
  await expect(page.getByText('Choose the column that says which video')).toBeVisible();
  await choose('empty.csv', 'Title,Place\n');
  await expect(page.getByText('empty.csv has no rows below its column names.')).toBeVisible();
  await choose('tapes.csv', 'Title,Place\nHarbour at dusk,Norvik\n');
  await expect(page.getByText('tapes.csv')).toBeVisible();
  // Whoever signs in at this browser next does not find it.
  await enterAs(page, archive, { editor: true });
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  await expect(page.getByRole('button', { name: 'Choose a table' })).toBeVisible();
  await expect(page.getByText('tapes.csv')).toBeHidden();
});
