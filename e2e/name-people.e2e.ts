import { openLocalStore } from '#domain/files/local-store.ts';
import { readStored } from '#domain/files/read-stored.ts';
import { videoKeys } from '#domain/files/video-keys.ts';
import { type FaceGroup, faceMark } from '#domain/moments/faces.ts';
import { publishLayers } from '#domain/videos/recompose-video.ts';
import { enterAs, expect, insightsOf, type JourneyArchive, takePicture, test, videoIdOf } from './journey.ts';

/** Has two faces found in a film, each with a picture. */
async function findFaces({ database, dataFolder }: JourneyArchive, videoId: string): Promise<void> {
  const face = (startMs: number, left: number): FaceGroup => ({
    ...{ clearest: { atMs: startMs, place: [left, 200, 90, 160] }, confidencePercent: 87, engine: 'an eye' },
    tracks: [{ startMs, endMs: startMs + 6_000, places: [{ atMs: startMs, place: [left, 200, 90, 160] }] }],
  });
  const groups = [face(2_000, 300), face(12_000, 600)];
  await publishLayers(database.pool, videoId, { madeBy: 'a journey', version: 1, layers: [{ name: 'faces', groups }] });
  const store = openLocalStore(dataFolder);
  const { faces, poster } = videoKeys(videoId);
  for (const group of groups) await store.put(`${faces}/${faceMark(group)}.jpg`, (await readStored(store, poster)) ?? Buffer.alloc(0));
}

test('an editor names a face: the insights and the search know the person by that name, until it is undone', async ({ page, archive }) => {
  test.setTimeout(120_000);
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
  const sure = lane('Unknown 2').getByText('87 % sure');
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
  await dialog.getByRole('textbox', { name: 'Unknown 2' }).fill('Solveig Bakkane');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('status')).toHaveText('Named Solveig Bakkane.');
  await expect(dialog.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Solveig Bakkane');
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
