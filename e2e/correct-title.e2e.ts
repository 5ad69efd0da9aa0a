import type { Page } from '@playwright/test';
import { enterAs, expect, expectAccessible, playerOf, playerSeconds, takePicture, test, videoIdOf } from './journey.ts';

/** What a guest finds, by the headings of the results. */
async function expectFound(page: Page, query: string, films: string[]): Promise<void> {
  await expect(async () => {
    await page.goto(`/search?query=${query}`);
    await expect(page.getByRole('article').getByRole('heading', { level: 2 })).toHaveText(films, { timeout: 2_000 });
  }).toPass({ timeout: 30_000 });
}

test('an editor gives a film another title by the keyboard, it is found by that, and undone later it is found by the old one', async ({
  page,
  archive,
}) => {
  await enterAs(page, archive, { editor: true });
  const id = await videoIdOf(page, 'Night tram, line 28');
  await page.goto(`/video/${id}`);
  await expect.poll(() => playerSeconds(page)).toBeGreaterThan(0.3);
  const heading = page.getByRole('heading', { level: 1 });
  const edit = page.getByRole('button', { name: 'Edit title' });
  await edit.focus();
  await page.keyboard.press('Enter');
  const field = page.getByRole('textbox', { name: 'Title', exact: true });
  await expect(field).toHaveValue('Night tram, line 28');
  await field.focus();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('Last funicular to Gråberg');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Title' });
  await expect(dialog.getByRole('status')).toHaveText('Title saved.');
  await expect(dialog.getByRole('listitem')).toContainText('instead of “Night tram, line 28”');
  await takePicture(page, 'edit-title');
  await page.keyboard.press('Escape');
  await expect(edit).toBeFocused();
  await expect(heading).toHaveText('Last funicular to Gråberg');
  await expect(page).toHaveTitle(/^Last funicular to Gråberg/);
  const onDevice = () =>
    playerOf(page)
      .locator('video')
      .evaluate(() => navigator.mediaSession.metadata?.title);
  await expect.poll(onDevice).toBe('Last funicular to Gråberg');
  // The film went on meanwhile.
  expect(await playerSeconds(page)).toBeGreaterThan(0.3);

  await expectFound(page, 'funicular', ['Last funicular to Gråberg']);

  await page.goto(`/video/${id}`);
  await edit.click();
  await page.getByRole('button', { name: 'Undo: Last funicular to Gråberg' }).click();
  await expect(dialog.getByRole('status')).toHaveText('Undone.');
  await expect(field).toHaveValue('Night tram, line 28');
  await expect(dialog.getByRole('listitem')).toContainText('Undone by');
  await page.keyboard.press('Escape');
  await expect(heading).toHaveText('Night tram, line 28');
  await expectFound(page, 'funicular', []);
  await expectFound(page, '%22night+tram%22', ['Night tram, line 28']);
});

test('a title that somebody else changed meanwhile is told and not overwritten, and what was typed stays', async ({ page, archive }) => {
  await enterAs(page, archive, { editor: true });
  const id = await videoIdOf(page, 'Rain on the window');
  await page.goto(`/video/${id}`);
  await page.getByRole('button', { name: 'Edit title' }).click();
  const field = page.getByRole('textbox', { name: 'Title', exact: true });
  await field.fill('Rain at six');
  await page.evaluate(async (address) => {
    const body = JSON.stringify({ replaces: 'Rain on the window', says: 'Rain at five' });
    await fetch(address, { method: 'PUT', headers: { 'content-type': 'application/json' }, body });
  }, `/api/videos/${id}/facts/title`);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('alert')).toHaveText('The title has been changed by someone else: it is “Rain at five” now.');
  await expect(field).toHaveValue('Rain at six');
  await expect(page.getByRole('listitem')).toContainText('Rain at five');
  await field.fill(' ');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('alert')).toHaveText('A video needs a title.');
  await page.getByRole('button', { name: 'Undo: Rain at five' }).click();
  await expect(page.getByRole('listitem')).toContainText('Undone by');

  // What was typed and not saved is not lost by a slip.
  await field.fill('Rain at seven');
  await page.keyboard.press('Escape');
  const asking = page.getByRole('alertdialog', { name: 'Discard what you typed?' });
  await expectAccessible(page, { include: '[role=alertdialog]' });
  await asking.getByRole('button', { name: 'Cancel' }).press('Enter');
  await expect(field).toHaveValue('Rain at seven');
  await page.keyboard.press('Escape');
  await asking.getByRole('button', { name: 'Discard' }).press('Enter');
  await expect(field).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Rain on the window');
});

