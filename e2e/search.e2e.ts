import { matchKinds } from '#contract/match-kinds.ts';
import { expect, takePicture, test } from './journey.ts';

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
  // What is a word is no beginning of another one; what is none may be, and says so.
  await page.goto('/search?query=light&skip=0');
  await expect(page.locator('mark').first()).toBeVisible();
  for (const marked of await page.locator('mark').allInnerTexts()) expect(marked).toMatch(/^light(s|ing|ed)?$/i);
  await page.goto('/search?query=lightho&skip=0');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Showing results for\s*lighthouse$/);
});

test('2.5 the icon key shows the six kinds of match, each by its name beside its icon', async ({ page }) => {
  await page.goto('/search?query=harbour&skip=0');
  const key = page.getByRole('group', { name: 'Match types' }).getByRole('button');
  await expect(key).toHaveText([/^Spoken text/, /^Written text/, /^Title/, /^Person/, /^Label/, /^Brand/]);
  for (const [place, icon] of ['audio-lines', 'scan-text', 'type', 'user-round', 'tag', 'stamp'].entries())
    await expect(key.nth(place).locator('svg')).toHaveClass(new RegExp(`\\blucide-${icon}\\b`));
});

test('2.15 3.5 9.9 a card shows thumbnail, name, duration and at most four matches, the best first and then in time order, marked whatever their case', async ({
  page,
}) => {
  await page.goto('/search?query=HARBOUR&skip=0');
  const card = page.getByRole('article').filter({ has: page.getByRole('heading', { name: 'Harbour at dusk' }) });
  await expect(card).toBeVisible();
  await expect(card.locator('img').first()).not.toHaveJSProperty('naturalWidth', 0);
  await expect(card).toContainText(/\d+ min/);
  const times = (await card.locator('time').allInnerTexts()).map((time) => time.split('\n')[0] ?? '');
  expect(times).toHaveLength(4);
  for (const time of times) expect(time).toMatch(/^\d\d:\d\d:\d\d$/);
  const shown = await card
    .locator('a.moment')
    .evaluateAll((rows) =>
      rows.map((row) => [row.querySelector('.moment-text .sr-only')?.textContent, row.querySelector('svg')?.classList.value]),
    );
  const icons = new Map(Object.values(matchKinds).map(({ wording, icon }) => [`${wording}: `, `lucide-${icon}`]));
  for (const [kind, icon] of shown) expect(icon?.split(' ')).toContain(icons.get(kind ?? '') ?? `an icon of ${kind}`);
  expect(times.slice(1)).toEqual(times.slice(1).sort());
  const marks = await card.locator('mark').allInnerTexts();
  expect(marks.length).toBeGreaterThan(0);
  for (const marked of marks) expect(marked.toLowerCase()).toContain('harbour');
});

test('2.15 a match leads to the video at its second through t', async ({ page }) => {
  await page.goto('/search?query=starboard&skip=0');
  const match = page.getByRole('article').first().getByRole('link').filter({ hasText: 'starboard' }).first();
  await expect(match).toHaveAttribute('href', /\/video\/[0-9a-f]{10}\?(.*&)?t=21\b/);
});

