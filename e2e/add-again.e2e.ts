import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Route } from '@playwright/test';
import { openLocalStore } from '#domain/files/local-store.ts';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { canMakeMedia } from '#testing/media-clips.ts';
import { holdBack, makeFilm, rowOf } from './films-to-add.ts';
import { enterAs, expect, type JourneyArchive, test } from './journey.ts';

// biome-ignore lint/suspicious/noSkippedTests: the films are made here
test.skip(!canMakeMedia, 'there is no ffmpeg');

let folder: string;
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rushes-again-'));
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));
// The archive is shared with other journeys, which count on its films.
test.afterEach(async ({ archive }) => {
  await archive.database.pool.query(`delete from videos where file_name like 'added-%'`);
  await archive.database.pool.query('delete from uploads');
});

const longerThanAPiece = 12_000_000;

async function idOf({ database }: JourneyArchive, fileName: string): Promise<string | undefined> {
  const { rows } = await database.pool.query<{ id: string }>('select id from videos where file_name = $1', [fileName]);
  return rows[0]?.id;
}

async function uploadsUnderWay({ database }: JourneyArchive): Promise<number> {
  return (await database.pool.query('select from uploads where finished_at is null')).rowCount ?? 0;
}

test('a film on its way stands there once, whatever blanks its name holds, and takes along what is added of it later', async ({
  page,
  archive,
}) => {
  await enterAs(page, archive, { editor: true });
  await page.goto('/desk');
  const choose = (paths: readonly string[]) => page.locator('input[type=file]').first().setInputFiles(paths);
  const back = holdBack(page);
  await back.begin();
  const film = await makeFilm(join(folder, 'added-tape  7.mp4'), 40, longerThanAPiece);
  await choose([film]);
  await expect.poll(() => back.held.length, { timeout: 30_000 }).toBe(1);
  // The second of them was asked for while it was on its way.
  for (const _ of ['one', 'another']) await page.waitForResponse((answer) => answer.url().includes('/api/uploads?films='));
  const row = page.locator('.job').filter({ hasText: 'added-tape' });
  await expect(row).toHaveCount(1);

  const [subtitles, details] = [join(folder, 'added-tape  7.en.srt'), join(folder, 'added-tape  7.json')];
  writeFileSync(subtitles, '1\n00:00:00,200 --> 00:00:02,000\nThe harbour bell rings\n');
  writeFileSync(details, '{"labels":["quay"]}');
  await choose([film, subtitles]);
  await expect(page.getByText('1 file is already uploading.')).toBeVisible();
  await choose([details]);
  await expect(row).toContainText(`with ${basename(subtitles)} and ${basename(details)}`);
  await expect(row).toHaveCount(1);
  await back.held[0]?.continue();
  await back.end();
  await expect.poll(() => idOf(archive, 'added-tape 7.mp4'), { timeout: 30_000 }).toBeDefined();
  const { sidecars } = toVideoKeys((await idOf(archive, 'added-tape 7.mp4')) ?? '');
  const kept = await Array.fromAsync(openLocalStore(archive.dataFolder).list(sidecars));
  expect(kept.map(({ key }) => basename(key)).sort()).toEqual(['facts.json', 'subtitles-0.en.txt', 'unread-0.txt']);
  await expect.poll(() => uploadsUnderWay(archive)).toBe(0);
});

test('subtitles that are dropped while their film is looked at as a whole wait for it and join it', async ({ page, archive }) => {
  await enterAs(page, archive, { editor: true });
  await page.goto('/desk');
  const choose = (path: string) => page.locator('input[type=file]').first().setInputFiles(path);
  const held: Route[] = [];
  await page.route('**/api/uploads/*/finish', (route) => void (held.length === 0 ? held.push(route) : route.continue()));
  await choose(await makeFilm(join(folder, 'added-late.mp4'), 200));
  await expect(rowOf(page, 'added-late.mp4')).toContainText('verifying', { timeout: 30_000 });
  const subtitles = join(folder, 'added-late.en.srt');
  writeFileSync(subtitles, '1\n00:00:00,200 --> 00:00:02,000\nThe harbour bell rings\n');
  await choose(subtitles);
  const row = rowOf(page, 'added-late.en.srt');
  await expect(row).toContainText('waits for its video');
  expect(await uploadsUnderWay(archive)).toBe(1);
  await held[0]?.continue();
  await expect.poll(() => idOf(archive, 'added-late.mp4'), { timeout: 30_000 }).toBeDefined();
  const { sidecars } = toVideoKeys((await idOf(archive, 'added-late.mp4')) ?? '');
  const kept = async () => (await Array.fromAsync(openLocalStore(archive.dataFolder).list(sidecars))).map(({ key }) => basename(key));
  await expect.poll(kept, { timeout: 60_000 }).toContain('subtitles-0.en.txt');
  await expect(row).toHaveCount(0);
});

test('a copy of a film on its way is sent for itself, and cancelled without that', async ({ page, archive }) => {
  await enterAs(page, archive, { editor: true });
  await page.goto('/desk');
  const back = holdBack(page);
  await back.begin();
  const film = await makeFilm(join(folder, 'added-first.mp4'), 80, longerThanAPiece);
  const copy = join(folder, 'added-copy.mp4');
  copyFileSync(film, copy);
  for (const [n, path] of [film, copy].entries()) {
    await page.locator('input[type=file]').first().setInputFiles(path);
    await expect.poll(() => back.held.length, { timeout: 30_000 }).toBe(n + 1);
  }
  expect(await uploadsUnderWay(archive)).toBe(2);
  await page.getByRole('button', { name: 'Cancel added-copy.mp4' }).press('Enter');
  await expect(rowOf(page, 'added-copy.mp4')).toHaveCount(0);
  await expect.poll(() => uploadsUnderWay(archive)).toBe(1);
  await back.held[0]?.continue();
  await back.end();
  await expect.poll(() => idOf(archive, 'added-first.mp4'), { timeout: 30_000 }).toBeDefined();
});

test('a film that was refused on its way goes on where it was when it is chosen again', async ({ page, archive }) => {
  await enterAs(page, archive, { editor: true });
  await page.goto('/desk');
  const film = await makeFilm(join(folder, 'added-again.mp4'), 120, longerThanAPiece);
  const choose = () => page.locator('input[type=file]').first().setInputFiles(film);
  const refusing = holdBack(page);
  await refusing.begin();
  await choose();
  await expect.poll(() => refusing.held.length, { timeout: 30_000 }).toBe(1);
  await refusing.held[0]?.fulfill({ status: 400, json: { code: 'invalid_parameter', message: 'Not this one.' } });
  await refusing.end();
  await expect(rowOf(page, 'added-again.mp4')).toContainText('Not this one.');
  await choose();
  await expect.poll(() => idOf(archive, 'added-again.mp4'), { timeout: 30_000 }).toBeDefined();
  expect((await archive.database.pool.query('select from uploads')).rowCount).toBe(1);
});
