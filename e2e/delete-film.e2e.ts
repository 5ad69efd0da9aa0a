import type { Page } from '@playwright/test';
import { openLocalStore } from '#domain/files/local-store.ts';
import { addFilm } from '#testing/add-film.ts';
import { enterAs, expect, expectAccessible, takePicture, test } from './journey.ts';

async function expectFound(page: Page, query: string, films: string[]): Promise<void> {
  await expect(async () => {
    await page.goto(`/search?query=${query}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('article').getByRole('heading', { level: 2 })).toHaveText(films, { timeout: 2_000 });
  }).toPass({ timeout: 30_000 });
}

test('an editor deletes a film by the keyboard, nobody finds it, and it comes back with one press; an administrator erases it by its title', async ({
  page,
  archive,
}) => {
  await enterAs(page, archive, { editor: true, admin: true });
  const name = 'The last ferry';
  const store = openLocalStore(archive.dataFolder);
  const id = await addFilm({ pool: archive.database.pool, store }, { name, lines: ['The pier is empty after the last ferry'] });
  const remove = async () => {
    await page.goto(`/video/${id}`);
    await page.getByRole('button', { name: 'Delete video' }).press('Enter');
    const asking = page.getByRole('alertdialog', { name: 'Delete this video?' });
    await expect(asking).toContainText('30 days');
    await asking.getByLabel('Reason').fill('Rights ended');
    return asking;
  };
  const asking = await remove();
  await takePicture(page, 'delete-film');
  await expectAccessible(page, { include: '[role=alertdialog]' });
  await asking.getByRole('button', { name: 'Delete video' }).press('Enter');
  const row = page.getByRole('row', { name: new RegExp(name) });
  await expect(row).toContainText('Rights ended');
  await expect(row).toContainText('36 days');
  await expectAccessible(page);
  await takePicture(page, 'deleted-films');
  // As a card it says by itself what its times are of.
  await page.setViewportSize({ width: 390, height: 844 });
  const labels = () => row.locator('td').evaluateAll((all) => all.map((one) => getComputedStyle(one, '::before').content));
  await expect.poll(labels).toEqual(['none', '"Deleted" / ""', '"Time left" / ""', 'none']);
  await page.setViewportSize({ width: 1_280, height: 720 });
  await expectFound(page, '%22last+ferry%22', []);
  await page.goto(`/video/${id}`);
  await expect(page.getByRole('button', { name: 'Delete video' })).toHaveCount(0);
  // Who may bring it back is told that it was deleted, and not that there never was such a page.
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This video has been deleted.');
  await expect(page.getByRole('alert')).toContainText(`“${name}” was deleted by`);
  await expectAccessible(page);
  await takePicture(page, 'deleted-film');
  await page.getByRole('link', { name: 'Deleted videos' }).press('Enter');
  await expect(page).toHaveURL('/desk/deleted');

  const restore = row.getByRole('button', { name: 'Restore' });
  const width = (await restore.boundingBox())?.width;
  const held = Promise.withResolvers<void>();
  await page.route(/\/restore/i, (route) => held.promise.then(() => route.continue()));
  await restore.press('Enter');
  await expect(restore).toHaveAttribute('aria-busy', 'true');
  expect((await restore.boundingBox())?.width, 'width of a busy button').toBe(width);
  held.resolve();
  await expect(page.getByText('No deleted videos.')).toBeVisible();
  await expectFound(page, '%22last+ferry%22', [name]);

  await (await remove()).getByRole('button', { name: 'Delete video' }).press('Enter');
  await row.getByRole('button', { name: 'Erase now' }).press('Enter');
  const erasing = page.getByRole('alertdialog', { name: 'Erase this video for good?' });
  await erasing.getByLabel('Title').fill('Ferry');
  await erasing.getByRole('button', { name: 'Erase video' }).press('Enter');
  await expect(erasing.getByRole('alert')).toContainText('Nothing was erased');
  await erasing.getByLabel('Title').fill(name);
  await erasing.getByRole('button', { name: 'Erase video' }).press('Enter');
  await expect(page.getByText('No deleted videos.')).toBeVisible();

  // What was done with it is told, and leads to no page that is not there.
  await page.goto('/admin/activity');
  const told = page.getByRole('table', { name: 'Activity' }).getByRole('row').filter({ hasText: name });
  await expect(told.first()).toBeVisible();
  await expect(told.getByRole('link')).toHaveCount(0);
});

test('what another editor calls a film and who sees it now is shown on a page that is open, and the film can be deleted there', async ({
  page,
  archive,
}) => {
  await enterAs(page, archive, { editor: true });
  const store = openLocalStore(archive.dataFolder);
  const id = await addFilm({ pool: archive.database.pool, store }, { name: 'Ferry to nowhere', lines: ['Nobody is on board'] });
  const looksForChanges = page.waitForResponse((answer) => answer.url().endsWith('/revision'));
  await page.goto(`/video/${id}`);
  await looksForChanges;
  const put = (path: string, body: object) =>
    page.evaluate(
      async ({ address, sent }) =>
        (await fetch(address, { method: 'PUT', headers: { 'content-type': 'application/json' }, body: sent })).status,
      { address: `/api/videos/${id}/${path}`, sent: JSON.stringify(body) },
    );
  expect(await put('facts/title', { replaces: 'Ferry to nowhere', says: 'Ferry to the islands' })).toBe(200);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ferry to the islands');
  expect(await put('facts/place', { replaces: '', says: 'Strandvik' })).toBe(200);
  await expect(page.getByRole('region', { name: 'About this video' })).toContainText('Strandvik');
  expect(await put('visibility', { shownTo: 'viewers', until: null, reason: 'Not cleared yet', seenAt: null })).toBe(200);
  await expect(page.getByText('Not cleared yet')).toBeVisible();
  await page.getByRole('button', { name: 'Delete video' }).click();
  const asking = page.getByRole('alertdialog', { name: 'Delete this video?' });
  await expect(asking).toContainText('Ferry to the islands');
  await asking.getByRole('button', { name: 'Delete video' }).click();
  await expect(page.getByRole('row', { name: /Ferry to the islands/ })).toBeVisible();
  await archive.database.pool.query('delete from videos where id = $1', [id]);
});
