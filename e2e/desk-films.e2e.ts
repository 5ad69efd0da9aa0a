import type { Page } from '@playwright/test';
import type { Moment } from '#domain/moments/moment.ts';
import { loadSecrets } from '#domain/tokens/secrets.ts';
import { correctLines, listLines } from '#domain/videos/corrections/correct-lines.ts';
import { publishLayers } from '#domain/videos/recompose-video.ts';
import { addPerson } from '#testing/add-person.ts';
import { enterAs, expect, expectAccessible, type JourneyArchive, playerSeconds, takePicture, test, videoIdOf } from './journey.ts';

// The archive is shared with other journeys, which count on its films.
test.afterEach(async ({ archive }) => {
  await archive.database.pool.query(`delete from videos where file_name = 'waiting-reel.mp4'`);
});

/** The same page as a phone shows it, and in the other colours. */
async function takePictures(page: Page, name: string): Promise<void> {
  await takePicture(page, name);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'));
  await takePicture(page, `${name}-phone`);
  await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'light'));
  await page.setViewportSize({ width: 1440, height: 900 });
}

/** Has a machine hear something in a film. */
async function hear({ database }: JourneyArchive, videoId: string, text: string): Promise<void> {
  const moment: Moment = { kind: 'Transcript', startMs: 20_000, endMs: 23_000, text, source: 'machine', confidencePercent: 41 };
  await publishLayers(database.pool, videoId, { madeBy: 'a journey', version: 1, layers: [{ name: 'captions', moments: [moment] }] });
}

test('an editor finds doubtful films, changes a detail of several with one press and takes it back with another, by the keyboard', async ({
  page,
  archive,
}) => {
  await enterAs(page, archive, { editor: true });
  const [pier, dunes] = [await videoIdOf(page, 'Under the pier'), await videoIdOf(page, 'Dunes in the wind')];
  for (const id of [pier, dunes]) await hear(archive, id, 'a gannet perhaps');
  await page.goto('/desk');
  await page.getByRole('link', { name: 'Videos', exact: true }).click();
  await page.getByRole('button', { name: /^Doubtful lines/ }).press('Enter');
  await expect(page).toHaveURL(/captions=doubtful/);
  const films = page.getByRole('table', { name: 'Videos' });
  await expect(films.getByRole('row')).toHaveCount(3);
  await expect(films).toContainText('1 doubtful');
  await page.getByRole('checkbox', { name: 'Select all videos shown' }).press('Space');
  await expect(page.getByText('2 videos selected')).toBeVisible();
  await takePictures(page, 'desk-films');
  await expectAccessible(page, { exclude: 'iframe' });

  await page.getByRole('button', { name: 'Edit a detail' }).press('Enter');
  const window = page.getByRole('dialog', { name: 'Change 2 videos' });
  await window.getByLabel('Detail').selectOption('Rights');
  await window.getByLabel('Rights; leave empty to clear').fill('Courtesy of the harbour');
  await takePicture(page, 'desk-change-films');
  await page.keyboard.press('Enter');
  const told = page.getByRole('status').getByRole('paragraph').filter({ hasText: '2 videos changed.' });
  await expect(told).toBeVisible();
  const rights = async () => {
    const { rows } = await archive.database.pool.query('select rights from videos where id = any ($1)', [[pier, dunes]]);
    return rows.map((row) => row.rights);
  };
  expect(await rights()).toEqual(['Courtesy of the harbour', 'Courtesy of the harbour']);
  await page.route('**/undo', (route) => route.abort(), { times: 1 });
  await told.getByRole('button', { name: 'Undo' }).press('Enter');
  const rest = page
    .getByRole('status')
    .getByRole('paragraph')
    .filter({ hasText: /1 video undone, 1 not\. “.+”: No connection/ });
  await rest.getByRole('button', { name: 'Undo' }).press('Enter');
  await expect(page.getByText('Undone.')).toBeVisible();
  expect(await rights()).not.toContain('Courtesy of the harbour');
  const { rows } = await archive.database.pool.query(
    "select undone_at is null as stands from corrections where video_id = any ($1) and fact = 'rights'",
    [[pier, dunes]],
  );
  expect(rows).toEqual([{ stands: false }, { stands: false }]);
});

