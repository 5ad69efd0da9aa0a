import { expect, test } from './journey.ts';

test('2.4 the heading says what is shown: all videos, results for a query, or no matches', async ({ page }) => {
  const heading = page.getByRole('heading', { level: 1 });
  await page.goto('/search?query=&skip=0');
  await expect(heading).toHaveText('Showing all videos');
  await page.goto('/search?query=harbour&skip=0');
  await expect(heading).toHaveText(/^Showing results for\s*harbour$/);
  await page.goto('/search?query=zzyzzx+qwyrtlp&skip=0');
  await expect(heading).toHaveText(/^No matches found\s*for\s*zzyzzx qwyrtlp$/);
});

test('the answer says what it searched for instead of a word that occurs nowhere, and what each result lacks', async ({ page }) => {
  await page.goto('/search?query=starbord+umbrella&skip=0');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Showing results for\s*starboard umbrella$/);
  const starboard = page.getByRole('article').filter({ has: page.locator('mark', { hasText: 'starboard' }) });
  await expect(starboard.first()).toContainText('without: umbrella');
  await expect(page.getByText('Search instead for starbord umbrella.')).toBeVisible();
  await page.getByRole('link', { name: 'starbord umbrella' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Showing results for\s*"starbord" umbrella$/);
  await expect(page.getByRole('article').first()).toContainText('without: starbord');
  await expect(starboard).toHaveCount(0);
});

test('2.5 the icon key names the six kinds of match', async ({ page }) => {
  await page.goto('/search?query=harbour&skip=0');
  const key = page.getByRole('group', { name: 'Match types' });
  for (const kind of ['Spoken text', 'Written text', 'Title', 'Person', 'Label', 'Brand'])
    await expect(key.getByRole('button', { name: kind })).toBeVisible();
});

test('2.15 3.5 9.9 a card shows thumbnail, name, duration and at most four matches in time order, marked whatever their case', async ({
  page,
}) => {
  await page.goto('/search?query=HARBOUR&skip=0');
  const card = page.getByRole('article').filter({ has: page.getByRole('heading', { name: 'Harbour at dusk' }) });
  await expect(card).toBeVisible();
  await expect(card.locator('img').first()).toHaveJSProperty('complete', true);
  await expect(card).toContainText(/\d+ min/);
  const times = (await card.locator('time').allInnerTexts()).map((time) => time.split('\n')[0] ?? '');
  expect(times.length).toBeGreaterThan(0);
  expect(times.length).toBeLessThanOrEqual(4);
  for (const time of times) expect(time).toMatch(/^\d\d:\d\d:\d\d$/);
  expect(times).toEqual([...times].sort());
  for (const marked of await card.locator('mark').allInnerTexts()) expect(marked.toLowerCase()).toContain('harbour');
});

test('2.15 a click on a match opens the video at that second through t', async ({ page }) => {
  await page.goto('/search?query=starboard&skip=0');
  const match = page.getByRole('article').first().getByRole('link').filter({ hasText: 'starboard' }).first();
  await expect(match).toHaveAttribute('href', /\/video\/[0-9a-f]{10}\?(.*&)?t=21\b/);
});

test('3.4 matches of every kind of the sample films are found: spoken text, title, person, label, brand, owner', async ({ page }) => {
  for (const [query, kind] of [
    ['starboard', 'Spoken text'],
    ['aurora', 'Title'],
    ['Ines Caldeira', 'Person'],
    ['umbrella', 'Label'],
    ['Norvik Cranes', 'Brand'],
  ] as const) {
    await page.goto(`/search?query=${encodeURIComponent(query)}&skip=0`);
    await expect(page.getByRole('article').first(), query).toBeVisible();
    await expect(
      page.getByRole('group', { name: 'Match types' }).getByRole('button', { name: new RegExp(`^${kind} [1-9]`) }),
    ).toBeVisible();
  }
});

test('6.1 7.1 7.3 9.1 9.4 9.5 the page asks as the contract says, with an account token', async ({ page }) => {
  const token = page.waitForResponse('**/api/GetVideoIndexerAccountTokenV2');
  const search = page.waitForRequest('**/Videos/Search?*');
  await page.goto('/search?query=harbour&skip=0');
  expect(Object.keys(await (await token).json())).toEqual(['accessToken']);
  const asked = new URL((await search).url());
  expect(asked.pathname).toMatch(/^\/[a-z0-9]+\/Accounts\/[0-9a-f-]{36}\/Videos\/Search$/);
  const { accessToken, ...parameters } = Object.fromEntries(asked.searchParams);
  expect(accessToken).toMatch(/^ey/);
  expect(parameters).toEqual({
    query: 'harbour',
    privacy: 'Private',
    pageSize: '12',
    skip: '0',
    language: 'English',
    searchInPublicAccount: 'false',
    state: 'Processed',
  });
});

test('a chip filters the matches by kind, and stands in the address', async ({ page }) => {
  await page.goto('/search?query=harbour&skip=0');
  const chip = page.getByRole('group', { name: 'Match types' }).getByRole('button', { name: 'Label' });
  await chip.click();
  await expect(chip).toHaveAttribute('aria-pressed', 'true');
  await expect(page).not.toHaveURL(/query=harbour&skip=0$/);
  await page.reload();
  await expect(page.getByRole('group', { name: 'Match types' }).getByRole('button', { name: 'Label' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
});
