import type { Page } from '@playwright/test';
import { enterAs, expect } from './journey.ts';
import { test } from './keeper-archive.ts';

const search = '/search?query=lighthouse+keeper&skip=0';

test('arrows and n walk moment by moment across cards, clear of the header, and Enter opens one', async ({ page, archive }) => {
  await enterAs(page, archive, { viewer: true });
  await page.goto(search);
  const moments = page.getByRole('article').locator('a.moment');
  await expect(moments.first()).toBeVisible();
  await page.keyboard.press('ArrowUp');
  await expect(page.locator('a.moment:focus')).toHaveCount(0);
  for (const [place, key] of ['ArrowDown', 'n', 'ArrowDown', 'n', 'ArrowDown', 'n'].entries()) {
    await page.keyboard.press(key);
    await expect(moments.nth(place)).toBeFocused();
  }
  // Four of the first card, then the second card.
  expect(await cardOfFocus(page)).toBe(1);
  for (const [steps, key] of ['ArrowUp', 'Shift+N', 'ArrowUp'].entries()) {
    await page.keyboard.press(key);
    await expect(moments.nth(4 - steps)).toBeFocused();
  }
  expect(await cardOfFocus(page)).toBe(0);
  const href = await moments.nth(2).getAttribute('href');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(href ?? '');
});

test('a row with the focus shows the lines around it to who may watch, and y copies it as a citation', async ({
  page,
  context,
  archive,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const around = page.locator('.moment-around');
  const row = page.getByRole('article').first().locator('a.moment').nth(2);
  const cite = async () => {
    await page.goto(search);
    await row.focus();
    await page.keyboard.press('y');
    await expect(page.getByRole('status').getByText('Citation copied')).toBeVisible();
    return await page.evaluate(() => navigator.clipboard.readText());
  };
  expect(await cite()).toMatch(
    /^"At \w+ the keeper looked at the lamp\." — Keeper tape \d+, 00:00:\d\d, .+, http:\/\/localhost:\d+\/video\/[0-9a-f]{10}\?t=\d+$/,
  );
  await expect(around).toHaveCount(0);
  await enterAs(page, archive, { viewer: true });
  await cite();
  await expect(around).toHaveText(/^Before.*After/);
  await row.blur();
  await expect(around).toHaveCount(0);
});

test('y copies a title that has the focus as a citation of the film, among results and on the home page', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const source = /^Keeper tape \d+, [^,]+, http:\/\/localhost:\d+\/video\/[0-9a-f]{10}$/;
  const cite = async () => {
    await page.keyboard.press('y');
    await expect(page.getByRole('status').getByText('Citation copied')).toBeVisible();
    return await page.evaluate(() => navigator.clipboard.readText());
  };
  await page.goto(search);
  await page.getByRole('article').first().getByRole('heading').getByRole('link').focus();
  expect(await cite()).toMatch(source);
  await page.goto('/');
  await page.locator('a.video-card', { hasText: 'Keeper tape' }).first().focus();
  expect(await cite()).toMatch(source);
});

test('y copies nothing for whoever has turned single-letter keys off', async ({ page }) => {
  const copied: string[] = [];
  page.on('console', (message) => message.text().startsWith('Copied ') && copied.push(message.text()));
  await page.addInitScript(() => {
    navigator.clipboard.writeText = async (text) => console.info(`Copied ${text}`);
  });
  await page.goto(search);
  const titles = page.getByRole('article').getByRole('heading').getByRole('link');
  await expect(titles.first()).toBeVisible();
  const [first, second] = await titles.allInnerTexts();
  expect(first).not.toBe(second);
  await page.evaluate(() => localStorage.setItem('rushes-letter-keys', 'off'));
  await titles.nth(0).press('y');
  await page.evaluate(() => localStorage.setItem('rushes-letter-keys', 'on'));
  await titles.nth(1).press('y');
  await expect(page.getByRole('status').getByText('Citation copied')).toBeVisible();
  expect(copied).toEqual([expect.stringContaining(`Copied ${second},`)]);
});

