import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { setRoles } from '#domain/users/roles.ts';
import { startPreparedArchive } from '#testing/prepared-archive.ts';
import { enterAs, expect, expectAccessible, type JourneyArchive, preparedArchive, takePicture, test } from './journey.ts';

const address = '/search?query=harbour&skip=0';
const cards = (page: Page) => page.getByRole('article');
const moments = (page: Page) => page.getByRole('article').locator('a.moment');

test('where guests read the words, they do', async ({ page }) => {
  await page.goto(address);
  await expect(moments(page).first()).toContainText(/harbour/i);
  await expect(page.getByText('Sign in to read them.')).toHaveCount(0);
});

test.describe('where guests read few lines of a film', () => {
  const archive = ownArchive('words', { RUSHES_LINES_PER_VIDEO_HOUR: '4' });

  test('a card shows a share of its moments, says how many more are counted, and where to sign in', async ({ page }) => {
    await page.goto(`${archive().origin}/search?query=harbour+pier+tide&skip=0`);
    const card = cards(page).filter({ hasText: 'Harbour at dusk' });
    await expect(card.getByText(/^\d+ more moments? (is|are) counted\. Sign in to read them\.$/)).toBeVisible();
    await expect(card.locator('a.moment').first()).toContainText(/harbour|pier|tide/i);
    await lookAt(page, 'guests-read-share');
    await card.getByRole('link', { name: 'Sign in' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
  });
});

test.describe('where guests read counts', () => {
  const archive = ownArchive('counts');

  test('a card says how many moments of each kind there are, and where to sign in', async ({ page }) => {
    await page.goto(archive().origin + address);
    const card = cards(page).filter({ hasText: 'Harbour at dusk' });
    await expect(card.getByRole('listitem').filter({ hasText: /^\d+ spoken$/ })).toBeVisible();
    await expect(moments(page)).toHaveCount(0);
    await expect(card.getByRole('img', { name: /along the video/ })).toHaveCount(0);
    await lookAt(page, 'guests-read-counts');
    await card.getByRole('link', { name: 'Sign in' }).click();
    await expect(page).toHaveURL(`${archive().origin}/login?returnUrl=${encodeURIComponent(address)}`);
    await expect(page.getByRole('dialog')).toBeVisible();
  });

  test('somebody who waits is told so, and reads the words as soon as they are activated', async ({ page }) => {
    const person = await enterAs(page, archive(), {});
    await page.goto(archive().origin + address);
    await expect(cards(page).first()).toContainText('You can read them once your account is active.');
    await setRoles(archive().database.pool, person.uid, { viewer: true });
    await expect(moments(page).first()).toContainText(/harbour/i);
    await setRoles(archive().database.pool, person.uid, {});
    await expect(moments(page)).toHaveCount(0);
  });
});

test.describe('where guests see locked moments', () => {
  const archive = ownArchive('locked');

  test('a card shows where its moments stand, and one of them opens after signing in', async ({ page }) => {
    await page.goto(archive().origin + address);
    const card = cards(page).filter({ hasText: 'Harbour at dusk' });
    const spoken = card.locator('a.moment').filter({ hasText: 'Spoken text: locked' }).first();
    await expect(spoken).toBeVisible();
    await expect(card.locator('.strip i').first()).toBeVisible();
    await expect(card.getByText('Sign in to read them.')).toBeVisible();
    expect(await card.locator('mark').count()).toBe(0);
    await lookAt(page, 'guests-read-locked');
    const second = /[?&]t=(\d+)/.exec((await spoken.getAttribute('href')) ?? '')?.[1];
    // By the keys that walk from moment to moment, as where the words are read.
    await page.getByRole('heading', { level: 1 }).focus();
    await page.keyboard.press('n');
    await expect(moments(page).first()).toBeFocused();
    await spoken.click();
    await expect(page).toHaveURL(new RegExp(`/login\\?returnUrl=%2Fvideo%2F[0-9a-f]{10}%3Ft%3D${second}%26query%3Dharbour$`));
  });
});

/** An archive with the sample films whose guests read this much; started before the first of the tests around. */
function ownArchive(guestsRead: string, settings: Readonly<Record<string, string>> = {}): () => JourneyArchive {
  const folder = mkdtempSync(join(tmpdir(), 'rushes-settings-'));
  let archive: JourneyArchive | undefined;
  test.beforeAll(async () => {
    const shipped = JSON.parse(readFileSync(resolve(import.meta.dirname, '..', 'archive.config.json'), 'utf8'));
    const file = join(folder, 'archive.config.json');
    writeFileSync(file, JSON.stringify({ ...shipped, guestsRead }));
    archive = await startPreparedArchive(preparedArchive(), { ...settings, RUSHES_ARCHIVE_CONFIG: file });
  });
  test.afterAll(async () => {
    await archive?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return () => {
    if (!archive) throw new Error('The archive is not running.');
    return archive;
  };
}

/** In both themes and at both widths: nothing that scrolls sideways, and a picture of each; nothing for axe in either theme. */
async function lookAt(page: Page, name: string): Promise<void> {
  test.slow();
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1_440, 390]) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height: 900 });
      await takePicture(page, `${name}-${colorScheme}-${width}`);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    }
    await expectAccessible(page);
  }
  await page.setViewportSize({ width: 1_440, height: 900 });
}
