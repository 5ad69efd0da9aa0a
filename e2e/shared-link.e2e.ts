import { enterAs, expect, test, videoIdOf } from './journey.ts';

test('a shared link carries title and poster, its title gives way to those of the pages, and the feed is named', async ({
  page,
  request,
  archive,
}) => {
  const id = await videoIdOf(page, 'Harbour at dusk');
  const document = await (await request.get(`/video/${id}`)).text();
  expect(document).toContain('<title>Harbour at dusk — Rushes</title>');
  const poster = await request.get(/property="og:image" content="([^"]+)"/.exec(document)?.[1] ?? '');
  expect([poster.status(), [...(await poster.body()).subarray(0, 2)]]).toEqual([200, [0xff, 0xd8]]);
  await enterAs(page, archive, { viewer: true });
  await page.goto(`/video/${id}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Harbour at dusk' })).toBeVisible();
  await page.getByRole('link', { name: 'Privacy policy' }).click();
  await expect(page).toHaveTitle('Privacy policy — Rushes');
  await expect(page.locator('title')).toHaveCount(1);
  const feed = await page.getByRole('link', { name: 'Feed of the newest videos' }).getAttribute('href');
  expect(await page.locator('head link[type="application/atom+xml"]').getAttribute('href')).toBe(feed);
  expect(await (await request.get(feed ?? '')).text()).toContain(`/video/${id}"`);
  const icon = /<Image [^>]+>([^<]+)</.exec(await (await request.get('/opensearch.xml')).text())?.[1] ?? '';
  expect((await request.get(icon)).headers()['content-type']).toBe('image/svg+xml');
});
