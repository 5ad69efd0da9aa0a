import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page, Route } from '@playwright/test';
import { openLocalStore } from '#domain/files/local-store.ts';
import { addFilm } from '#testing/add-film.ts';
import { canMakeMedia } from '#testing/media-clips.ts';
import { holdBack, makeFilm, rowOf } from './films-to-add.ts';
import { enterAs, expect, expectAccessible, type JourneyArchive, playerSeconds, takePicture, test } from './journey.ts';

// biome-ignore lint/suspicious/noSkippedTests: the films are made here
test.skip(!canMakeMedia, 'there is no ffmpeg');

let folder: string;
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rushes-add-'));
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));
// The archive is shared with other journeys, which count on its films.
test.afterEach(async ({ archive }) => {
  await archive.database.pool.query(`delete from videos where file_name like 'added-%' or name = 'Sent by mistake'`);
  await archive.database.pool.query('delete from uploads');
});

const filmOf = (name: string, hue: number, paddedTo?: number) => makeFilm(join(folder, name), hue, paddedTo);

/** Lets files fall onto the page, as from another window. */
async function drop(page: Page, paths: readonly string[]): Promise<void> {
  const files = paths.map((path) => ({ name: path.split('/').at(-1) ?? '', base64: readFileSync(path).toString('base64') }));
  const dropped = await page.evaluateHandle((given) => {
    const transfer = new DataTransfer();
    for (const { name, base64 } of given) {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      transfer.items.add(new File([bytes], name));
    }
    return transfer;
  }, files);
  for (const type of ['dragover', 'drop']) await page.dispatchEvent('main', type, { dataTransfer: dropped });
}

async function hashesOf({ database }: JourneyArchive): Promise<unknown> {
  const { rows } = await database.pool.query(
    `select file_name as name, content_hash as hash from videos where file_name like 'added-%' order by 1`,
  );
  return rows;
}

test('an editor drops three films with subtitles, loses the network, reloads, goes on, and watches the first as soon as it plays', async ({
  page,
  context,
  archive,
}) => {
  const paths = await Promise.all([filmOf('added-tram.mp4', 40), filmOf('added-ship.mp4', 120), filmOf('added-reel.mp4', 200, 20_000_000)]);
  const subtitles = join(folder, 'added-tram.en.srt');
  writeFileSync(subtitles, '1\n00:00:00,200 --> 00:00:02,000\nThe harbour bell rings\n');
  await enterAs(page, archive, { editor: true });
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto('/');
  await page.getByRole('button', { name: /^Account of/ }).press('Enter');
  await page.getByRole('menuitem', { name: 'Add videos' }).click();
  await expect(page.getByText(/Up to 50 GB a file/)).toBeVisible();

  const back = holdBack(page);
  await back.begin();
  await drop(page, [...paths, subtitles, join(import.meta.dirname, '..', 'README.md')]);
  await expect(page.getByRole('alert')).toContainText('README.md: not a video, audio, subtitle');
  await expect(rowOf(page, 'Added tram')).toBeVisible();
  const reel = rowOf(page, 'added-reel.mp4');
  await expect.poll(() => back.held.length, { timeout: 30_000 }).toBe(1);
  await expect(reel.getByText('41%')).toBeVisible();
  await takePicture(page, 'add-videos');

  await context.setOffline(true);
  await back.held[0]?.abort('internetdisconnected');
  await expect(reel).toContainText('Upload paused at 41%. No connection to the archive.');
  await context.setOffline(false);
  await expect.poll(() => back.held.length).toBe(2);

  await page.reload();
  await expect(reel).toContainText('Upload paused at 41%. Choose or drop the file again');
  await back.end();
  const chosen = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose files' }).focus();
  await page.keyboard.press('Enter');
  await (await chosen).setFiles(paths[2] ?? '');
  await expect(rowOf(page, 'Added reel')).toBeVisible({ timeout: 30_000 });
  const truth = paths.map((path) => ({
    name: path.split('/').at(-1),
    hash: createHash('sha256').update(readFileSync(path)).digest('hex'),
  }));
  expect(await hashesOf(archive)).toEqual(truth.toSorted((a, b) => ((a.name ?? '') < (b.name ?? '') ? -1 : 1)));

  await expectAccessible(page);
  const tram = rowOf(page, 'Added tram');
  await tram.getByRole('link', { name: 'Open video' }).click({ timeout: 90_000 });
  await expect.poll(() => playerSeconds(page), { timeout: 20_000 }).toBeGreaterThanOrEqual(0);
  const { rows } = await archive.database.pool.query(
    `select convert_from(body, 'UTF8') as body from moments m join videos v on v.id = m.video_id where v.file_name = 'added-tram.mp4'`,
  );
  expect(rows[0]?.body).toContain('The harbour bell rings');
});