test('walking past the last moment loads the next page and goes on', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(search);
  const cards = page.getByRole('article');
  await expect(cards).toHaveCount(12);
  await cards.nth(10).locator('a.moment').last().focus();
  for (const _ of Array(5)) {
    const before = await page.evaluate(() => document.activeElement?.getAttribute('href'));
    await page.keyboard.press('n');
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('href'))).not.toBe(before);
    expect(await isClearOfHeader(page)).toBe(true);
  }
  expect(await cardOfFocus(page)).toBe(12);
  // Upwards the header is in the way.
  for (const _ of Array(9)) {
    await page.keyboard.press('ArrowUp');
    expect(await isClearOfHeader(page)).toBe(true);
  }
});

for (const { size, path } of [
  { size: { width: 1440, height: 900 }, path: search },
  { size: { width: 390, height: 844 }, path: search },
  { size: { width: 1440, height: 900 }, path: '/' },
])
  test(`Shift+Tab up ${path} at ${size.width} never leads under the header, and nothing in the header moves the page`, async ({ page }) => {
    await page.setViewportSize(size);
    await page.goto(path);
    const links = page.getByRole('main').getByRole('listitem').getByRole('link');
    await expect(links.nth(11)).toBeVisible();
    const count = await links.count();
    await links.nth(count - 1).focus();
    for (const _ of Array(Math.min(count - 5, 30))) {
      await page.keyboard.press('Shift+Tab');
      expect(await isClearOfHeader(page), await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200))).toBe(true);
    }
    const scrolled = await page.evaluate(() => window.scrollY);
    expect(scrolled).toBeGreaterThan(100);
    await page.keyboard.press('/');
    await page.keyboard.type('storm');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => window.scrollY)).toBe(scrolled);
  });

test('in a field and in a window the keys keep their own meaning', async ({ page }) => {
  await page.goto(search);
  await expect(page.getByRole('article').first()).toBeVisible();
  await page.keyboard.press('/');
  const box = page.getByRole('combobox', { name: 'Search the archive' });
  await expect(box).toBeFocused();
  await box.press('End');
  await page.keyboard.type(' n');
  await expect(box).toHaveValue('lighthouse keeper n');
  await page.getByRole('button', { name: 'Search help' }).click();
  await expect(page.getByRole('dialog')).toContainText('move through the moments');
  await page.keyboard.press('n');
  await page.keyboard.press('ArrowDown');
  await expect(page.locator('a.moment:focus')).toHaveCount(0);
  await page.keyboard.press('Escape');
  const lengths = page.getByRole('radiogroup', { name: 'Length in minutes' });
  await lengths.getByRole('radio', { name: 'Any' }).focus();
  await page.keyboard.press('ArrowDown');
  await expect(lengths.getByRole('radio', { name: '< 10' })).toBeFocused();
});

test('arrows lead through the lengths past one that leaves nothing, and the keys stay on them', async ({ page }) => {
  await page.goto(`${search}&length=over-60`);
  const lengths = page.getByRole('radiogroup', { name: 'Length in minutes' });
  const length = (name: string) => lengths.getByRole('radio', { name });
  const total = page.getByRole('status').filter({ hasText: / in \d+ videos/ });
  const nothing = page.getByRole('listitem').filter({ hasText: '60+ min is on.' });
  await expect(nothing).toBeVisible();
  await expect(page.getByRole('group', { name: 'Match types' }).getByRole('button').first()).toHaveText('Spoken text0');
  await length('60+').focus();
  await page.keyboard.press('ArrowLeft');
  await expect(total).toBeVisible();
  await expect(nothing).toHaveCount(0);
  await expect(length('10–60')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(nothing).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('No matches found for lighthouse keeper');
  await expect(length('60+')).toBeFocused();
  // Among all videos as well, where nothing is searched.
  await page.goto('/search?query=&skip=0&length=10-60');
  await expect(page.locator('a.video-card').first()).toBeVisible();
  await length('10–60').focus();
  await page.keyboard.press('ArrowRight');
  await expect(nothing).toBeVisible();
  await expect(length('60+')).toBeFocused();
});

async function cardOfFocus(page: Page): Promise<number> {
  return await page.getByRole('article').evaluateAll((cards) => cards.findIndex((card) => card.contains(document.activeElement)));
}

async function isClearOfHeader(page: Page): Promise<boolean> {
  return await page.evaluate(() => {
    const { top, bottom } = document.activeElement?.getBoundingClientRect() ?? { top: 0, bottom: 0 };
    const header = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0;
    return top >= header && bottom <= window.innerHeight;
  });
}