test('3.4 matches of every kind of the sample films are found: spoken text, title, person, label, brand', async ({ page }) => {
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

test('a chip shows the moments of its kind alone, counts them over the whole answer, and stands in the address', async ({ page }) => {
  await page.goto('/search?query=harbour&skip=0');
  const key = page.getByRole('group', { name: 'Match types' });
  const chip = key.getByRole('button', { name: /^Label [1-9]/ });
  await expect(chip).toBeVisible();
  const counts = await key.getByRole('button').allInnerTexts();
  const total = page.getByRole('status').filter({ hasText: /^\d+ moments? in \d+ videos?$/ });
  const before = await total.innerText();
  const asked = page.waitForRequest((request) => new URL(request.url()).searchParams.has('matchKind'));
  await chip.click();
  expect(new URL((await asked).url()).searchParams.getAll('matchKind')).toEqual(['Annotations']);
  await expect(page).toHaveURL(/&kind=Annotations$/);
  await expect(total).not.toHaveText(before);
  expect(Number.parseInt(await total.innerText(), 10)).toBe(Number(counts.find((count) => count.startsWith('Label'))?.match(/\d+/)?.[0]));
  await page.reload();
  await expect(chip).toHaveAttribute('aria-pressed', 'true');
  const rows = page.getByRole('article').locator('a.moment');
  await expect(rows.first()).toContainText('Label');
  for (const row of await rows.allInnerTexts()) expect(row).toContain('Label');
  // A count says what pressing the chip comes to, whether it is pressed or not.
  expect(await key.getByRole('button').allInnerTexts()).toEqual(counts);
});

test('the rail narrows by length and by names, and what is checked can be taken off again', async ({ page }) => {
  await page.goto('/search?query=harbour&skip=0');
  const cards = page.getByRole('article');
  const rail = page.getByRole('complementary', { name: 'Filters' });
  await expect(rail.getByRole('checkbox').first()).toBeVisible();
  const all = await cards.count();
  const people = rail.getByRole('region', { name: 'People in these results' });
  const person = people.getByRole('checkbox').first();
  const name = await person.locator('.facet-name').innerText();
  const videos = await person.locator('.tc').innerText();
  expect(Number(videos)).toBeGreaterThan(0);
  await person.click();
  await expect(page).toHaveURL((url) => url.searchParams.get('person') === name);
  await expect(cards).toHaveCount(Number(videos));
  // An address in another spelling means the same name.
  await page.goto(`/search?query=harbour&skip=0&person=${encodeURIComponent(name.toUpperCase())}`);
  const same = people.getByRole('checkbox', { name: new RegExp(`^${name}`, 'i') });
  await expect(same).toHaveAttribute('aria-checked', 'true');
  await expect(same.locator('.tc')).toHaveText(videos);
  await page.goBack();
  await rail.getByRole('radio', { name: '60+' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('No matches found for harbour');
  await page.getByRole('button', { name: `Remove ${name}` }).click();
  await page.getByRole('button', { name: 'Remove 60+ min' }).click();
  await expect(page).toHaveURL('/search?query=harbour&skip=0');
  await expect(cards).toHaveCount(all);
});

test('counts that cannot be had are left out, and the results stand', async ({ page }) => {
  await page.route('**/Videos/Search/Facets?*', (route) => route.fulfill({ status: 500, contentType: 'application/json', body: '{}' }));
  const failed = page.waitForResponse('**/Videos/Search/Facets?*');
  await page.goto('/search?query=harbour&skip=0');
  await failed;
  await expect(page.getByRole('article').first()).toBeVisible();
  const chip = page.getByRole('group', { name: 'Match types' }).getByRole('button').first();
  await expect(chip).toHaveText('Spoken text');
  await expect(chip.locator('.skeleton')).toHaveCount(0);
  await expect(page.getByRole('radiogroup', { name: 'Length in minutes' })).toBeVisible();
});

test('results are sorted as the address says, and the home page by length', async ({ page }) => {
  await page.goto('/search?query=harbour&skip=0');
  const cards = page.getByRole('article');
  const sort = page.getByRole('combobox', { name: 'Sort by' });
  await expect(sort.locator('option')).toHaveText(['Best match', 'Newest first', 'Longest first', 'Most moments']);
  await expect(cards.first()).toBeVisible();
  const asked = page.waitForRequest((request) => new URL(request.url()).searchParams.get('sort') === 'moments');
  await sort.selectOption('Most moments');
  await asked;
  await expect(page).toHaveURL(/&sort=moments$/);
  await expect(page.locator('main')).not.toHaveAttribute('aria-busy', 'true');
  const moments = (await cards.locator('.result-meta').allInnerTexts()).map((meta) => Number(meta.match(/(\d+) moments?/)?.[1]));
  expect(moments.length).toBeGreaterThan(1);
  expect(moments).toEqual(moments.toSorted((one, other) => other - one));

  await page.goto('/');
  const longest = page.waitForRequest((request) => new URL(request.url()).searchParams.get('sort') === 'longest');
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Longest first');
  await longest;
  await expect(page).toHaveURL('/?sort=longest');
  await page.reload();
  await expect(page.getByRole('combobox', { name: 'Sort by' })).toHaveValue('longest');
});

test('a tick of the strip opens its moment by mouse and by finger', async ({ page, browser, archive }) => {
  await page.goto('/search?query=starboard&skip=0');
  const card = page.getByRole('article').first();
  const tick = card.locator('.strip > i').first();
  const href = await card.locator('a.moment').first().getAttribute('href');
  await card.locator('a.moment').first().hover();
  await expect(tick).toHaveClass('strip-hot');
  await expect(card.locator('.frame-bubble')).toHaveText('00:00:21');
  const second = new URL(href ?? '', archive.origin).searchParams.get('t');
  await tick.click({ force: true });
  await expect(page).toHaveURL((url) => url.pathname === '/login' && (url.searchParams.get('returnUrl') ?? '').includes(`t=${second}`));

  const phone = await browser.newPage({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await phone.goto(`${archive.origin}/search?query=starboard&skip=0`);
  const box = await phone.locator('article .strip > i').first().boundingBox();
  await phone.touchscreen.tap((box?.x ?? 0) + 6, (box?.y ?? 0) + 5);
  await expect(phone).toHaveURL((url) => (url.searchParams.get('returnUrl') ?? '').includes(`t=${second}`));
  await phone.close();
});

test('a query that finds nothing offers the nearest spelling that finds something', async ({ page }) => {
  await page.goto('/search?query=%22starbord%22&skip=0');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('No matches found for "starbord"');
  const tip = page.getByRole('listitem').filter({ hasText: 'Did you mean' });
  await expect(tip).toContainText(/^Did you mean "?starboard"?(\? \d+ videos?| \(\d+ videos?\))/);
  await takePicture(page, 'did-you-mean');
  await tip.getByRole('link').first().click();
  await expect(page.getByRole('article').first()).toBeVisible();
});

test('a field word that there is none of is answered by one that there is, beside what the other words find', async ({ page }) => {
  await page.goto('/search?query=dialogue:starboard&skip=0');
  const tip = page.getByRole('listitem').filter({ hasText: 'Did you mean' });
  await tip.getByRole('link', { name: 'said:starboard' }).click();
  await expect(page.getByRole('article').locator('mark').first()).toHaveText('starboard');
  await page.goto('/search?query=umbrella+dialogue:starboard&skip=0');
  await expect(page.getByText(/^Did you mean umbrella said:starboard\? \d+ videos?$/)).toBeVisible();
  // Where a field that there is holds nothing, its name is no word to look for.
  await page.goto('/search?query=brand:starboard&skip=0');
  await expect(tip.getByRole('link', { name: 'starboard', exact: true })).toBeVisible();
  await expect(page.getByText('Try one word instead of several.')).toHaveCount(0);
});

test('where several words find nothing each is offered whole, and none that the query rules out', async ({ page }) => {
  await page.goto(`/search?query=${encodeURIComponent('+O’Zyxen OR "शब्दकोश" -starboard')}&skip=0`);
  const tip = page.getByRole('listitem').filter({ hasText: 'Try one word instead of several.' });
  await expect(tip.getByRole('link')).toHaveText(['O’Zyxen', 'शब्दकोश']);
});

test('a query that is too long says so, and stands in the box to be shortened', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => request.url().includes('/Videos/Search') && asked.push(request.url()));
  await page.goto(`/search?query=${'harbour+'.repeat(150)}&skip=0`);
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toHaveText('No matches found: the query is too long');
  await expect(page.getByText('A query may have up to 1,000 characters, and this one has 1,199.')).toBeVisible();
  const box = page.getByRole('combobox', { name: 'Search the archive' });
  await expect(box).toHaveValue('harbour '.repeat(150).trim());
  expect(asked).toEqual([]);
  await box.press('End');
  await box.fill('harbour');
  await box.press('Enter');
  await expect(heading).toHaveText(/^Showing results for\s*harbour$/);
});

test('a query of controls alone is none', async ({ page }) => {
  const asked = page.waitForRequest('**/Videos/Search?*');
  await page.goto('/search?query=%00%01%0A&skip=0');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Showing all videos');
  expect(new URL((await asked).url()).searchParams.get('query')).toBe('');
  await expect(page.getByRole('combobox', { name: 'Search the archive' })).toHaveValue('');
});

test('all videos are narrowed by names and by length as results are', async ({ page }) => {
  await page.goto('/search?query=&skip=0');
  const rail = page.getByRole('complementary', { name: 'Filters' });
  const person = rail.getByRole('region', { name: 'People in these results' }).getByRole('checkbox').first();
  const videos = Number(await person.locator('.tc').innerText());
  const cards = page.getByRole('main').locator('.video-card');
  await expect(cards.nth(videos).getByRole('heading', { level: 2 })).toBeVisible();
  await person.click();
  await expect(cards).toHaveCount(videos);
  await expect(page).toHaveURL(/&person=/);
  await expect(person).toHaveAttribute('aria-checked', 'true');
  // Nothing was searched, so there are no moments to count.
  await expect(page.getByRole('group', { name: 'Match types' })).not.toContainText(/\d/);
});

test('results that are the best of more say among how many they were sorted or filtered', async ({ page }) => {
  await page.route('**/Videos/Search?*', async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    await route.fulfill({ response, json: { ...answer, arrangedAmong: 1_000 } });
  });
  await page.goto('/search?query=harbour&skip=0&sort=newest');
  await expect(page.getByText('Sorted among the best 1,000 videos.')).toBeVisible();
  await page.goto('/search?query=harbour&skip=0&length=under-10');
  await expect(page.getByText('Filtered among the best 1,000 videos.')).toBeVisible();
});
