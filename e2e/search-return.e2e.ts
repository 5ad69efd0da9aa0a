import type { Page } from '@playwright/test';
import { enterAs, expect, insightsOf, playerOf, takePicture } from './journey.ts';
import { test } from './keeper-archive.ts';

const search = '/search?query=lighthouse+keeper&skip=0';

test('back from a moment, and forward and back again, the list stands exactly where it was left', async ({ page, archive }) => {
  await enterAs(page, archive, { viewer: true });
  await page.goto(search);
  await loadCards(page, 30);
  await page
    .getByRole('article')
    .nth(1)
    .getByRole('button', { name: /more moments?$/ })
    .click();
  await leaveAndReturn(page, 20);
  await page.goForward();
  await expect(page).toHaveURL(/\/video\//);
  await expect(page.getByRole('heading', { level: 1, name: /^Keeper tape/ })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('button', { name: 'Show fewer moments' })).toHaveCount(1);
  await leaveAndReturn(page, 24);
});

test('back restores a list that a filter and an order have changed', async ({ page, archive }) => {
  await enterAs(page, archive, { viewer: true });
  await page.goto(search);
  const total = page.getByRole('status').filter({ hasText: / in / });
  const all = await total.innerText();
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Longest first');
  await page.getByRole('radio', { name: '< 10' }).click();
  await expect(total).not.toHaveText(all);
  const short = await total.innerText();
  await page.getByRole('group', { name: 'Match types' }).getByRole('button', { name: 'Spoken text' }).click();
  await expect(page.locator('main')).not.toHaveAttribute('aria-busy', 'true');
  await loadCards(page, 20);
  await leaveAndReturn(page, 16);
  await expect(page).toHaveURL(`${search}&sort=longest&kind=Transcript&length=under-10`);
  // Each of them is a step.
  await page.goBack();
  await expect(page).toHaveURL(`${search}&sort=longest&length=under-10`);
  await expect(total).toHaveText(short);
  await page.goBack();
  await expect(page).toHaveURL(`${search}&sort=longest`);
  await expect(total).toHaveText(all);
  await page.goBack();
  await expect(page).toHaveURL(search);
});

test('back restores a list that began at its second page', async ({ page, archive }) => {
  await enterAs(page, archive, { viewer: true });
  await page.goto(search.replace('skip=0', 'skip=12'));
  await loadCards(page, 18);
  await leaveAndReturn(page, 15);
});

test('a page that is loaded anew has its list, with what was open in it, and stands where it stood', async ({ page, archive }) => {
  await enterAs(page, archive, { viewer: true });
  await page.goto(search);
  await loadCards(page, 30);
  const opened = page.getByRole('article').nth(1);
  await opened.getByRole('button', { name: /more moments?$/ }).click();
  await page
    .getByRole('article')
    .nth(22)
    .evaluate((card) => card.scrollIntoView({ block: 'center' }));
  const left = await look(page);
  for (const _again of [1, 2]) {
    await page.reload();
    await expect(page.getByRole('article').nth(22)).toBeInViewport();
    expect(await look(page)).toEqual(left);
  }
  // The same address on its own is a visit, not a return.
  const visit = await page.context().newPage();
  await visit.goto(search);
  await expect(visit.getByRole('article')).toHaveCount(12);
});

test('a list that is loaded anew, and of which a page is refused, waits there, asks for no page twice, and stands where it stood', async ({
  page,
}) => {
  await page.goto(search);
  await loadCards(page, 30);
  await page
    .getByRole('article')
    .nth(22)
    .evaluate((card) => card.scrollIntoView({ block: 'center' }));
  const left = await look(page);
  const asked: string[] = [];
  let refusals = 0;
  let refused = { status: 429, headers: { 'retry-after': '1' } };
  const body = JSON.stringify({ ErrorType: 'GENERAL', Message: 'Too many requests. Try again in 1 s.' });
  await page.route('**/Videos/Search?*', (route) => {
    const skip = new URL(route.request().url()).searchParams.get('skip') ?? '';
    asked.push(skip);
    if (skip !== '24' || refusals-- <= 0) return route.continue();
    return route.fulfill({ ...refused, contentType: 'application/json', body });
  });
  refusals = 2;
  await page.reload();
  await expect(page.getByText('Too many requests at once.')).toBeInViewport();
  await takePicture(page, 'list-waits-too-much');
  await expect(page.getByRole('article').nth(22)).toBeInViewport();
  expect(await look(page)).toEqual(left);
  expect(asked).toEqual(['0', '12', '24', '24', '24']);
  // What fails for good is asked for again by hand, with as many pages.
  refused = { status: 500, headers: { 'retry-after': '1' } };
  refusals = 1;
  await page.reload();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('article').nth(22)).toBeInViewport();
});

