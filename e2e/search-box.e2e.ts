import { expect, test } from './journey.ts';

test('2.14 9.2 typing is debounced by 220 ms: a fast word asks once', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.pathname.endsWith('/Partner/Breakdowns/Search')) asked.push(url.searchParams.get('query') ?? '');
  });
  await page.clock.install();
  await page.goto('/');
  const box = page.getByRole('combobox', { name: 'Search the archive' });
  await expect(box).toHaveAttribute('placeholder', 'Search the archive');
  await box.focus();
  // From here on time passes by our word alone.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
  for (const letter of 'harbour') {
    await page.keyboard.press(letter);
    await page.clock.runFor(100);
  }
  expect(asked).toEqual([]);
  await page.clock.runFor(119);
  expect(asked).toEqual([]);
  await page.clock.runFor(1);
  await expect.poll(() => asked).toEqual(['harbour']);
});

test('2.14 Enter goes to /search with query and skip=0; clear empties the box', async ({ page }) => {
  await page.goto('/');
  const box = page.getByRole('combobox', { name: 'Search the archive' });
  await expect(page.getByRole('button', { name: 'Clear search' })).toHaveCount(0);
  await box.fill('turn of the tide');
  await page.getByRole('button', { name: 'Clear search' }).click();
  await expect(box).toHaveValue('');
  await box.fill('turn of the tide');
  await box.press('Enter');
  await expect(page).toHaveURL('/search?query=turn+of+the+tide&skip=0');
});

test('2.14 a spinner shows while suggestions load', async ({ page }) => {
  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/Partner/Breakdowns/Search*', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/');
  await page.getByRole('combobox', { name: 'Search the archive' }).fill('harbour');
  const spinner = page.getByRole('search').locator('.spinner, [data-spinner], [aria-busy=true]').first();
  await expect(spinner).toBeVisible();
  answer();
  await expect(page.getByRole('listbox')).toBeVisible();
  await expect(spinner).toBeHidden();
});

test('suggestions complete the last word and open by the keyboard', async ({ page }) => {
  await page.goto('/');
  const box = page.getByRole('combobox', { name: 'Search the archive' });
  await box.fill('harb');
  await expect(page.getByRole('option').filter({ hasText: 'Harbour at dusk' }).first()).toBeVisible();
  await box.press('ArrowDown');
  await expect(box).toHaveAttribute('aria-activedescendant', /.+/);
  await box.press('Escape');
  await expect(page.getByRole('listbox')).toBeHidden();
});
