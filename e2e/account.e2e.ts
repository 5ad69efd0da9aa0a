import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { toAvatarAddress } from '#domain/users/avatar-address.ts';
import { setRoles } from '#domain/users/roles.ts';
import { enterAs, expect, expectAccessible, test } from './journey.ts';

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

async function openMenu(page: Page): Promise<string[]> {
  await page.getByRole('button', { name: /^Account of/ }).click();
  await expect(page.getByRole('menuitem').first()).toBeVisible();
  return await page.getByRole('menuitem').allInnerTexts();
}

test('3.2 somebody without a photo is shown by a picture of this server, and no request leaves for anywhere else', async ({
  page,
  archive,
}) => {
  const asked = new Set<string>();
  page.on('request', (request) => request.url().startsWith('http') && asked.add(new URL(request.url()).origin));
  const { uid } = await enterAs(page, archive, { viewer: true });
  await page.goto('/');
  const picture = page.getByRole('button', { name: /^Account of/ }).locator('img');
  await expect(picture).toHaveAttribute('src', toAvatarAddress(`${uid}@people.example`));
  await expect(picture).not.toHaveJSProperty('naturalWidth', 0);
  expect([...asked]).toEqual([archive.origin]);
});

test('2.11 the menu leads to what one may do, and nowhere else', async ({ page, archive }) => {
  await enterAs(page, archive, { editor: true });
  await page.goto('/');
  expect(await openMenu(page)).toEqual(['Add videos', 'Account', 'Sign out']);
  await page.getByRole('menuitem', { name: 'Account' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Account' })).toBeFocused();
  await page.context().clearCookies();
  await enterAs(page, archive, {});
  await page.goto('/search?query=harbour&skip=0');
  expect(await openMenu(page)).toEqual(['Waiting for activation', 'Account', 'Sign out']);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Waiting for activation' }).click();
  await expect(page).toHaveURL(`/activation-pending?${new URLSearchParams({ returnUrl: '/search?query=harbour&skip=0' })}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thanks for signing up');
  expect(await openMenu(page)).toEqual(['Account', 'Sign out']);
});

test('people give themselves another name; what is no name is said under the field', async ({ page, archive }) => {
  const { uid } = await enterAs(page, archive, {});
  await page.goto('/account');
  const field = page.getByRole('textbox', { name: 'Name' });
  await expect(field).toHaveValue(`Person ${uid}`);
  await field.fill(' \u200b ');
  await field.press('Enter');
  await expect(field).toHaveAccessibleDescription(/A name needs a letter or digit/);
  await field.fill('Grace  Hopper');
  await expect(field).toHaveAccessibleDescription('');
  const answer = Promise.withResolvers<void>();
  await page.route('**/api/users/*', async (route) => {
    await answer.promise;
    await route.continue();
  });
  const save = page.getByRole('button', { name: 'Save' });
  await save.press('Enter');
  await expect(field).not.toBeEditable();
  answer.resolve();
  await expect(page.getByText('Your name has been saved')).toBeVisible();
  await expect(field).toHaveValue('Grace Hopper');
  await expect(field).toBeEditable();
  await expect(save).toBeFocused();
  await expect(page.getByRole('button', { name: 'Account of Grace Hopper' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText(`${uid}@people.example`);
  await expect(page.getByRole('main')).toContainText('Not verified');
});

test('people end their sessions one by one, or all of them at once', async ({ page, archive }) => {
  const { pool } = archive.database;
  const { uid, cookie } = await enterAs(page, archive, { viewer: true });
  await pool.query(`insert into sessions (id, user_id, token_hash, user_agent) values ('of ' || $1, $1, 'hash of ' || $1, $2)`, [
    uid,
    firefox,
  ]);
  await page.goto('/account');
  const sessions = page.getByRole('region', { name: 'Signed in' }).getByRole('listitem');
  await expect(sessions).toHaveCount(2);
  await expect(sessions.first()).toContainText('This one');
  await sessions.filter({ hasText: 'Firefox on Windows' }).getByRole('button', { name: 'Sign out' }).press('Enter');
  await expect(sessions).toHaveCount(1);
  const everywhere = page.getByRole('button', { name: 'Sign out everywhere' });
  await expect(everywhere).toBeFocused();
  await everywhere.press('Enter');
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('link', { name: 'Login' })).toBeVisible();
  const { rows } = await pool.query('select 1 from sessions where user_id = $1', [uid]);
  expect(rows).toEqual([]);
  const answer = await page.request.get('/api/session', { headers: { cookie } });
  expect(await answer.json()).toEqual({ user: null });
});

test('people take their data along and delete their account; a refusal is told and changes nothing', async ({ page, archive }) => {
  const { uid } = await enterAs(page, archive, { viewer: true });
  await page.goto('/account');
  const saved = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download my data' }).click();
  expect(JSON.parse(readFileSync(await (await saved).path(), 'utf8'))).toMatchObject({ uid, email: `${uid}@people.example` });

  const lastAdmin = 'You are the only administrator. Make someone else an administrator first, then delete your account.';
  const refuse = { status: 409, contentType: 'application/problem+json', json: { code: 'last_admin', detail: lastAdmin } };
  await page.route('**/api/account', (route) => (route.request().method() === 'DELETE' ? route.fulfill(refuse) : route.continue()));
  const ask = page.getByRole('button', { name: 'Delete my account' });
  const question = page.getByRole('alertdialog', { name: 'Delete your account?' });
  await ask.click();
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(ask).toBeFocused();
  await ask.click();
  await question.getByRole('button', { name: 'Delete my account' }).click();
  await expect(page.getByRole('alert')).toContainText(lastAdmin);
  await expect(page).toHaveURL('/account');

  await page.unroute('**/api/account');
  // What has been done is not told as undone where the archive does not answer who is there now.
  await page.route('**/api/session', (route) => route.abort());
  await ask.click();
  await question.getByRole('button', { name: 'Delete my account' }).click();
  await expect(page.getByText('Your account has been deleted')).toBeVisible();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('link', { name: 'Login' })).toBeVisible();
  const { rows } = await archive.database.pool.query('select 1 from users where id = $1', [uid]);
  expect(rows).toEqual([]);
});

test('an editor makes a key for scripts, sees it once, and revokes it by keys alone', async ({ page, archive }) => {
  const { uid } = await enterAs(page, archive, { viewer: true });
  await page.goto('/account');
  await expect(page.getByRole('region', { name: 'Signed in' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Keys' })).toHaveCount(0);
  await setRoles(archive.database.pool, uid, { editor: true });
  await page.reload();
  const keys = page.getByRole('region', { name: 'Keys' });
  await keys.getByRole('textbox', { name: 'What the key is for' }).fill('Nightly import');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowLeft');
  await expect(keys.getByRole('radio', { name: '30 days' })).toBeChecked();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(keys.getByRole('status')).toContainText('It will not be shown again');
  const key = await keys.getByRole('status').locator('code').innerText();
  await expect(keys.getByRole('listitem')).toContainText(/Nightly import.*never used/s);
  await expectAccessible(page);
  const address = new URL(await keys.locator('p code').innerText());
  const exchanged = await page.request.get(`${address.origin}/Auth${address.pathname}/AccessToken?allowEdit=true`, {
    headers: { 'ocp-apim-subscription-key': key, cookie: '' },
  });
  expect(exchanged.status()).toBe(200);
  await page.reload();
  await expect(keys.getByRole('listitem')).toContainText('last used');
  await expect(keys).not.toContainText(key);
  await keys.getByRole('button', { name: 'Revoke Nightly import' }).press('Enter');
  await expect(keys.getByRole('listitem')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Keys' })).toBeFocused();
  const refused = await page.request.get(exchanged.url(), { headers: { 'ocp-apim-subscription-key': key } });
  expect(refused.status()).toBe(401);
});

test('signing out without a connection says that one is still signed in', async ({ page, archive }) => {
  await enterAs(page, archive, { viewer: true });
  await page.goto('/');
  await page.route('**/api/sign-out', (route) => route.abort());
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByRole('alert')).toHaveText('You are still signed in. No connection to the archive. Try again when it is back.');
  await expect(page.getByRole('button', { name: /^Account of/ })).toBeVisible();
});

test('the privacy policy leads to the very part of one’s account that it names, also the first time', async ({ page, archive }) => {
  await enterAs(page, archive, { viewer: true });
  await page.setViewportSize({ width: 1440, height: 500 });
  await page.goto('/privacy');
  await page.getByRole('link', { name: 'delete your account' }).click();
  await expect(page).toHaveURL('/account#account-end');
  await expect(page.getByRole('heading', { name: 'Delete', exact: true })).toBeInViewport();
});

test('whoever types and goes back at once is not fetched back', async ({ page, archive }) => {
  await enterAs(page, archive, { viewer: true, editor: true, admin: true });
  await page.clock.install();
  await page.goto('/');
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Admin panel' }).click();
  await page.getByRole('searchbox', { name: 'Search users by name or e-mail' }).press('x');
  await page.evaluate(() => history.back());
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('heading', { level: 1, name: 'Search everything' })).toBeVisible();
  await page.clock.fastForward(1_000);
  await expect(page.getByRole('searchbox', { name: 'Search users by name or e-mail' })).toHaveCount(0);
  await expect(page).toHaveURL('/');
});