test('back to a list from a film whose page was loaded anew restores its pages and its place', async ({ page, archive }) => {
  await enterAs(page, archive, { viewer: true });
  await page.goto(search);
  await loadCards(page, 30);
  const moment = page.getByRole('article').nth(20).locator('a.moment').first();
  await moment.evaluate((link) => link.scrollIntoView({ block: 'center' }));
  const left = await look(page);
  await moment.click();
  await expect(page).toHaveURL(/\/video\//);
  await page.reload();
  await page.goBack();
  await expect(page.getByRole('article').nth(20)).toBeInViewport();
  await expect(moment).toBeFocused();
  expect(await look(page)).toEqual(left);
});

test('a guest who opens a moment deep in a list, or the login window, and closes it stands where they stood', async ({ page }) => {
  await page.goto(search);
  await loadCards(page, 30);
  const moment = page.getByRole('article').nth(20).locator('a.moment').first();
  await moment.evaluate((link) => link.scrollIntoView({ block: 'center' }));
  const left = await look(page);
  for (const link of [page.getByRole('banner').getByRole('link', { name: 'Login' }), moment]) {
    await link.click();
    await expect(page).toHaveURL(/\/login\?returnUrl=/);
    await page.locator('.veil').click({ position: { x: 5, y: 5 } });
    await expect(page).toHaveURL(search);
    await expect(page.getByRole('article').nth(20)).toBeInViewport();
    expect(await look(page)).toEqual(left);
  }
});

test('a search that is asked anew begins at its top', async ({ page }) => {
  await page.goto(search);
  await loadCards(page, 24);
  const box = page.getByRole('combobox', { name: 'Search the archive' });
  await box.fill('diary');
  await box.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('diary');
  await expect(page.getByRole('article').first()).toBeVisible();
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
  // So does an address that is typed, wherever the page before stood.
  await loadCards(page, 24);
  await page.goto('/search?query=lamp&skip=0');
  await expect(page.getByRole('article').first()).toBeVisible();
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
  await page.goBack();
  await expect(page.getByRole('article').nth(20)).toBeVisible();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(1_000);
});

test('a card leads with its best moment, opens twenty at a time, and is as it was for whoever comes back', async ({ page, archive }) => {
  await enterAs(page, archive, { viewer: true });
  await page.goto('/search?query=logbook+storm&skip=0');
  const card = page.getByRole('article').filter({ has: page.getByRole('heading', { name: 'Sixty entries' }) });
  const rows = card.locator('a.moment');
  const times = async () => (await rows.locator('time').allInnerTexts()).map((time) => time.split('\n')[0] ?? '');
  await expect(rows.first()).toContainText('The logbook of the storm.');
  await expect(card).toContainText('60 moments');
  expect((await times()).slice(1)).toEqual((await times()).slice(1).sort());
  await page.keyboard.press('n');
  await expect(rows.first()).toBeFocused();
  const before = new Set(await times());
  await card.getByRole('button', { name: '20 of 56 more moments' }).click();
  await expect(rows).toHaveCount(24);
  const firstNew = (await times()).findIndex((time) => !before.has(time));
  await expect(rows.nth(firstNew)).toBeFocused();
  expect((await times()).slice(1)).toEqual((await times()).slice(1).sort());
  // The lines around the row that has the focus stay while the button below them is pressed.
  await expect(card.locator('.moment-around')).toBeVisible();
  await card.getByRole('button', { name: '20 of 36 more moments' }).click({ delay: 400 });
  await card.getByRole('button', { name: '16 more moments' }).click();
  await expect(rows).toHaveCount(60);
  await rows.nth(50).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Sixty entries' })).toBeVisible();
  // The card, the player and the film's own search count the same.
  await expect(playerOf(page).getByText('51 of 60')).toBeVisible();
  await expect(insightsOf(page).getByText('60 moments in this video')).toBeVisible();
  await page.goBack();
  await expect(rows.nth(50)).toBeFocused();
  await card.getByRole('button', { name: 'Show fewer moments' }).click();
  await expect(rows).toHaveCount(4);
  await expect(rows.first()).toBeFocused();
});

test('a film says what was searched for in it instead of a word that occurs nowhere, and finds as much as its card', async ({
  page,
  archive,
}) => {
  await enterAs(page, archive, { viewer: true });
  await page.goto('/search?query=logbok&skip=0');
  const card = page.getByRole('article').filter({ has: page.getByRole('heading', { name: 'Sixty entries' }) });
  await expect(card).toContainText('60 moments');
  await card.locator('a.moment').first().click();
  await expect(insightsOf(page).getByText('60 moments in this video for logbook')).toBeVisible();
  await insightsOf(page).getByRole('searchbox').fill('logbook '.repeat(130));
  await expect(insightsOf(page).getByText('A query may have up to 1,000 characters. Shorten it.')).toBeVisible();
});

test('a title that is asked for comes before all that speak its word; what has no film here says so, and is left out when only what can be played is asked for', async ({
  page,
}) => {
  await page.goto('/search?query=lighthouse&skip=0');
  const cards = page.getByRole('article');
  await expect(cards.first().getByRole('heading')).toHaveText('Lighthouse weather');
  await expect(cards.filter({ hasText: 'Keeper tape' }).first()).toContainText('Transcript only');
  const box = page.getByRole('checkbox', { name: 'Playable here' });
  const playable = Number(await box.locator('.tc').innerText());
  expect(playable).toBeGreaterThan(0);
  await box.click();
  await expect(page).toHaveURL('/search?query=lighthouse&skip=0&playable=true');
  await expect(cards).toHaveCount(playable);
  await expect(page.getByText('Transcript only')).toHaveCount(0);
  await expect(page.getByRole('status').filter({ hasText: / in / })).toContainText(`in ${playable} video`);
});

/** Scrolls until at least so many cards are there. */
async function loadCards(page: Page, count: number): Promise<void> {
  await expect(async () => {
    await page.mouse.wheel(0, 20_000);
    expect(await page.getByRole('article').count()).toBeGreaterThanOrEqual(count);
  }).toPass();
}

/** Opens a moment of the card at this place, comes back, and sees the same cards at the same place, without a jump and without a question. */
async function leaveAndReturn(page: Page, place: number): Promise<void> {
  const moment = page.getByRole('article').nth(place).locator('a.moment').first();
  await moment.evaluate((link) => link.scrollIntoView({ block: 'center' }));
  await expect(page.getByRole('button', { name: 'Loading more' })).toHaveCount(0);
  const left = await look(page);
  expect(left.scrollY).toBeGreaterThan(1_000);
  await moment.click();
  await expect(page.getByRole('heading', { level: 1, name: /^Keeper tape/ })).toBeVisible();
  const asked: string[] = [];
  page.on('request', (request) => request.url().includes('/Videos/Search?') && asked.push(request.url()));
  await page.evaluate(watchScroll);
  await page.goBack();
  await expect(page.getByRole('article').nth(place)).toBeInViewport();
  await expect(moment).toBeFocused();
  expect(await look(page)).toEqual(left);
  const seen = await page.evaluate(() => Reflect.get(window, 'scrollSeen'));
  expect(seen.length).toBeGreaterThan(0);
  expect([...new Set(seen)]).toEqual([left.scrollY]);
  expect(asked).toEqual([]);
}

/** Every place that the list is painted at from now on. */
function watchScroll(): void {
  const seen: number[] = [];
  Reflect.set(window, 'scrollSeen', seen);
  const note = () => {
    if (document.querySelector('article.result')) seen.push(window.scrollY);
    requestAnimationFrame(note);
  };
  requestAnimationFrame(note);
}

async function look(page: Page): Promise<{ scrollY: number; cards: string[] }> {
  // A card under the pointer, or with the focus in it, says where its moment is, and what is around it.
  await page.mouse.move(1, 1);
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
  await expect(page.locator('.frame-bubble, .moment-around')).toHaveCount(0);
  return {
    scrollY: await page.evaluate(() => window.scrollY),
    cards: await page.getByRole('article').allInnerTexts(),
  };
}
