import { expect, expectAccessible, test } from './journey.ts';

test('search help opens by the keyboard, names every operator, and each of its examples finds something here', async ({ page }) => {
  await page.goto('/');
  const box = page.getByRole('combobox', { name: 'Search the archive' });
  await box.focus();
  await page.keyboard.press('Tab');
  const help = page.getByRole('button', { name: 'Search help' });
  await expect(help).toBeFocused();
  await page.keyboard.press('Enter');
  const window = page.getByRole('dialog', { name: 'Search help' });
  await expect(window.getByRole('link', { name: /^person:/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(window).toBeHidden();
  await expect(help).toBeFocused();

  await page.keyboard.press('Enter');
  await expect(window.getByRole('link', { name: /^person:/ })).toBeVisible();
  const examples = await window.getByRole('link').allInnerTexts();
  for (const sign of [' +', ' -', ' OR ', '"', 'said:', 'title:', 'person:', 'label:', 'id:']) expect(examples.join('\n')).toContain(sign);
  for (const example of examples) {
    await window.getByRole('link', { name: example, exact: true }).click();
    await expect(page).toHaveURL(`/search?${new URLSearchParams({ query: example, skip: '0' })}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Showing results for ${example}`);
    await expect(page.getByRole('main').locator('a[href^="/video/"]').first(), example).toBeVisible();
    await help.click();
  }
});

test('on a narrow screen what is cleared are the filters of the sheet, and not the kinds of match chosen beside it', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/search?query=harbour&skip=0&kind=Transcript&length=under-10');
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Clear' }).click();
  await expect(page).toHaveURL('/search?query=harbour&skip=0&kind=Transcript');
});

test('a long query that finds nothing leaves room for what to try', async ({ page }) => {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto(`/search?query=${'zzyzx'.repeat(60)}`);
    await expect(page.getByRole('main').getByText('New footage')).toBeInViewport();
  }
});

test('a query that only leaves out is told that something to look for is missing', async ({ page }) => {
  await page.goto('/search?query=-harbour');
  const main = page.getByRole('main');
  await expect(main.getByText('A search needs something to look for: “-harbour” only excludes words.')).toBeVisible();
  await expect(main.getByText('New footage')).toHaveCount(0);
  await expectAccessible(page);
  await page.goto('/search?query=%25');
  await expect(main.getByText('“%” contains no letters or digits')).toBeVisible();
});