test('a word is written otherwise in all films that say it, seen before and taken back with one press', async ({ page, archive }) => {
  await enterAs(page, archive, { editor: true });
  const [express, tram] = [await videoIdOf(page, 'Evening express (1969)'), await videoIdOf(page, 'Night tram, line 28')];
  for (const id of [express, tram]) await hear(archive, id, 'The gannet of Norvik');
  await page.goto('/desk/films');
  await page.getByRole('link', { name: 'Find and replace in all videos' }).click();
  await page.getByLabel('Find', { exact: true }).fill('gannet of norvik');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Gannet of Narvik');
  await page.keyboard.press('Enter');
  const replace = page.getByRole('button', { name: 'Replace in 2 lines of 2 videos' });
  await expect(replace).toBeVisible();
  await expect(page.getByText('The gannet of Norvik The Gannet of Narvik')).toHaveCount(2);
  await takePictures(page, 'desk-replace');
  await expectAccessible(page, { exclude: 'iframe' });
  await page.getByRole('checkbox', { name: 'Change Night tram, line 28' }).press('Space');
  const express1969 = page.getByRole('checkbox', { name: 'Change Evening express (1969)' });
  await express1969.press('Space');
  await expect(page.getByRole('button', { name: 'Replace in 0 lines of 0 videos' })).toBeDisabled();
  await express1969.press('Space');
  await page.getByRole('button', { name: 'Replace in 1 line of 1 video' }).press('Enter');
  await expect(page.getByText('1 line of 1 video changed.')).toBeVisible();
  // Whoever looks at another page finds it here again.
  await page.getByRole('link', { name: 'Brands', exact: true }).click();
  await expect(page.getByLabel('Brands, one per line')).toBeVisible();
  await page.goBack();
  await expect(page.getByText('1 line of 1 video changed.')).toBeVisible();
  await expect(page.getByLabel('Find', { exact: true })).toHaveValue('gannet of norvik');
  await expect(page.getByRole('checkbox', { name: 'Change Night tram, line 28' })).not.toBeChecked();
  const said = async (id: string) =>
    (await archive.database.pool.query("select convert_from(body, 'UTF8') as body from moments where video_id = $1", [id])).rows[0]?.body;
  expect([await said(express), await said(tram)]).toEqual([
    expect.stringContaining('The Gannet of Narvik'),
    expect.stringContaining('The gannet of Norvik'),
  ]);
  // What is not taken back waits for another press.
  await page.route('**/undo', (route) => route.abort(), { times: 1 });
  await page.getByRole('button', { name: 'Undo all' }).press('Enter');
  await expect(page.getByText('0 videos undone, 1 not. “Evening express (1969)”: No connection to the archive.')).toBeVisible();
  await takePicture(page, 'desk-replace-not-undone');
  expect(await said(express)).toContain('The Gannet of Narvik');
  // It goes on where another page is looked at, and is told there.
  const held = Promise.withResolvers<void>();
  await page.route('**/undo', (route) => held.promise.then(() => route.continue()));
  await page.getByRole('button', { name: 'Undo all' }).press('Enter');
  await page.getByRole('link', { name: 'Brands', exact: true }).click();
  await expect(page.getByLabel('Brands, one per line')).toBeVisible();
  held.resolve();
  await expect(page.getByText('Undone.')).toBeVisible();
  expect(await said(express)).toContain('The gannet of Norvik');
});

