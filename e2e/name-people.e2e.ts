import { openLocalStore } from '#domain/files/local-store.ts';
import { readStored } from '#domain/files/read-stored.ts';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { findCorrections } from '#domain/moments/corrections.ts';
import { type FaceGroup, faceMarkOf } from '#domain/moments/faces.ts';
import { loadSecrets } from '#domain/tokens/secrets.ts';
import { correctFact } from '#domain/videos/corrections/correct-fact.ts';
import { undoCorrection } from '#domain/videos/corrections/undo-correction.ts';
import { publishLayers } from '#domain/videos/recompose-video.ts';
import { addPerson } from '#testing/add-person.ts';
import { enterAs, expect, expectAccessible, insightsOf, type JourneyArchive, takePicture, test, videoIdOf } from './journey.ts';

/** Has two faces found in a film, each with a picture, a name that stands below the second, and somebody whom it only names. */
async function findFaces({ database, dataFolder }: JourneyArchive, videoId: string): Promise<void> {
  const face = (startMs: number, left: number): FaceGroup => ({
    clearest: { atMs: startMs, place: [left, 200, 90, 160] },
    confidencePercent: 87,
    engine: 'an eye',
    tracks: [{ startMs, endMs: startMs + 6_000, places: [{ atMs: startMs, place: [left, 200, 90, 160] }] }],
  });
  const groups = [face(2_000, 300), face(12_000, 600)];
  const written = {
    kind: 'Ocr',
    startMs: 13_000,
    endMs: 16_000,
    text: 'SOLVEIG BAKKANE',
    source: 'machine',
    confidencePercent: 90,
  } as const;
  const text = { name: 'text', moments: [written], places: [{ x: 0.1, y: 0.75, width: 0.4, height: 0.06 }] } as const;
  const people = { name: 'people', names: ['Ragnhild Moe'], moments: [] } as const;
  await publishLayers(database.pool, videoId, { madeBy: 'a journey', version: 1, layers: [{ name: 'faces', groups }, text, people] });
  const store = openLocalStore(dataFolder);
  const { faces, poster } = toVideoKeys(videoId);
  for (const group of groups) await store.put(`${faces}/${faceMarkOf(group)}.jpg`, (await readStored(store, poster)) ?? Buffer.alloc(0));
}

test('an editor tells one appearance of somebody from the rest by the keyboard, and it stays so when the film is looked at anew', async ({
  page,
  archive,
}) => {
  await enterAs(page, archive, { editor: true });
  const id = await videoIdOf(page, 'Rain on the window');
  const track = (startMs: number, left: number) => ({
    startMs,
    endMs: startMs + 3_000,
    places: [{ atMs: startMs, place: [left, 200, 90, 160] as const }],
  });
  const [early, late] = [track(2_000, 300), track(12_000, 600)];
  const seen = (...tracks: (typeof early)[]): FaceGroup => ({
    clearest: tracks[0]?.places[0] ?? { atMs: 0, place: [0, 0, 0, 0] },
    confidencePercent: 87,
    engine: 'an eye',
    tracks,
  });
  const lookAt = (...groups: FaceGroup[]) =>
    publishLayers(archive.database.pool, id, { madeBy: 'a journey', version: 1, layers: [{ name: 'faces', groups }] });
  await lookAt(seen(early, late));
  await page.goto(`/video/${id}`);
  await page.getByRole('button', { name: 'Name people' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'People' });
  await dialog.getByRole('combobox', { name: 'Unknown 1' }).fill('Ingrid Dahl');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('status')).toHaveText('Named Ingrid Dahl.');
  await dialog.getByText('Some of these are someone else').press('Enter');
  await dialog.getByRole('checkbox', { name: '00:00:12' }).press('Space');
  await dialog.getByLabel('Their name (optional)').fill('Runa Lindqvist');
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog', { name: 'Discard what you typed?' }).getByRole('button', { name: 'Cancel' }).click();
  await takePicture(page, 'name-people-some');
  await expectAccessible(page, { include: '[role=dialog]' });
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('status')).toHaveText('Named Runa Lindqvist: 1 of 2 appearances.');
  const names = async () => (await archive.database.pool.query('select people from videos where id = $1', [id])).rows[0]?.people;
  expect(await names()).toEqual(expect.arrayContaining(['Ingrid Dahl', 'Runa Lindqvist']));
  // Another threshold finds two faces where there was one.
  await lookAt(seen(late), seen(early));
  expect(await names()).toEqual(expect.arrayContaining(['Ingrid Dahl', 'Runa Lindqvist']));
  await page.reload();
  await page.getByRole('button', { name: 'Name people' }).press('Enter');
  await dialog.getByRole('button', { name: 'Not Ingrid Dahl' }).press('Enter');
  await expect(dialog.getByRole('status')).toHaveText('No longer named Ingrid Dahl.');
  expect(await names()).not.toContain('Ingrid Dahl');
});

