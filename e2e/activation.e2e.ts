import { setRoles } from '#domain/users/roles.ts';
import { enterAs, expect, expectAccessible, playerSeconds, signUpAsNora, takePicture, test, videoIdOf } from './journey.ts';

test('1.3 2.6 4.2 9.6 a newcomer waits, is activated by an administrator, and goes on to the video without a reload', async ({
  page,
  archive,
  browser,
}) => {
  const id = await videoIdOf(page, 'Harbour at dusk');
  const nora = await signUpAsNora(page, archive, `/video/${id}?t=12`);
  await expect(page).toHaveURL(`/activation-pending?${new URLSearchParams({ returnUrl: `/video/${id}?t=12` })}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thanks for signing up');
  await expect(page.getByText('activated within 24 hours, after which all archive content can be watched.')).toBeVisible();
  await expect(page.getByRole('listitem').first()).toHaveText(/^Signed up as nora@practice\.example\d\d:\d\d$/);
  await expect(page.getByRole('listitem').filter({ hasText: 'Waiting' })).toHaveText(/00:0\d so far$/);
  await page.getByText('Tell the administrators who you are').click();
  await page.getByLabel(/Add a note/).fill('I catalogue the harbour films.');
  await expectAccessible(page);
  const save = page.getByRole('button', { name: 'Save the note' });
  const answer = Promise.withResolvers<void>();
  await page.route('**/api/account/note', async (route) => {
    await answer.promise;
    await route.continue();
  });
  await save.press('Enter');
  await expect(page.getByLabel(/Add a note/)).not.toBeEditable();
  answer.resolve();
  await expect(page.getByText('Saved.')).toBeVisible();
  await expect(save).toBeFocused();
  await page.evaluate(() => Object.assign(window, { hasNotReloaded: true }));

  const ada = await (await browser.newContext({ baseURL: archive.origin })).newPage();
  await enterAs(ada, archive, { admin: true });
  const { note } = await (await ada.request.get(`/api/users/${nora}`)).json();
  expect(note).toBe('I catalogue the harbour films.');
  await ada.goto('/admin');
  const granted = ada.waitForResponse((answer) => answer.request().method() === 'PATCH');
  await ada
    .getByRole('row', { name: /Nora Newcomer/ })
    .getByRole('switch', { name: /^Watch/ })
    .click();
  expect((await granted).status()).toBe(200);
  await expect(page.getByRole('status').filter({ hasText: 'Your account is active' })).toBeAttached();
  await page.waitForURL(`/video/${id}?t=12`);
  await expect.poll(() => playerSeconds(page)).toBeGreaterThanOrEqual(12);
  expect(await page.evaluate(() => 'hasNotReloaded' in window)).toBe(true);
  await ada.context().close();
});

test('4.2 9.6 after 24 hours the page says whom to write to; all tabs share one line to the server and move on together', async ({
  page,
  archive,
  context,
}) => {
  const { uid } = await enterAs(page, archive, {});
  await archive.database.pool.query("update users set created_at = now() - interval '24 hours 5 minutes' where id = $1", [uid]);
  let lines = 0;
  context.on('request', (request) => {
    if (request.url().endsWith('/api/session/events')) lines++;
  });
  await page.goto('/activation-pending?returnUrl=%2Fprivacy');
  const slow = page.getByRole('status').filter({ hasText: 'This takes longer than usual.' });
  await expect(slow.getByRole('link')).toHaveAttribute('href', 'mailto:licensing@rushes.example');
  await expect(page.getByText('24:05 so far')).toBeVisible();
  await expect.poll(() => lines).toBe(1);
  const [second, third] = [await context.newPage(), await context.newPage()];
  for (const tab of [second, third]) await tab.goto('/activation-pending?returnUrl=%2Fcookies');
  await expect(third.getByText('so far')).toBeVisible();
  expect(lines).toBe(1);
  // Whoever listened is gone; another tab listens for those that are left.
  await page.close();
  await expect.poll(() => lines).toBe(2);
  await setRoles(archive.database.pool, uid, { editor: true });
  for (const tab of [second, third]) await tab.waitForURL('/cookies');
});

test('somebody whose access was removed is told so, and not that it takes 24 hours; given back, the page moves on', async ({
  page,
  archive,
}) => {
  const { pool } = archive.database;
  const { uid } = await enterAs(page, archive, {});
  await setRoles(pool, uid, { viewer: true });
  await setRoles(pool, uid, { viewer: false });
  await page.goto('/activation-pending?returnUrl=%2Fprivacy');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your access was removed');
  await expect(page.getByRole('main').getByRole('link', { name: 'licensing@rushes.example' })).toBeVisible();
  await expect(page.getByText(/24 hours|so far/)).toHaveCount(0);
  await expectAccessible(page);
  await page.goto('/account');
  await expect(page.getByText('An administrator has removed your access to the videos.')).toBeVisible();
  await expect(page.getByRole('banner').getByRole('link', { name: 'Access removed' })).toBeVisible();
  await page.goto('/activation-pending?returnUrl=%2Fprivacy');
  await setRoles(pool, uid, { viewer: true });
  await page.waitForURL('/privacy');
});

test('taking the note away is confirmed, and nothing shuts over the button that did it', async ({ page, archive }) => {
  const { uid } = await enterAs(page, archive, {});
  await archive.database.pool.query('update users set note = $2 where id = $1', [uid, 'From the harbour museum.']);
  await page.goto('/activation-pending');
  await page.getByLabel(/Add a note/).fill('');
  const save = page.getByRole('button', { name: 'Save the note' });
  await save.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: 'Removed.' })).toBeVisible();
  await expect(save).toBeFocused();
});

test('nobody is thanked for signing up whose access was removed, also when the account is late', async ({ page, archive }) => {
  const { pool } = archive.database;
  const { uid } = await enterAs(page, archive, {});
  await setRoles(pool, uid, { viewer: true });
  await setRoles(pool, uid, { viewer: false });
  await page.route('**/api/account', (route) => route.abort());
  await page.goto('/activation-pending');
  const again = page.getByRole('alert').filter({ hasText: 'Your account could not be loaded.' }).getByRole('button', { name: 'Try again' });
  await again.press('Enter');
  await expect(again).toBeFocused();
  await expect(page.getByText('Thanks for signing up')).toHaveCount(0);
  await expectAccessible(page);
  await takePicture(page, 'activation-late');
  await page.unroute('**/api/account');
  await again.press('Enter');
  await expect(page.getByRole('heading', { name: 'Your access was removed' })).toBeFocused();
});

test('whoever signed up while the line to the server was lost is on show once it is back', async ({ page, archive }) => {
  await enterAs(page, archive, { admin: true });
  const back = Promise.withResolvers<void>();
  let lines = 0;
  await page.route('**/api/session/events', async (route) => {
    lines += 1;
    if (lines === 2) await back.promise;
    // It says nothing of people either time.
    await route.fulfill({ contentType: 'text/event-stream', body: `retry: ${lines === 1 ? 100 : 60_000}\n\n` });
  });
  const listed = page.waitForResponse((answer) => /\/api\/users\?.*group=waiting/.test(answer.url()));
  await page.goto('/admin?search=Late+Arrival');
  await listed;
  await expect.poll(() => lines).toBe(2);
  await archive.database.pool.query(
    "insert into users (id, name, email, roles) values ('late', 'Late Arrival', 'late@strangers.example', '{}')",
  );
  back.resolve();
  await expect(page.getByRole('row', { name: /Late Arrival/ })).toBeVisible();
});
