import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, expect, type Page } from '@playwright/test';
import type { Roles } from '#contract/roles.ts';
import { sql } from '#domain/db/sql.ts';
import { setRoles } from '#domain/users/roles.ts';
import { freePort } from '#testing/free-port.ts';
import { startArchive } from '#testing/running-archive.ts';
import { type StandIn, standInCredentials, startStandIn } from '#testing/stand-in-providers.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';

/** An archive of its own that is no practice archive: its four providers are stand-ins on this machine. */
const test = base.extend<object, { open: { origin: string; standIn: StandIn; database: TestDatabase } }>({
  open: [
    async ({ browserName: _ }, use) => {
      const port = await freePort();
      const origin = `http://localhost:${port}`;
      const standIn = await startStandIn(origin);
      const dataFolder = mkdtempSync(join(tmpdir(), 'rushes-providers-'));
      const database = await createTestDatabase();
      const env = {
        ...standInCredentials,
        RUSHES_PUBLIC_URL: origin,
        RUSHES_LISTEN: 'localhost',
        RUSHES_SIGN_IN_STAND_IN: standIn.base,
        RUSHES_ROLES: 'web',
      };
      const archive = await startArchive({ dataFolder, databaseUrl: database.url, port, env });
      await use({ origin, standIn, database });
      await archive.stop();
      standIn.stop();
      await database.drop();
      rmSync(dataFolder, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ open }, use) => await use(open.origin),
});

test.beforeEach(async ({ open }) => {
  open.standIn.mischief = 'none';
  await open.database.pool.query('delete from users');
});

type Name = 'Google' | 'Microsoft' | 'Facebook' | 'Twitter';
const button = (page: Page, name: Name) => page.getByRole('button', { name: `Sign in with ${name}` });

/** Presses a provider's button and chooses somebody in the window that opens. */
async function choose(page: Page, name: Name, person: string): Promise<void> {
  const opened = page.waitForEvent('popup');
  await button(page, name).click();
  const popup = await opened;
  const closed = popup.waitForEvent('close');
  await popup.getByRole('button', { name: person }).click();
  await closed;
}

const journeys: [Name, Roles][] = [
  ['Google', {}],
  ['Microsoft', { viewer: true }],
  ['Facebook', { editor: true }],
  ['Twitter', { admin: true }],
];

for (const [name, roles] of journeys) {
  const part = Object.keys(roles)[0] ?? 'newcomer';
  test(`1.5 7.5 2.2 somebody signs in by ${name} in its window and is back where they were going, as ${part}`, async ({ page, open }) => {
    const { pool } = open.database;
    await page.goto('/login?returnUrl=%2Fsearch%3Fquery%3Dharbour');
    await choose(page, name, 'Ann Archer');
    await expect(page).toHaveURL(/\/search\?query=harbour/);
    await expect(page.getByRole('button', { name: /Ann Archer/ })).toBeVisible();
    const { rows } = await pool.query(sql`
      select u.id, u.email, u.email_verified, u.roles, s.signed_in_by from users u join sessions s on s.user_id = u.id`);
    const expected = { email: 'ann@people.example', email_verified: name === 'Google', roles: {}, signed_in_by: name.toLowerCase() };
    expect(rows).toEqual([expect.objectContaining(expected)]);

    await setRoles(pool, rows[0].id, roles);
    await page.context().clearCookies();
    await page.goto('/login?returnUrl=%2Fadmin');
    await choose(page, name, 'Ann Archer');
    await expect(page).toHaveURL(roles.admin ? /\/admin/ : '/?returnUrl=%2Fadmin');
    expect((await pool.query('select roles from users')).rows).toEqual([{ roles }]);
  });
}

test('3.1 somebody whose provider tells no address is known by name, and has a picture', async ({ page }) => {
  await page.goto('/login');
  await choose(page, 'Facebook', 'Bo Baker');
  const menu = page.getByRole('button', { name: /Bo Baker/ });
  await expect(menu.locator('img')).toHaveJSProperty('complete', true);
  expect(await menu.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
});

const failures = [
  ['denied', 'The sign-in was cancelled.'],
  ['wrong state', 'This sign-in was begun in another window, or too long ago. Try again.'],
  ['replayed code', 'The provider did not confirm the sign-in. Try again.'],
  ['other audience', 'The provider did not say for certain who you are. Try again, or sign in another way.'],
  ['fault', 'The provider did not confirm the sign-in. Try again.'],
  ['silence', 'The provider did not confirm the sign-in. Try again.'],
  ['endless answer', 'The provider did not confirm the sign-in. Try again.'],
] as const;

test('7.5 whatever goes wrong at a provider is said in plain words, and the next attempt is a new one', async ({ page, open }) => {
  await page.goto('/login');
  for (const [what, message] of failures) {
    await test.step(what, async () => {
      if (what !== 'denied') open.standIn.mischief = what;
      await choose(page, 'Google', what === 'denied' ? 'Cancel' : 'Ann Archer');
      await expect(page.getByRole('alert')).toHaveText(message);
      expect((await open.database.pool.query('select 1 from users')).rowCount).toBe(0);
    });
  }
  open.standIn.mischief = 'none';
  await choose(page, 'Google', 'Ann Archer');
  await expect(page.getByRole('button', { name: /Ann Archer/ })).toBeVisible();
});

test('7.5 a window that is closed is a quiet return, and a second tab hears of the sign-in', async ({ page, context }) => {
  const second = await context.newPage();
  await second.goto('/login?returnUrl=%2Fsearch%3Fquery%3Dharbour');
  await page.goto('/login');
  const opened = page.waitForEvent('popup');
  await button(page, 'Google').click();
  const provider = await opened;
  // What is still on its way to its page is not always closed by the browser.
  await expect(provider.getByRole('button', { name: 'Ann Archer' })).toBeVisible();
  await provider.close();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await choose(page, 'Google', 'Ann Archer');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(second).toHaveURL(/\/search\?query=harbour/);
  await expect(second.getByRole('button', { name: /Ann Archer/ })).toBeVisible();
});

test('7.5 2.2 where windows are blocked the whole page goes to the provider and comes back, also with bad news', async ({ page }) => {
  await page.addInitScript(() => {
    window.open = () => null;
  });
  await page.goto('/login?returnUrl=%2Fsearch%3Fquery%3Dharbour');
  await button(page, 'Twitter').click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('alert')).toHaveText('The sign-in was cancelled.');
  await button(page, 'Twitter').click();
  await page.getByRole('button', { name: 'Ann Archer' }).click();
  await expect(page).toHaveURL(/\/search\?query=harbour/);
  await expect(page.getByRole('button', { name: /Ann Archer/ })).toBeVisible();
});