test('an editor names a face: the insights and the search know the person by that name, until it is undone', async ({ page, archive }) => {
  await enterAs(page, archive, { editor: true });
  const id = await videoIdOf(page, 'Evening express (1969)');
  await findFaces(archive, id);
  await page.goto(`/video/${id}`);
  const lane = (name: string) => insightsOf(page).getByRole('button', { name });
  await expect
    .poll(() =>
      lane('Unknown 2')
        .locator('img')
        .evaluate((picture: HTMLImageElement) => picture.naturalWidth),
    )
    .toBeGreaterThan(0);
  const people = insightsOf(page).getByRole('region', { name: 'People' });
  await expect(people.getByText('machine', { exact: true })).toBeVisible();
  const sure = lane('Unknown 2').getByText('87% sure');
  await expect(sure).toHaveCSS('opacity', '0');
  await lane('Unknown 2').hover();
  await expect(sure).toHaveCSS('opacity', '1');
  await lane('Unknown 1').focus();
  await page.keyboard.press('Tab');
  await page.mouse.move(0, 0);
  await expect(sure).toHaveCSS('opacity', '1');
  await takePicture(page, 'faces-unnamed');

  await page.getByRole('button', { name: 'Name people' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'People' });
  await dialog.getByRole('combobox', { name: 'Unknown 2' }).fill('Solveig Bakkane');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('status')).toHaveText('Named Solveig Bakkane.');
  await expect(dialog.getByRole('combobox', { name: 'Name', exact: true })).toHaveValue('Solveig Bakkane');
  await takePicture(page, 'name-people');

  await page.goto(`/video/${id}`);
  await expect(lane('Solveig Bakkane').getByText('corrected')).toBeVisible();
  await expect(async () => {
    await page.goto('/search?query=bakkane');
    await expect(page.getByRole('article').getByRole('heading', { level: 2 })).toHaveText(['Evening express (1969)'], { timeout: 2_000 });
  }).toPass({ timeout: 30_000 });

  await page.goto(`/video/${id}`);
  await page.getByRole('button', { name: 'Edit title' }).click();
  await page.getByRole('button', { name: 'Undo: Solveig Bakkane' }).click();
  await page.goto(`/video/${id}`);
  await expect(lane('Unknown 2')).toBeVisible();
});

