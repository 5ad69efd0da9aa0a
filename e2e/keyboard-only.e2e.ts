import type { Locator, Page } from '@playwright/test';
import { linkSentTo } from '#testing/practice-mailbox.ts';
import { expect, test, videoIdOf } from './journey.ts';

const tabsAtMost = 25;

test('a guest signs in, waits, writes a note, looks at the account and signs out without a pointer', async ({ page, archive }) => {
  const email = 'keys@only.example';
  await page.goto(`/video/${await videoIdOf(page, 'Harbour at dusk')}`);
  await press(page, page.getByRole('link', { name: 'Sign in with email' }));
  await expect(page.getByLabel('Full name')).toBeFocused();
  await page.keyboard.type('Kay Board');
  await page.keyboard.press('Tab');
  await page.keyboard.type(email);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Sign in with email' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: 'Thanks!' })).toBeVisible();

  await page.goto(await linkSentTo(archive.origin, email));
  await expect(page).toHaveURL(/\/activation-pending/);
  await press(page, page.getByText('Tell the administrators who you are'));
  await page.keyboard.press('Tab');
  await page.keyboard.type('I research harbours.');
  await press(page, page.getByRole('button', { name: 'Save' }));
  await expect.poll(async () => (await (await page.request.get('/api/account')).json()).note).toBe('I research harbours.');

  await choose(page, 'Account');
  await expect(page.getByRole('heading', { level: 1, name: 'Account' })).toBeFocused();
  await choose(page, 'Sign out');
  await expect(page.getByRole('link', { name: 'Login' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('the login window opens, holds the focus, and gives it back, all by keys', async ({ page }) => {
  await page.goto('/search?query=harbour&skip=0');
  const login = page.getByRole('banner').getByRole('link', { name: 'Login' });
  await press(page, login);
  await expect(page.getByRole('dialog').locator(':focus')).toBeVisible();
  for (const _ of Array(8)) {
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.getElementById('root')?.contains(document.activeElement))).toBe(false);
  }
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL('/search?query=harbour&skip=0');
  await expect(login).toBeFocused();
  await press(page, login);
  const opened = page.waitForEvent('popup');
  await press(page, page.getByRole('button', { name: 'Sign in with Google' }));
  const provider = await opened;
  await press(provider, provider.getByRole('button', { name: /Victor Viewer/ }));
  await expect(page.getByRole('button', { name: /Account of Victor Viewer/ })).toBeVisible();
  // What had the focus is gone from the page.
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

/** Goes there by Tab alone, sees where the focus is, and presses Enter. */
async function press(page: Page, target: Locator, step: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.waitFor();
  for (const _ of Array(tabsAtMost)) {
    if (await hasFocus(target)) break;
    await page.keyboard.press(step);
  }
  expect(await hasFocus(target), `Tab does not lead to ${target}`).toBe(true);
  expect(await target.evaluate((element) => getComputedStyle(element).outlineStyle), `no ring around ${target}`).not.toBe('none');
  await page.keyboard.press('Enter');
}

async function hasFocus(target: Locator): Promise<boolean> {
  return await target.evaluate((element) => element === document.activeElement);
}

/** Opens the menu and finds an item there by its first letters, as in every menu. */
async function choose(page: Page, name: string): Promise<void> {
  await press(page, page.getByRole('button', { name: /Account of Kay Board/ }), 'Shift+Tab');
  const item = page.getByRole('menuitem', { name });
  // The menu takes the focus a moment after it has opened.
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest('[role=menu]') !== null)).toBe(true);
  for (const _ of Array(tabsAtMost)) {
    if (await hasFocus(item)) break;
    await page.keyboard.press('ArrowDown');
  }
  await expect(item).toBeFocused();
  await page.keyboard.press('Enter');
}