test('an editor tells where and when a film was recorded: what is wrong is said at its field, and holds up none of the others', async ({
  page,
  archive,
}) => {
  await enterAs(page, archive, { editor: true });
  await page.goto(`/video/${await videoIdOf(page, 'Under the pier')}`);
  await page.getByRole('button', { name: 'Edit title and details' }).click();
  const dialog = page.getByRole('dialog', { name: 'Title and details' });
  await dialog.getByText('Description, place, time').click();
  const [place, recorded] = [dialog.getByLabel('Place'), dialog.getByLabel('Recorded')];
  await place.fill('Strandvik');
  await recorded.fill('in summer');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('alert')).toContainText('1969, 1969-07 or 1969-07-20');
  await expect(dialog.getByRole('status')).toHaveText('Saved.');
  await expect(place).toHaveValue('Strandvik');
  await expect(recorded).toHaveValue('in summer');
  await recorded.fill('1969-07');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('listitem').first()).toContainText('1969-07');
  await expect(dialog.getByRole('alert')).toHaveCount(0);
  await expect(dialog.getByRole('listitem').nth(1)).toContainText(/Strandvik\s*Place (added|instead of)/);
  await takePicture(page, 'edit-details');
  await dialog.getByRole('button', { name: 'Undo: Strandvik' }).click();
  await expect(dialog.getByRole('status')).toHaveText('Undone.');
  await expect(place).not.toHaveValue('Strandvik');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('region', { name: 'About this video' })).toContainText('July 1969');
});

test('who may only watch is offered no other title', async ({ page, archive }) => {
  await enterAs(page, archive, { viewer: true });
  await page.goto(`/video/${await videoIdOf(page, 'Harbour at dusk')}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Harbour at dusk' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Edit title' })).toHaveCount(0);
});

test('an editor adds a label, calls another something else and takes a third out, all by the keyboard, and takes one back', async ({
  page,
  archive,
}) => {
  await enterAs(page, archive, { editor: true });
  const id = await videoIdOf(page, 'Harbour at dusk');
  await page.goto(`/video/${id}`);
  await page.getByRole('button', { name: 'Edit title' }).click();
  const dialog = page.getByRole('dialog', { name: 'Title' });
  await dialog.getByText('Labels, brands, people').press('Enter');
  const labels = dialog.getByRole('group', { name: 'Labels' });
  const before = await labels.getByRole('listitem').allInnerTexts();
  expect(before.length).toBeGreaterThan(1);
  await labels.getByLabel('Add a label').fill('bollard');
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog', { name: 'Discard what you typed?' }).getByRole('button', { name: 'Cancel' }).click();
  await labels.getByLabel('Add a label').press('Enter');
  await expect(dialog.getByRole('status')).toHaveText('Added bollard.');
  await expect(labels.getByLabel('Add a label')).toBeFocused();
  await labels.getByRole('button', { name: 'Rename bollard' }).press('Enter');
  await expect(labels.getByLabel('New name for “bollard”')).toBeFocused();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('mooring post');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('status')).toHaveText('Renamed bollard to mooring post.');
  await takePicture(page, 'edit-names');
  // What is taken out while it is renamed leaves nothing behind to be added again.
  await labels.getByRole('button', { name: `Rename ${before[0]}`, exact: true }).press('Enter');
  await labels.getByRole('button', { name: `Remove ${before[0]}`, exact: true }).press('Enter');
  await expect(labels.getByRole('listitem')).toHaveText([...before.slice(1), 'mooring post']);
  await expect(labels.getByLabel('Add a label')).toHaveValue('');
  await expectFound(page, 'label:%22mooring+post%22', ['Harbour at dusk']);
  await page.goto(`/video/${id}`);
  await page.getByRole('button', { name: 'Edit title' }).click();
  for (const name of [before[0], 'mooring post', 'bollard']) await page.getByRole('button', { name: `Undo: ${name}` }).click();
  await dialog.getByText('Labels, brands, people').click();
  await expect(labels.getByRole('listitem')).toHaveText(before);
});
