import { setRoles } from '#domain/users/roles.ts';
import { enterAs, expect, signInAs, signUpAsNora, takePicture, test, videoIdOf } from './journey.ts';

test('6.4 8.4 a guest who opens a video is sent to /login with returnUrl, and back after signing in', async ({ page }) => {
  const id = await videoIdOf(page, 'Harbour at dusk');
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  await page.goto(`/video/${id}?t=12`);
  await expect(page).toHaveURL(`/login?returnUrl=${encodeURIComponent(`/video/${id}?t=12`)}`);
  expect(said.join('\n')).toMatch(/not (logged|signed) in/i);
  await signInAs(page, 'Edda Editor');
  await expect(page).toHaveURL(`/video/${id}?t=12`);
});

test('2.2 a press beside the login window leads back to where a guest was, and nothing leads into the redirect again', async ({ page }) => {
  const search = '/search?query=harbour&skip=0';
  const login = /\/login\?returnUrl=%2Fvideo%2F/;
  const moments = page.getByRole('article').locator('a.moment');
  const pressBeside = () => page.locator('.veil').click({ position: { x: 5, y: 5 } });
  await page.goto(search);
  await moments.first().click();
  await expect(page).toHaveURL(login);
  const film = new URL(page.url()).searchParams.get('returnUrl') ?? '';
  await pressBeside();
  await expect(page).toHaveURL(search);
  await moments.last().click();
  await expect(page).toHaveURL(login);
  await page.goBack();
  await expect(page).toHaveURL(search);
  await page.goForward();
  await expect(page).toHaveURL(login);
  await pressBeside();
  await expect(page).toHaveURL(search);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.goto(film);
  await expect(page).toHaveURL(login);
  await pressBeside();
  await expect(page).toHaveURL('/');
  await page.goBack();
  await expect(page).toHaveURL(search);
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('while the archive restarts somebody signed in who loads a film anew is told to wait, not to sign in, and the film comes by itself', async ({
  page,
  archive,
}) => {
  const id = await videoIdOf(page, 'Harbour at dusk');
  await enterAs(page, archive, { viewer: true });
  let refusals = 2;
  await page.route('**/api/session', (route) => {
    refusals -= 1;
    if (refusals < 0) return route.continue();
    const detail = 'The archive is busy or restarting. Try again in a moment.';
    return route.fulfill({ status: 503, contentType: 'application/problem+json', json: { code: 'unavailable', detail } });
  });
  await page.goto(`/video/${id}`);
  await expect(page.getByRole('status').filter({ hasText: 'The archive is busy or restarting.' })).toContainText(
    'Trying again automatically',
  );
  await takePicture(page, 'session-waits');
  await expect(page.getByRole('heading', { level: 1, name: 'Harbour at dusk' })).toBeVisible();
  await expect(page).toHaveURL(`/video/${id}`);
  expect(refusals).toBeLessThan(0);
});

test('whoever signs in while the archive restarts is signed in as soon as it answers', async ({ page }) => {
  const id = await videoIdOf(page, 'Harbour at dusk');
  await page.goto(`/video/${id}`);
  await expect(page.getByRole('dialog')).toBeVisible();
  let refusals = 2;
  await page.route('**/api/session', (route) => {
    refusals -= 1;
    return refusals < 0 ? route.continue() : route.fulfill({ status: 503, body: '' });
  });
  await signInAs(page, 'Victor Viewer');
  await expect(page.getByRole('heading', { level: 1, name: 'Harbour at dusk' })).toBeVisible();
  expect(refusals).toBeLessThan(0);
});

test('6.2 8.5 someone without a role who opens a video is sent to /activation-pending', async ({ page, archive }) => {
  const id = await videoIdOf(page, 'Harbour at dusk');
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  await signUpAsNora(page, archive, `/video/${id}`);
  await expect(page).toHaveURL(/\/activation-pending/);
  await expect(page.getByRole('main')).toContainText('within 24 hours');
  expect(said.join('\n')).toMatch(/role|permission/i);
});

test('6.3 someone who is no administrator is sent from /admin to / with returnUrl, and goes on there once they are one', async ({
  page,
  archive,
}) => {
  const { uid } = await enterAs(page, archive, { viewer: true });
  await page.goto('/admin/videos');
  await expect(page).toHaveURL('/?returnUrl=%2Fadmin%2Fvideos');
  await setRoles(archive.database.pool, uid, { admin: true });
  await expect(page).toHaveURL('/admin/videos');
  await expect(page.getByRole('heading', { level: 1, name: 'Admin' })).toBeVisible();
});

test('6.3 6.4 an administrator who signs in from the home page that a guard sent somebody else to goes on to the admin page', async ({
  page,
}) => {
  await page.goto('/?returnUrl=%2Fadmin');
  await page.getByRole('banner').getByRole('link', { name: 'Login' }).click();
  await signInAs(page, 'Ada Admin');
  await expect(page).toHaveURL('/admin');
});

test('a returnUrl cannot lead a guest who signs in out of the site', async ({ page, archive }) => {
  for (const hostile of ['/.//evil.example', 'javascript:window.__xss=1']) {
    await page.context().clearCookies();
    await page.goto(`/login?returnUrl=${encodeURIComponent(hostile)}`);
    await signInAs(page, 'Victor Viewer');
    await expect(page).toHaveURL(`${archive.origin}/`);
    expect(await page.evaluate(() => '__xss' in window)).toBe(false);
  }
});

test('signing out ends the session at once, and every open tab follows who signs in and out', async ({ page, context }) => {
  const other = await context.newPage();
  await other.goto('/search?query=harbour&skip=0');
  await page.goto('/login');
  await signInAs(page, 'Victor Viewer');
  await expect(other.getByRole('button', { name: /Victor Viewer/ })).toBeVisible();
  await page.getByRole('button', { name: /Victor Viewer/ }).click();
  await expect(page.getByRole('menuitem', { name: 'Admin panel' })).toHaveCount(0);
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  for (const tab of [page, other]) await expect(tab.getByRole('link', { name: 'Login' })).toBeVisible();
  const session = await page.request.get('/api/session');
  expect(await session.json()).toEqual({ user: null });
});

test('2.11 a signed-in administrator has a menu with name, photo, Admin panel and Sign out', async ({ page }) => {
  await page.goto('/login');
  await signInAs(page, 'Ada Admin');
  const button = page.getByRole('button', { name: /Ada Admin/ });
  await expect(button.locator('img')).toBeVisible();
  await button.click();
  await expect(page.getByRole('menuitem', { name: 'Admin panel' })).toHaveAttribute('href', '/admin');
  await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible();
});
