import { removeUser } from '#domain/users/delete-user.ts';
import { setRoles } from '#domain/users/roles.ts';
import type { Person } from '#testing/add-person.ts';
import { enterAs, expect, expectAccessible, insightsOf, type JourneyArchive, playerOf, playerSeconds, test, videoIdOf } from './journey.ts';

type Page = Parameters<typeof enterAs>[0];
type End = (at: { page: Page; archive: JourneyArchive; person: Person }) => Promise<unknown>;

const ends: [how: string, end: End, isSignedOut: boolean][] = [
  ['the role is taken away', ({ archive, person }) => setRoles(archive.database.pool, person.uid, {}), false],
  ['the user is deleted', ({ archive, person }) => removeUser(archive.database.pool, person.uid), true],
  [
    'the person signs out everywhere',
    ({ page, archive }) => page.request.post('/api/account/sign-out-everywhere', { headers: { origin: archive.origin }, data: {} }),
    true,
  ],
];

for (const [how, end, isSignedOut] of ends) {
  test(`watching stops, and the page says so, when ${how} mid-play`, async ({ page, archive }) => {
    const { id, person } = await watching(page, archive);
    const stream = async () => (await page.request.get(`/media/${id}/hls/master.m3u8`)).status();
    expect(await stream()).toBe(200);
    await end({ page, archive, person });
    await expect(page.getByRole('heading', { name: 'You no longer have access to this video.' })).toBeVisible();
    await expect(page.locator('iframe')).toHaveCount(0);
    expect([401, 403]).toContain(await stream());
    await expect(page).toHaveURL(`/video/${id}`);
    await expectAccessible(page);
    await expect(page.getByRole('banner').getByText('Waiting for activation')).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'See whom to ask' })).toHaveCount(isSignedOut ? 0 : 1);
    await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toHaveCount(isSignedOut ? 1 : 0);
    if (isSignedOut) {
      await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
      await expect(page).toHaveURL(`/login?${new URLSearchParams({ returnUrl: `/video/${id}` })}`);
    } else {
      await setRoles(archive.database.pool, person.uid, { viewer: true });
      await expect.poll(() => playerSeconds(page)).toBeGreaterThan(0);
    }
  });
}

test('a film plays on when its viewer becomes an editor', async ({ page, archive }) => {
  const { id, person } = await watching(page, archive);
  const frame = await playerOf(page).locator('video').elementHandle();
  const renewed = page.waitForResponse((answer) => answer.url().endsWith(`/media/${id}/session`) && answer.status() === 204);
  await setRoles(archive.database.pool, person.uid, { viewer: true, editor: true });
  await renewed;
  expect((await page.request.get(`/media/${id}/hls/master.m3u8`)).status()).toBe(200);
  const at = await playerSeconds(page);
  await expect.poll(() => playerSeconds(page)).toBeGreaterThan(at);
  expect(await frame?.evaluate((video) => video.isConnected)).toBe(true);
});

test('6.3 the desk of somebody who is no administrator any more closes, and says why', async ({ page, archive }) => {
  const person = await enterAs(page, archive, { admin: true });
  await page.goto('/admin');
  await expect(page.getByRole('heading', { level: 1, name: 'Admin' })).toBeVisible();
  await setRoles(archive.database.pool, person.uid, { viewer: true });
  await expect(page).toHaveURL('/?returnUrl=%2Fadmin');
  await expect(page.getByText('You are no longer an administrator.')).toBeVisible();
});

test('7.2 the token of a video is kept for 59 minutes, then renewed, and both frames are told the new one', async ({ page, archive }) => {
  await enterAs(page, archive, { viewer: true });
  const id = await videoIdOf(page, 'Harbour at dusk');
  const given: string[] = [];
  page.on('response', async (response) => {
    if (response.url().endsWith(`/api/GetVideoIndexerVideoAccessTokenV2/${id}`)) given.push((await response.json()).accessToken);
  });
  await page.clock.install();
  await page.goto(`/video/${id}`);
  // Tokens of one second are alike.
  await expect.poll(() => playerSeconds(page)).toBeGreaterThan(1);
  await expect(insightsOf(page).getByRole('tab', { name: 'Insights' })).toBeVisible();
  await page.evaluate(() => {
    for (const name of ['player', 'insights'])
      document
        .querySelector<HTMLIFrameElement>(`iframe[src*="/embed/${name}/"]`)
        ?.contentWindow?.addEventListener('message', ({ data }) => {
          if (data.accessToken) document.documentElement.setAttribute(`data-told-${name}`, data.accessToken);
        });
  });
  await page.clock.fastForward(3_500_000);
  expect(given).toHaveLength(1);
  await page.clock.fastForward(100_000);
  await expect.poll(() => given.length).toBe(2);
  for (const name of ['player', 'insights']) await expect(page.locator('html')).toHaveAttribute(`data-told-${name}`, given[1] ?? '');
});

/** Somebody of this test's own who has a film playing. */
async function watching(page: Page, archive: JourneyArchive): Promise<{ id: string; person: Person }> {
  const person = await enterAs(page, archive, { viewer: true });
  const id = await videoIdOf(page, 'Harbour at dusk');
  await page.goto(`/video/${id}`);
  await expect.poll(() => playerSeconds(page)).toBeGreaterThan(0.5);
  return { id, person };
}