test('two editors at one film see each other’s changes, and what both wrote in one line is shown before either is lost', async ({
  page,
  archive,
}) => {
  await enterAs(page, archive, { editor: true });
  const other = await addPerson({ pool: archive.database.pool, secrets: loadSecrets(archive.dataFolder) }, { editor: true });
  const id = await videoIdOf(page, 'Harbour at dusk');
  await page.goto(`/video/${id}?edit=transcript`);
  const editor = page.getByRole('region', { name: 'Edit transcript' });
  const words = editor.getByRole('textbox', { name: 'Transcript line' });
  await expect(words).toBeFocused();
  const first = await words.inputValue();
  await words.fill(`${first} Indeed.`);
  const [seen] = await listLines(archive.database.pool, id);
  if (!seen) throw new Error('the film says nothing');
  const line = { startMs: seen.startMs, endMs: seen.endMs, text: seen.text, speaker: seen.speaker };
  const theirs = { ...line, text: 'What somebody else wrote.' };
  await correctLines(archive.database.pool, {
    videoId: id,
    actorUid: other.uid,
    from: '127.0.0.1',
    changes: [{ replaces: [line], lines: [theirs] }],
  });
  await expect(editor.getByText(/has just made a correction here/)).toBeVisible();
  await expect(editor.getByRole('alert')).toContainText('It now says: “What somebody else wrote.”');
  await expect(words).toHaveValue(`${first} Indeed.`);
  await takePicture(page, 'edit-lines-both');
  await page.keyboard.press('Enter');
  await expect(editor.getByRole('alert')).toContainText('Someone else has changed this: it is “What somebody else wrote.” now.');
  await expectAccessible(page, { exclude: 'iframe' });
  await page.keyboard.press('Enter');
  await expect(editor.getByRole('button', { name: 'Indeed.' })).toBeVisible();
});

test('an editor chooses the second that stands for a film', async ({ page, archive }) => {
  await enterAs(page, archive, { editor: true });
  const id = await videoIdOf(page, 'Lighthouse weather');
  await page.goto(`/video/${id}`);
  await expect.poll(() => playerSeconds(page)).toBeGreaterThanOrEqual(0);
  await page.getByRole('button', { name: 'Poster and file' }).press('Enter');
  const window = page.getByRole('dialog', { name: 'Poster and file' });
  const slider = window.getByRole('slider');
  // It begins where the film is, and the film plays.
  await slider.press('Home');
  for (let n = 0; n < 4; n++) await slider.press('ArrowRight');
  const picture = window.getByRole('img', { name: 'The video at 00:00:08' });
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await takePictures(page, 'choose-poster');
  await expectAccessible(page, { exclude: 'iframe' });
  await window.getByRole('button', { name: 'Use as poster' }).press('Enter');
  await expect(page.getByText('The frame at 00:00:08 will be the poster in a moment.')).toBeVisible();
  await page.getByRole('button', { name: 'Edit title' }).click();
  await expect(page.getByRole('button', { name: 'Undo: Another poster' })).toBeVisible();
});

test('an editor changes the list of brands and brings back the one before with one press, also later', async ({ page, archive }) => {
  await enterAs(page, archive, { editor: true });
  await archive.database.pool.query(
    "insert into steps (name, position, version, class, optional) values ('brands', 1, 1, 'understood', true) on conflict do nothing",
  );
  await page.goto('/desk/brands');
  const list = page.getByLabel('Brands, one per line');
  const before = await list.inputValue();
  await list.fill('Hasselblad\nLeica');
  await page.getByRole('link', { name: 'Videos', exact: true }).click();
  await page.getByRole('alertdialog', { name: 'Discard what you typed?' }).getByRole('button', { name: 'Cancel' }).click();
  await expect(list).toHaveValue('Hasselblad\nLeica');
  // What somebody else kept meanwhile is told, and stands among the lists before once this one is kept.
  await page.evaluate(async () => {
    const { version } = await (await fetch('/api/brands')).json();
    const body = JSON.stringify({ list: 'Rolleiflex', replaces: version });
    await fetch('/api/brands', { method: 'PUT', headers: { 'content-type': 'application/json' }, body });
  });
  const save = page.getByRole('button', { name: 'Save and search again' });
  await save.press('Enter');
  await expect(page.getByRole('alert')).toContainText('Someone else has changed the list. What you typed is still here.');
  await expect(list).toHaveValue('Hasselblad\nLeica');
  await save.press('Enter');
  await expect(page.getByText(/^Saved\./)).toBeVisible();
  await page.reload();
  await expect(list).toHaveValue('Hasselblad\nLeica');
  const changes = page.getByRole('list', { name: 'Earlier versions of the list' });
  await expect(changes.getByRole('listitem')).toContainText(['Changed by']);
  await changes.scrollIntoViewIfNeeded();
  await takePicture(page, 'desk-brands');
  await expectAccessible(page, { exclude: 'iframe' });
  await expect(changes.getByRole('listitem')).toHaveCount(2);
  await changes.getByRole('button', { name: 'Restore the previous list' }).last().press('Enter');
  await expect(list).toHaveValue(before);
  await expect(changes.getByRole('listitem')).toHaveCount(3);
});