test('a film that has come and is not wanted is cancelled before it plays, and comes back from the deleted ones', async ({
  page,
  archive,
}) => {
  const { pool } = archive.database;
  await addFilm({ pool, store: openLocalStore(archive.dataFolder) }, { name: 'Sent by mistake', processed: false });
  await pool.query(
    `insert into ingest_steps (video_id, step, state, message)
     select id, 'probe', 'waiting', 'The archive''s disk needs 300 MB more; once that is free, this resumes automatically.' from videos where name = 'Sent by mistake'`,
  );
  await enterAs(page, archive, { editor: true });
  await page.goto('/desk');
  const row = rowOf(page, 'Sent by mistake');
  await expect(page.getByRole('status').filter({ hasText: /\d processing/ })).toBeVisible();
  await expect(row).toContainText("waits: The archive's disk needs 300 MB more; once that is free, this resumes automatically.");
  await takePicture(page, 'add-videos-under-way');
  await row.getByRole('button', { name: 'Cancel Sent by mistake' }).press('Enter');
  await expect(page.getByText('Cancelled. You can restore “Sent by mistake” from Deleted for at least 30 days.')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await page.goto('/desk/deleted');
  await expect(page.getByRole('row', { name: /Sent by mistake/ }).getByRole('button', { name: /Restore/ })).toBeVisible();
});

test('a film that is here already is told before it is sent, and a paused one waits until somebody lets it go on', async ({
  page,
  archive,
}) => {
  const path = await filmOf('added-once.mp4', 300);
  await enterAs(page, archive, { editor: true });
  await page.goto('/desk');
  await page.locator('input[type=file]').first().setInputFiles(path);
  await expect(rowOf(page, 'Added once')).toBeVisible({ timeout: 30_000 });
  // Chosen again it is asked about, and not passed over.
  await page.locator('input[type=file]').first().setInputFiles(path);
  await expect(rowOf(page, 'added-once.mp4')).toContainText('Probably in the archive already: “Added once”');
  await page.locator('input[type=file]').first().setInputFiles(path);
  await expect(page.getByText('1 file is already uploading.')).toBeVisible();
  await page.reload();
  await expect(rowOf(page, 'Added once')).toBeVisible();
  const words = join(folder, 'added-once.en.srt');
  writeFileSync(words, '1\n00:00:00,200 --> 00:00:02,000\nThe quay is wet\n');
  await page.locator('input[type=file]').first().setInputFiles([path, words]);
  const again = rowOf(page, 'added-once.mp4');
  await expect(again).toContainText('Probably in the archive already: “Added once”');
  await expect(again).toContainText('if you upload anyway, added-once.en.srt is added to that video.');
  await again.getByRole('button', { name: 'Upload anyway' }).press('Enter');
  await expect(again).toContainText('already in the archive, so not added again', { timeout: 20_000 });
  await expect(again).toContainText('added-once.en.srt was added to it.');
  await takePicture(page, 'add-videos-known');
  await again.getByRole('button', { name: 'Close added-once.mp4' }).press('Enter');
  await expect(again).toHaveCount(0);

  const back = holdBack(page);
  await back.begin();
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles(await filmOf('added-long.mp4', 20, 12_000_000));
  const long = rowOf(page, 'added-long.mp4');
  await expect.poll(() => back.held.length, { timeout: 30_000 }).toBe(1);
  await long.getByRole('button', { name: 'Pause added-long.mp4' }).press('Enter');
  await expect(long).toContainText('paused');
  await back.end();
  await long.getByRole('button', { name: 'Cancel added-long.mp4' }).press('Enter');
  await expect(long).toHaveCount(0);
  await expect.poll(async () => (await archive.database.pool.query('select from uploads where finished_at is null')).rowCount).toBe(0);
});

test('two films beside which the same lies under their names are both added, and what lies beside one that is cancelled goes with it', async ({
  page,
  archive,
}) => {
  const [one, two, none] = await Promise.all([filmOf('added-one.mp4', 10), filmOf('added-two.mp4', 100), filmOf('added-none.mp4', 160)]);
  const choose = async (path: string) => {
    writeFileSync(path.replace('.mp4', '.json'), '{"labels":["quay"]}');
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles([path, path.replace('.mp4', '.json')]);
  };
  await enterAs(page, archive, { editor: true });
  await page.goto('/desk');
  const held: Route[] = [];
  await page.route('**/api/uploads/*/finish', (route) => void (held.length === 0 ? held.push(route) : route.continue()));
  await choose(one);
  await expect.poll(() => held.length, { timeout: 30_000 }).toBe(1);
  await choose(two);
  await expect(rowOf(page, 'Added two')).toBeVisible({ timeout: 30_000 });
  await held[0]?.continue();
  await expect(rowOf(page, 'Added one')).toBeVisible({ timeout: 30_000 });

  await page.route('**/api/uploads/*/finish', (route) => route.fulfill({ status: 503, contentType: 'application/json', body: '{}' }));
  await choose(none);
  const cancelled = rowOf(page, 'added-none.mp4');
  await expect(cancelled).toContainText('Upload paused', { timeout: 30_000 });
  await cancelled.getByRole('button', { name: 'Cancel added-none.mp4' }).press('Enter');
  await expect.poll(async () => (await archive.database.pool.query('select from uploads where finished_at is null')).rowCount).toBe(0);
});

test('a film is sent in larger pieces where the connection is fast, and in small ones where a proxy lets no larger ones through', async ({
  page,
  archive,
}) => {
  const offsets: number[] = [];
  let refusals = 0;
  await page.route('**/api/uploads/*', (route) => {
    const { 'upload-offset': offset } = route.request().headers();
    if (route.request().method() !== 'PATCH') return route.continue();
    offsets.push(Number(offset));
    if (offset === '0' || refusals === 0) return route.continue();
    refusals -= 1;
    return route.fulfill({ status: 413, contentType: 'text/html', body: '<h1>413 Request Entity Too Large</h1>' });
  });
  const send = async (name: string, title: string) => {
    offsets.length = 0;
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles(await filmOf(name, 60, 16_900_000));
    await expect(rowOf(page, title)).toBeVisible({ timeout: 30_000 });
  };
  await enterAs(page, archive, { editor: true });
  await page.goto('/desk');
  refusals = 1;
  await send('added-behind.mp4', 'Added behind');
  expect(offsets).toEqual([0, 8_388_608, 8_388_608, 16_777_216]);
  await send('added-later.mp4', 'Added later');
  expect(offsets).toEqual([0, 8_388_608, 16_777_216]);
  await page.reload();
  await send('added-fast.mp4', 'Added fast');
  expect(offsets).toEqual([0, 8_388_608]);
});
