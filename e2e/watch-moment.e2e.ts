import { enterAs, expect, insightsOf, playerOf, test, videoIdOf } from './journey.ts';

test.beforeEach(({ page, archive }) => enterAs(page, archive, { viewer: true }).then(() => undefined));

test('a film opened at a second at which something is said shows that line, on a telephone too, and after a reload', async ({ page }) => {
  const id = await videoIdOf(page, 'Harbour at dusk');
  let searches = 0;
  page.on('request', (request) => {
    if (request.url().includes('/Matches?')) searches++;
  });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/video/${id}?t=21&query=starboard`);
  const line = insightsOf(page).getByRole('listitem').filter({ hasText: 'green to starboard.' });
  for (const _ of ['opened', 'reloaded']) {
    await expect(insightsOf(page).getByRole('tab', { name: 'Timeline' })).toHaveAttribute('aria-selected', 'true');
    await expect(line).toBeInViewport({ ratio: 1 });
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    await expect(playerOf(page).getByText('1 of 1')).toBeVisible();
    await page.reload();
  }
  await expect(playerOf(page).getByText('1 of 1')).toBeVisible();
  // One for both frames.
  expect(searches).toBe(3);
  await page.goto(`/video/${id}`);
  await expect(insightsOf(page).getByRole('tab', { name: 'Insights' })).toHaveAttribute('aria-selected', 'true');
});

test('a tab that somebody chose stays chosen on reload and on the way back, and a new visit begins with its own', async ({ page }) => {
  const id = await videoIdOf(page, 'Harbour at dusk');
  const tab = (name: string) => insightsOf(page).getByRole('tab', { name });
  const isChosen = (name: string) => expect(tab(name)).toHaveAttribute('aria-selected', 'true');
  await page.goto(`/video/${id}?t=21`);
  await isChosen('Timeline');
  await tab('Insights').click();
  await isChosen('Insights');
  await page.reload();
  await isChosen('Insights');
  await page
    .getByRole('banner')
    .getByRole('link', { name: /Rushes/ })
    .click();
  await expect(page).toHaveURL('/');
  await page.goBack();
  await isChosen('Insights');
  // One step was made, and one leads back over it.
  await page.goBack();
  await expect(page).toHaveURL(/\/search\?query=/);
  await page.goto(`/video/${id}?t=21`);
  await isChosen('Timeline');
});

test('a moment is cited with its line, and a licence asked for with its title, id, time and link', async ({ page, context }) => {
  const id = await videoIdOf(page, 'Harbour at dusk');
  const link = `${new URL(page.url()).origin}/video/${id}?t=`;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`/video/${id}?t=22`);
  await playerOf(page).getByRole('button', { name: 'Pause' }).click();
  const [, time = ''] = /(\d\d:\d\d:\d\d)/.exec((await page.getByRole('button', { name: 'Copy link' }).textContent()) ?? '') ?? [];
  const seconds = Number(time.slice(-2));
  await page.getByRole('button', { name: 'Cite' }).click();
  await expect(page.getByRole('status').getByText('Citation copied')).toBeVisible();
  const said = seconds < 25 ? '"Red to port, and green to starboard." — ' : '';
  const citation = `${said}Harbour at dusk, ${time}, Rushes, ${link}${seconds}`;
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(citation);

  await page.evaluate(() => Object.assign(navigator.clipboard, { writeText: () => Promise.reject(new Error('refused')) }));
  await page.getByRole('button', { name: 'Cite' }).click();
  const refused = page.getByRole('status').filter({ hasText: 'Select this text and copy it yourself' });
  await expect(refused).toContainText(citation);
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(refused).toHaveCount(0);

  const letter = new URL((await page.locator('.lic a[href^="mailto:"]').getAttribute('href')) ?? '');
  expect(letter.pathname).toBe('licensing@rushes.example');
  expect(letter.href).not.toContain('+');
  expect(letter.searchParams.get('subject')).toBe(`Licence: Harbour at dusk, ${time}`);
  expect(letter.searchParams.get('body')?.trim().split('\r\n')).toEqual([
    'Title: Harbour at dusk',
    `Id: ${id}`,
    `Time: ${time}`,
    `Link: ${link}${seconds}`,
  ]);
});