test('a film that comes in between two pages of the list moves no film into it twice', async ({ page, archive }) => {
  await enterAs(page, archive, { editor: true });
  let last = {};
  await page.route('**/api/films?*', async (route) => {
    const answer = await (await route.fetch()).json();
    const [first] = answer.films;
    last = first ? answer.films.at(-1) : last;
    // As if there were a page more, which begins with the last film of the one before.
    const films = first ? answer.films : [last, { ...last, id: 'another', name: 'Another film' }];
    await route.fulfill({ json: { ...answer, total: 60, films } });
  });
  await page.goto('/desk/films');
  const rows = page.getByRole('table', { name: 'Videos' }).getByRole('row');
  await expect(rows.nth(2)).toBeVisible();
  const before = await rows.count();
  await page.getByRole('button', { name: 'Show more videos' }).click();
  await expect(rows.last()).toContainText('Another film');
  await expect(rows).toHaveCount(before + 1);
});

test('a film that failed stands on top of newer ones with what its tool said, and those that have no place yet are shown when asked for', async ({
  page,
  archive,
}) => {
  const { pool } = archive.database;
  // Waiting since the worker has no job for them.
  await pool.query(`
    insert into videos (id, name, origin, content_hash, file_name, size_bytes, created_at)
    select lpad(to_hex(n), 10, '0'), 'Reel ' || n, 'file', encode(sha256(('reel ' || n)::bytea), 'hex'), 'waiting-reel.mp4', 1000, now() - make_interval(mins => n)
      from generate_series(1, 64) as r (n)`);
  const [oldest, told] = ['0000000040', 'moov atom not found'];
  await pool.query(`update videos set state = 'Failed', failure_message = 'The file could not be read.' where id = $1`, [oldest]);
  await pool.query(`insert into ingest_steps (video_id, step, state, details) values ($1, 'probe', 'failed', $2)`, [oldest, told]);
  await pool.query(`insert into ingest_steps (video_id, step, state) values ($1, 'text', 'failed')`, [oldest]);
  await enterAs(page, archive, { editor: true });
  await page.goto('/desk');
  const first = page.locator('.job').first();
  await expect(first.getByRole('heading', { name: 'Reel 64' })).toBeVisible();
  await expect(first.getByText(told)).toBeHidden();
  await first.getByText('Details', { exact: true }).click();
  await expect(first.getByText(told)).toBeVisible();
  await expect(page.locator('.job')).toHaveCount(30);
  await expect(page.getByRole('status').filter({ hasText: /need.? attention/ })).toContainText('63 processing');
  await takePicture(page, 'add-videos-failed');
  const more = page.getByRole('button', { name: 'Show more videos' });
  await more.scrollIntoViewIfNeeded();
  await takePicture(page, 'add-videos-more');
  await more.press('Enter');
  await expect(page.locator('.job')).toHaveCount(60);
  await more.press('Enter');
  await expect(page.locator('.job').filter({ hasText: 'Reel 63' })).toBeVisible();
  await expectAccessible(page);
  const names = page.locator('.job').first().locator('.stage-label');
  for (const width of [768, 390]) {
    await page.setViewportSize({ width, height: 844 });
    const shown = await names.evaluateAll((all) => all.filter((one) => getComputedStyle(one).clipPath === 'none').length);
    expect(shown, `names of stages at ${width} px`).toBe(1);
  }
});
