import { enterAs, expect, test, videoIdOf } from './journey.ts';

const words = 'We are sorry but flux capacitor is having some issues right now.';

for (const path of [
  '/photo.png',
  '/admin/users.json',
  '/no/such/page',
  '/video',
  '/search/x',
  '/video/3a9220459b.mp4',
  '/video/photo.png',
  '/SEARCH?query=x',
]) {
  test(`2.10 8.7 ${path} shows the not-found page and answers 404`, async ({ page }) => {
    const answer = await page.goto(path);
    expect(answer?.status()).toBe(404);
    await expect(page.getByText(words)).toBeVisible();
  });
}

test('2.10 known files come first', async ({ request }) => {
  const answer = await request.get('/opensearch.xml');
  expect(answer.status()).toBe(200);
  expect(await answer.text()).toContain('<OpenSearchDescription');
});

test('5.4 a video is shown when the search by id finds it once; found twice or never, the page is the not-found page', async ({
  page,
  archive,
}) => {
  await enterAs(page, archive, { viewer: true });
  const id = await videoIdOf(page, 'Harbour at dusk');
  let times = 1;
  await page.route(`**/Videos/Search?*id=${id}*`, async (route) => {
    const response = await route.fetch();
    const { results, ...answer } = await response.json();
    await route.fulfill({ response, json: { ...answer, results: Array(times).fill(results[0]) } });
  });
  await page.goto(`/video/${id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Harbour at dusk');
  for (times of [2, 0]) {
    await page.reload();
    await expect(page.getByText(words)).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Harbour at dusk' })).toHaveCount(0);
  }
  await page.goto('/video/0123456789');
  await expect(page.getByText(words)).toBeVisible();
});

test('the not-found page leads back to where one was, and in a tab that was nowhere before offers no way back', async ({ page }) => {
  await page.goto('/privacy');
  const opened = page.waitForEvent('popup');
  await page.evaluate(() => window.open('/no/such/page'));
  const fresh = await opened;
  await expect(fresh.getByText(words)).toBeVisible();
  await expect(fresh.getByRole('button', { name: 'Go back' })).toHaveCount(0);
  await page.goto('/no/such/page');
  await page.getByRole('button', { name: 'Go back' }).click();
  await expect(page).toHaveURL('/privacy');
});

test('a slash behind the address of a page is the same page: it searches, signs in, and is come back to', async ({ page }) => {
  await page.goto('/search/?query=harbour&skip=0');
  await expect(page).toHaveURL('/search?query=harbour&skip=0');
  await expect(page.getByRole('combobox', { name: 'Search the archive' })).toHaveValue('harbour');
  const film = await videoIdOf(page, 'Harbour at dusk');
  await page.goto(`/video/${film}/?t=12`);
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Sign in with Google' }).click();
  await (await opened).getByText('Victor Viewer').click();
  await expect(page).toHaveURL(`/video/${film}?t=12`);
  await page.goto('/login-email-link/?token=nobody');
  await expect(page.getByRole('heading', { name: 'One last check' })).toBeVisible();
});