test('an administrator takes a proposed name, and forgets the person, by the keyboard: asked once more, told that it cannot be undone, and the face is gone; what others change meanwhile is told between', async ({
  page,
  archive,
}) => {
  await enterAs(page, archive, { admin: true });
  const id = await videoIdOf(page, 'Harbour at dusk');
  await findFaces(archive, id);
  await page.goto(`/video/${id}`);
  const looksForChanges = () => page.waitForResponse((answer) => answer.url().endsWith('/revision'));
  const looked = looksForChanges();
  await page.getByRole('button', { name: 'Name people' }).click();
  await looked;
  const dialog = page.getByRole('dialog', { name: 'People' });
  await takePicture(page, 'name-proposed');
  const other = await addPerson({ pool: archive.database.pool, secrets: loadSecrets(archive.dataFolder) }, { editor: true });
  const ofOther = { videoId: id, actorUid: other.uid, from: '127.0.0.1' };
  await correctFact(archive.database.pool, { ...ofOther, fact: 'externalId', replaces: '', says: 'HB 12' });
  await expect(dialog.getByRole('status')).toContainText('has just made a correction here.');
  // Other journeys may have corrected the film before.
  const correction = Math.max(...(await findCorrections(archive.database.pool, id)).map((one) => one.id));
  await undoCorrection(archive.database.pool, { ...ofOther, correction });
  await expect(dialog.getByRole('status')).toContainText('has just undone a correction here.');
  await dialog.getByRole('button', { name: 'Maybe Solveig Bakkane — lower third at 00:00:13' }).click();
  await expect(dialog.getByRole('status')).toHaveText('Named Solveig Bakkane.');
  await expect(dialog.getByRole('combobox', { name: 'Name' }).first()).toBeFocused();
  await dialog.getByRole('button', { name: 'Forget Solveig Bakkane…' }).focus();
  await page.keyboard.press('Enter');
  const question = page.getByRole('alertdialog', { name: 'Forget Solveig Bakkane for good?' });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await expect(question.getByText('This cannot be undone.')).toBeVisible();
  await expect(question.getByRole('radio', { name: 'In this video' })).toBeChecked();
  await takePicture(page, 'forget-person');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await takePicture(page, 'forget-person-phone');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await dialog.getByRole('button', { name: 'Forget Solveig Bakkane…' }).click();
  await question.getByRole('button', { name: 'Forget for good' }).click();
  await expect(dialog.getByRole('status')).toHaveText('They have been forgotten.');
  await expect(dialog.getByRole('combobox')).toHaveCount(1);
  await expect(dialog.getByRole('combobox', { name: 'Unknown 1' })).toBeVisible();
  // The name is forgotten with its correction: those of others, which are the last again, are no news.
  // The first look may have begun before.
  await looksForChanges();
  await looksForChanges();
  await expect(dialog.getByRole('status')).toHaveText('They have been forgotten.');
  await dialog.getByRole('button', { name: 'Forget Ragnhild Moe…' }).click();
  await takePicture(page, 'forget-name');
  await page.getByRole('button', { name: 'Forget for good' }).click();
  await expect(dialog.getByRole('region', { name: 'Named without a face' })).toBeHidden();
});

test('an editor says by the keyboard that two faces without a name are one person, takes it back, and says it again', async ({
  page,
  archive,
}) => {
  await enterAs(page, archive, { editor: true });
  const id = await videoIdOf(page, 'Under the pier');
  await findFaces(archive, id);
  await page.goto(`/video/${id}`);
  await page.getByRole('button', { name: 'Name people' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'People' });
  const merge = async () => {
    await dialog.getByText('Same person as another face').first().press('Enter');
    await dialog.getByRole('button', { name: 'Unknown 1 is Unknown 2' }).press('Enter');
    await expect(dialog.getByRole('status')).toHaveText('Unknown 1 and Unknown 2 are one person.');
    await expect(dialog.getByRole('combobox')).toHaveCount(1);
  };
  await dialog.getByText('Same person as another face').first().press('Enter');
  await takePicture(page, 'name-people-same');
  await expectAccessible(page, { include: '[role=dialog]' });
  await dialog.getByText('Same person as another face').first().press('Enter');
  await merge();
  await expect(dialog.getByText('First seen at 00:00:02, 2 times')).toBeVisible();
  await dialog.getByRole('button', { name: 'Undo merge' }).press('Enter');
  await expect(dialog.getByRole('status')).toHaveText('Undone: they are two people again.');
  await expect(dialog.getByRole('combobox')).toHaveCount(2);
  await merge();
  await page.goto(`/video/${id}`);
  await page.getByRole('button', { name: 'Edit title' }).click();
  await expect(page.getByRole('button', { name: 'Undo: Unknown 1, Unknown 2' })).toBeVisible();
});
