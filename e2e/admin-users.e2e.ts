import { randomBytes } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import type { Roles } from '#contract/roles.ts';
import { setRole } from '#domain/users/roles.ts';
import { enterAs, expect, type JourneyArchive, test } from './journey.ts';

type Pool = JourneyArchive['database']['pool'];

const everything = { viewer: true, editor: true, admin: true };
const toggles = ['Watch', 'Edit Videos', 'Admin'];

interface Stranger {
  name: string;
  roles?: Roles;
  hoursAgo?: number;
  verified?: boolean;
}

/** Somebody who has signed up and is not here. */
async function addStranger(pool: Pool, { name, roles = {}, hoursAgo = 1, verified = true }: Stranger): Promise<string> {
  const uid = randomBytes(8).toString('hex');
  await pool.query(
    `insert into users (id, name, email, email_verified, roles, created_at) values ($1, $2, $3, $4, $5, now() - $6 * interval '1 hour')`,
    [uid, name, `${uid}@strangers.example`, verified, roles, hoursAgo],
  );
  return uid;
}

async function rolesOf(pool: Pool, uid: string): Promise<Roles | undefined> {
  const { rows } = await pool.query<{ roles: Roles }>('select roles from users where id = $1', [uid]);
  return rows[0]?.roles;
}

/** What the page logs of a change; what Chromium logs of any request reads otherwise, and so does what was not read. */
const changeFailed = /^Failed: (?!\[)/;

const waiting = (page: Page) => page.getByRole('table', { name: 'Waiting for activation' });
const active = (page: Page) => page.getByRole('table', { name: 'Active users' });
const rowOf = (table: Locator, uid: string) => table.getByRole('row').filter({ hasText: `${uid}@` });

test('2.8 the tabs of /admin switch between Users, Videos and Activity; no number is told before it is known', async ({
  page,
  archive,
}) => {
  await enterAs(page, archive, everything);
  const held = Promise.withResolvers<void>();
  await page.route(/\/api\/users\?/, (route) => held.promise.then(() => route.continue()));
  await page.goto('/admin');
  await expect(page.locator('.table-head').filter({ hasText: 'Active users' })).toHaveText('Active users');
  held.resolve();
  await expect(page.getByRole('heading', { level: 1, name: 'Admin' })).toBeVisible();
  const tabs = page.getByRole('navigation', { name: 'Admin' });
  await expect(tabs.getByRole('link', { name: 'Users' })).toHaveAttribute('aria-current', 'page');
  await tabs.getByRole('link', { name: 'Users' }).press('Tab');
  await expect(tabs.getByRole('link', { name: 'Videos' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/admin/videos');
  await expect(page.getByRole('columnheader', { name: 'External Id' })).toBeVisible();
  await tabs.getByRole('link', { name: 'Videos' }).press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/admin/activity');
  // The page that was left may stand for a moment longer: its tabs go with it.
  await expect(page.getByRole('heading', { level: 2, name: 'Activity' })).toBeVisible();
  await expect(tabs.getByRole('link', { name: 'Activity' })).toBeFocused();
  for (const key of ['Home', 'Enter']) await page.keyboard.press(key);
  await expect(page).toHaveURL('/admin');
  await expect(active(page)).toBeVisible();
});

test('6.5 the toggles are Watch, Edit Videos and Admin; on the own row they are disabled and nothing is deleted', async ({
  page,
  archive,
}) => {
  const { pool } = archive.database;
  const roles = { viewer: true };
  const uid = await addStranger(pool, { name: 'Amara Osei', roles });
  const me = await enterAs(page, archive, everything);
  await page.goto(`/admin?search=${uid}`);
  const other = rowOf(active(page), uid);
  await expect(other.getByRole('switch')).toHaveCount(3);
  for (const toggle of toggles) await expect(other.getByRole('switch', { name: `${toggle}, Amara Osei` })).toBeEnabled();
  await expect(other.getByRole('button', { name: 'Delete Amara Osei' })).toBeVisible();
  await page.goto(`/admin?search=${me.uid}`);
  const own = rowOf(active(page), me.uid);
  await expect(own).toContainText('You');
  for (const toggle of toggles) await expect(own.getByRole('switch', { name: new RegExp(`^${toggle}, `) })).toBeDisabled();
  await expect(own.getByRole('button', { name: /^Delete/ })).toHaveCount(0);
  // The arrow keys go down a column past it.
  const [above, below] = [
    await addStranger(pool, { name: `A ${me.uid}`, roles }),
    await addStranger(pool, { name: `Zz ${me.uid}`, roles }),
  ];
  await page.goto(`/admin?search=${me.uid}&sort=displayName`);
  const watch = (of: string) => rowOf(active(page), of).getByRole('switch', { name: /^Watch/ });
  await watch(above).press('ArrowDown');
  await expect(watch(below)).toBeFocused();
  await watch(below).press('ArrowUp');
  await expect(watch(above)).toBeFocused();
});

test('4.4 1.4 an admin toggles each role on its own, and Watch moves who waited to the active users', async ({ page, archive }) => {
  const { pool } = archive.database;
  const uid = await addStranger(pool, { name: 'Dario Venturi' });
  await enterAs(page, archive, everything);
  await page.goto(`/admin?search=${uid}`);
  const waits = rowOf(waiting(page), uid);
  await waits.getByRole('switch', { name: 'Watch, Dario Venturi' }).click();
  await expect(waits.getByRole('switch', { name: 'Watch, Dario Venturi' })).toBeChecked();
  const row = rowOf(active(page), uid);
  await expect(row.getByRole('switch', { name: 'Watch, Dario Venturi' })).toBeChecked();
  await expect(waiting(page)).toHaveCount(0);
  expect(await rolesOf(pool, uid)).toEqual({ viewer: true });
  // One after the other without waiting for the answers: each is a change of its own.
  for (const toggle of ['Edit Videos', 'Admin', 'Watch']) await row.getByRole('switch', { name: `${toggle}, Dario Venturi` }).click();
  await expect.poll(() => rolesOf(pool, uid)).toEqual({ editor: true, admin: true });
  await expect(row.getByRole('switch', { name: 'Watch, Dario Venturi' })).not.toBeChecked();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.getByRole('link', { name: 'Activity' }).click();
  const told = page.getByRole('row').filter({ hasText: `${uid}@` });
  await expect(told).toHaveCount(4);
  await expect(told.first()).toContainText('removed Watch from');
  await expect(told.last()).toContainText('gave Watch to');
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download as CSV' }).click()]);
  expect(file.suggestedFilename()).toMatch(/\.csv$/);
});

test('4.4 a toggle that is not saved goes back and says so', async ({ page, archive }) => {
  const { pool } = archive.database;
  const uid = await addStranger(pool, { name: 'Tomas Reidar', roles: { viewer: true } });
  await enterAs(page, archive, everything);
  const said: string[] = [];
  page.on('console', (message) => message.type() === 'error' && said.push(message.text()));
  await page.goto(`/admin?search=${uid}`);
  const edit = page.getByRole('switch', { name: 'Edit Videos, Tomas Reidar' });
  await expect(edit).toBeEnabled();
  // Without a connection it fails at once, and nothing is made up for later.
  await page.context().setOffline(true);
  await edit.click();
  await expect(page.getByText('The change was not saved. Try again.')).toBeVisible();
  await expect(edit).not.toBeChecked();
  await page.context().setOffline(false);
  await page.route('**/api/users/*/roles', (route) => route.abort());
  await edit.click();
  await expect.poll(() => said.filter((line) => changeFailed.test(line)).length).toBe(2);
  await expect(edit).not.toBeChecked();
  // Another administrator is quicker: between the click and its arrival.
  const other = await addStranger(pool, { name: 'Ines Caldeira', roles: everything });
  await page.unroute('**/api/users/*/roles');
  await page.route('**/api/users/*/roles', async (route) => {
    await setRole(pool, { actorUid: other, uid, role: 'admin', granted: true, from: 'a journey' });
    await route.continue();
  });
  await edit.click();
  // What was read without a connection may still say so beside it.
  await expect(page.getByRole('alert').filter({ hasText: 'Someone else has changed this user.' })).toHaveCount(1);
  await expect(edit).not.toBeChecked();
  await expect(page.getByRole('switch', { name: 'Admin, Tomas Reidar' })).toBeChecked();
  expect(await rolesOf(pool, uid)).toEqual({ viewer: true, admin: true });
});

test('5.3 8.3 deleting asks first, keeps the row when it fails, and then says that the user has been deleted', async ({
  page,
  archive,
}) => {
  const { pool } = archive.database;
  const uid = await addStranger(pool, { name: 'Kofi Mensah', roles: { viewer: true } });
  await enterAs(page, archive, everything);
  const said: string[] = [];
  page.on('console', (message) => message.type() === 'error' && said.push(message.text()));
  await page.goto(`/admin?search=${uid}`);
  const row = rowOf(active(page), uid);
  const question = page.getByRole('alertdialog', { name: 'Are you sure you want to delete this user?' });
  const ask = row.getByRole('button', { name: 'Delete Kofi Mensah' });
  await ask.click();
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await expect(question).toContainText('The account loses access at once. Signing in again starts a new activation request.');
  await page.keyboard.press('Enter');
  await expect(question).toHaveCount(0);
  await expect(ask).toBeFocused();
  expect(await rolesOf(pool, uid)).toBeDefined();
  await page.route(`**/api/users/${uid}`, (route) => route.fulfill({ status: 500, json: { detail: 'broken', code: 'internal' } }));
  await ask.click();
  await question.getByRole('button', { name: 'Delete user' }).click();
  await expect(page.getByRole('alert')).toHaveText('The user was not deleted. Try again.');
  await expect(row).toBeVisible();
  expect(said.filter((line) => changeFailed.test(line))).toHaveLength(1);
  await page.unroute(`**/api/users/${uid}`);
  await ask.click();
  await question.getByRole('button', { name: 'Delete user' }).click();
  await expect(page.getByText('User has been deleted')).toBeVisible();
  await expect(row).toHaveCount(0);
  expect(await rolesOf(pool, uid)).toBeUndefined();
});

test('4.4 5.3 a user is found, activated, let go and let in again, and deleted, and the focus stays with the switch', async ({
  page,
  archive,
}) => {
  const { pool } = archive.database;
  const family = randomBytes(4).toString('hex');
  const [first, second] = [
    await addStranger(pool, { name: `Ada ${family}`, hoursAgo: 3 }),
    await addStranger(pool, { name: `Bea ${family}` }),
  ];
  await enterAs(page, archive, everything);
  await page.goto('/admin');
  const find = page.getByRole('searchbox', { name: 'Search users by name or e-mail' });
  await page.getByRole('navigation', { name: 'Admin' }).getByRole('link').last().focus();
  await page.keyboard.press('Tab');
  await expect(find).toBeFocused();
  await page.keyboard.type(family);
  await expect(page).toHaveURL(`/admin?search=${family}`);
  await expect(waiting(page).getByRole('row')).toHaveCount(3);
  await page.getByRole('navigation', { name: 'Needs attention' }).getByRole('link').last().focus();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('switch', { name: `Watch, Ada ${family}` })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('switch', { name: `Watch, Bea ${family}` })).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Space');
  // It is said, and the focus goes with the switch: to the other table, back by the switch itself, and back again by Undo.
  const watch = page.getByRole('switch', { name: `Watch, Ada ${family}` });
  const said = page.getByRole('status');
  await expect(rowOf(active(page), first)).toBeVisible();
  await expect(said.getByText(`Ada ${family} can watch now.`)).toBeVisible();
  await expect(waiting(page).getByRole('row')).toHaveCount(2);
  await expect(watch).toBeFocused();
  await page.keyboard.press('Space');
  await expect(said.getByText(`Ada ${family} can no longer watch.`)).toBeVisible();
  await expect(waiting(page).getByRole('row')).toHaveCount(3);
  await expect(watch).toBeFocused();
  expect(await rolesOf(pool, first)).toEqual({});
  const undo = said.getByRole('button', { name: 'Undo' });
  // Its focus is as clear to see as its words, in both themes.
  await page.keyboard.press('Shift');
  await undo.focus();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
    const { outlineStyle, outlineColor, color } = await undo.evaluate((one) => ({ ...getComputedStyle(one) }));
    expect([outlineStyle, outlineColor]).toEqual(['solid', color]);
  }
  await page.keyboard.press('Enter');
  await expect(said.getByText(`Ada ${family} can watch now.`)).toBeVisible();
  await expect(rowOf(active(page), first)).toBeVisible();
  await expect(waiting(page).getByRole('row')).toHaveCount(2);
  await expect(watch).toBeFocused();
  await expect(watch).toBeChecked();
  await page.getByRole('switch', { name: `Watch, Bea ${family}` }).focus();
  for (const _ of ['Edit Videos', 'Admin', 'Delete']) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByText('User has been deleted')).toBeVisible();
  await expect(waiting(page)).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  expect([await rolesOf(pool, first), await rolesOf(pool, second)]).toEqual([{ viewer: true }, undefined]);
});

test('who waits is listed oldest first, before those whose access was removed, with age, proof and what to look at twice', async ({
  page,
  archive,
}) => {
  const { pool } = archive.database;
  const family = randomBytes(4).toString('hex');
  await addStranger(pool, { name: `Nadia ${family}`, roles: { viewer: true } });
  const removed = await addStranger(pool, { name: `Once ${family}`, hoursAgo: 9_000 });
  await pool.query('update users set activated_at = created_at where id = $1', [removed]);
  await addStranger(pool, { name: `New ${family}`, hoursAgo: 2 });
  await addStranger(pool, { name: `Nаdia ${family}`, hoursAgo: 30, verified: false });
  await addStranger(pool, { name: `مريم ${family}`, hoursAgo: 21 });
  await enterAs(page, archive, everything);
  await page.goto(`/admin?search=${family}`);
  const rows = waiting(page).getByRole('row');
  await expect(rows).toHaveCount(5);
  await expect(rows.nth(1)).toContainText('30 hours ago, overdue');
  await expect(rows.nth(1)).toContainText('Mixed scripts');
  await expect(rows.nth(1)).toContainText('Same name as an active user');
  await expect(rows.nth(1)).toContainText('not verified');
  await expect(rows.nth(2)).toContainText('21 hours ago, due soon');
  await expect(rows.nth(2).locator('bdi').first()).toHaveText(`مريم ${family}`);
  await expect(rows.nth(3)).toContainText('2 hours ago');
  await expect(rows.nth(3)).not.toContainText('not verified');
  await expect(rows.nth(4)).toContainText('Access removed');
  // Somebody signs up while the page is open.
  await addStranger(pool, { name: `Late ${family}`, hoursAgo: 0 });
  await expect(rows).toHaveCount(6);
});
