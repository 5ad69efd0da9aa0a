import { keepLayers, type Layer } from '#domain/moments/layers.ts';
import type { Moment } from '#domain/moments/moment.ts';
import { keptAboutPeople } from '#web/pages/policy/kept-data.ts';
import { enterAs, expect, playerOf, signUpAsNora, takePicture, test, videoIdOf } from './journey.ts';

test('an empty archive says so at home and in a search for nothing, and leads who may add videos there', async ({ page, archive }) => {
  await page.route('**/Videos/Search?*', async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    await route.fulfill({ response, json: { ...answer, results: [], nextPage: { ...answer.nextPage, done: true } } });
  });
  const main = page.getByRole('main');
  for (const isEditor of [false, true]) {
    if (isEditor) await enterAs(page, archive, { editor: true });
    for (const path of ['/search?query=&skip=0', '/']) {
      await page.goto(path);
      await expect(main.getByText('No videos yet.')).toBeVisible();
      await expect(page.getByText('No more results found')).toHaveCount(0);
      await expect(page.getByRole('button', { name: isEditor ? /^Account of/ : /Colour theme/ })).toBeVisible();
      await expect(main.getByRole('link', { name: 'Add videos' })).toHaveCount(isEditor ? 1 : 0);
    }
  }
  await takePicture(page, 'home-empty');
  await main.getByRole('link', { name: 'Add videos' }).click();
  await expect(page).toHaveURL('/desk');
});

test('home promises only what the archive holds', async ({ page, archive }) => {
  const { pool } = archive.database;
  const promised = async () => {
    await page.goto('/');
    return [await page.getByRole('heading', { level: 1 }).innerText(), await page.locator('.hero p').first().innerText()]
      .join(' ')
      .replace(/\s+/g, ' ');
  };
  // Nothing that is written in the sample films is known.
  await expect.poll(promised).toBe('Search everything said and seen. Every spoken line, every face in this archive, found to the second.');
  await expect(page.getByRole('contentinfo')).toContainText('Footage, searched by what was said or seen');
  await page.getByRole('button', { name: 'Search help' }).click();
  await expect(page.getByRole('dialog')).toContainText('Type what was said or seen. Click an example');
  await page.keyboard.press('Escape');
  await page.getByRole('combobox', { name: 'Search the archive' }).fill('zyxwvut');
  await expect(page.getByText('Press Enter to search everything said and seen.')).toBeVisible();
  const sign: Moment = { kind: 'Ocr', startMs: 0, endMs: 1_000, text: 'PIER 4', source: 'machine', confidencePercent: 71 };
  const { rows } = await pool.query('select min(id) as id from videos');
  const layer: Layer = { name: 'text', moments: [sign] };
  await keepLayers(pool, [{ videoId: rows[0].id, layer, madeBy: 'a journey', version: 1 }]);
  try {
    await expect
      .poll(promised)
      .toBe(
        'Search everything said, written and seen. Every spoken line, every sign on a wall, every face in this archive, found to the second.',
      );
  } finally {
    await pool.query(`delete from layers where made_by = 'a journey'`);
  }
});

test('2.11 the header has the logo, the search box and Login for guests on every page', async ({ page }) => {
  for (const path of ['/', '/search?query=harbour&skip=0', '/privacy', '/no-such-page']) {
    await page.goto(path);
    const header = page.getByRole('banner');
    await expect(header.getByRole('link', { name: /Rushes/ })).toHaveAttribute('href', '/');
    await expect(header.getByRole('combobox', { name: 'Search the archive' })).toBeVisible();
    await expect(header.getByRole('link', { name: 'Login' })).toBeVisible();
  }
});

test('2.12 the footer has social links, contact details, and the policies as real pages', async ({ page }) => {
  await page.goto('/');
  const footer = page.getByRole('contentinfo');
  const links = footer.getByRole('navigation', { name: 'Follow' }).getByRole('link');
  expect(await links.evaluateAll((all) => all.map((link) => [link.getAttribute('aria-label'), link.getAttribute('href')]))).toEqual([
    ['Mastodon', 'https://mastodon.example/@rushes'],
    ['YouTube', 'https://youtube.example/@rushes'],
    ['Instagram', 'https://instagram.example/rushes'],
    ['Feed of the newest videos', '/feed.xml'],
  ]);
  await expect(footer.locator('a[href="mailto:licensing@rushes.example"]')).toHaveText('licensing@rushes.example');
  await expect(footer.locator('a[href="tel:+12025550143"]')).toHaveText('+1 202 555 0143');
  for (const policy of ['Privacy policy', 'Cookie policy']) {
    await footer.getByRole('link', { name: policy }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(policy);
    await expect(page.getByRole('main').getByRole('paragraph')).not.toHaveCount(0);
  }
  // What every archive keeps stands under the owner's own words, with the way to what people can do themselves.
  await footer.getByRole('link', { name: 'Privacy policy' }).click();
  await expect(page.getByRole('table', { name: 'What is stored, and for how long' }).getByRole('row')).toHaveCount(
    keptAboutPeople.length + 1,
  );
  await page.getByRole('main').getByRole('link', { name: 'delete your account' }).click();
  await expect(page).toHaveURL('/login?returnUrl=%2Faccount%23account-end');
});

test('a way to contact the archive that is not set is shown nowhere, and the others are', async ({ page, archive }) => {
  const id = await videoIdOf(page, 'Harbour at dusk');
  await enterAs(page, archive, { viewer: true });
  let unset: readonly string[] = [];
  await page.route('**/*', async (route) => {
    if (route.request().resourceType() !== 'document' || route.request().frame() !== page.mainFrame()) return route.continue();
    const response = await route.fetch();
    const body = unset.reduce((text, contact) => text.replaceAll(`"${contact}"`, '""'), await response.text());
    return route.fulfill({ response, body });
  });
  const [mail, phone] = ['licensing@rushes.example', '+1 202 555 0143'];
  const footer = page.getByRole('contentinfo');
  unset = [phone];
  await page.goto(`/video/${id}`);
  await expect(page.getByText('To license this video, contact us by e-mail.')).toBeVisible();
  await expect(footer.getByRole('region', { name: 'Contact' }).getByRole('link')).toHaveText([mail]);
  unset = [mail, phone];
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Harbour at dusk' })).toBeVisible();
  await expect(page.getByText('To license this video')).toHaveCount(0);
  await expect(footer.getByRole('heading', { name: 'Policies' })).toBeVisible();
  await expect(page.locator('a[href="mailto:"], a[href="tel:"]')).toHaveCount(0);
  await expect(footer.getByRole('heading', { name: 'Contact' })).toHaveCount(0);
});

test('2.13 the title of a page is its own plus the archive’s, and on search the query', async ({ page, archive }) => {
  const id = await videoIdOf(page, 'Harbour at dusk');
  const expectTitles = async (titles: Readonly<Record<string, string>>) => {
    for (const [path, title] of Object.entries(titles)) {
      await page.goto(path);
      await expect(page, path).toHaveTitle(`${title} — Rushes`);
    }
  };
  await expectTitles({
    '/': 'Home',
    '/search?query=harbour&skip=0': 'harbour',
    '/search?query=&skip=0': 'Showing all videos',
    '/login': 'Login',
    '/login-email': 'Sign in with email',
    '/privacy': 'Privacy policy',
    '/no-such-page': 'Not found',
  });
  await signUpAsNora(page, archive, `/video/${id}`);
  await expect(page).toHaveTitle('Thanks for signing up — Rushes');
  await enterAs(page, archive, { editor: true, admin: true });
  await expectTitles({
    [`/video/${id}`]: 'Harbour at dusk',
    '/admin': 'Admin',
    '/admin/videos': 'Videos, Admin',
    '/desk': 'Add videos, Desk',
    '/account': 'Account',
  });
});

test('9.11 an item code in brackets is not displayed, and a year in parentheses is', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 3, name: 'Lighthouse weather', exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { level: 3, name: 'Evening express (1969)', exact: true })).toBeVisible();
  await expect(page.getByText('RU-0042')).toHaveCount(0);
});

test('9.10 durations are shown in whole minutes', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('link', { name: /Harbour at dusk/ })).toContainText(/^\s*1 min/);
});

test('the practice archive says that it is one, and the theme stays as chosen', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('complementary', { name: 'Practice archive' })).toBeVisible();
  const before = await page.locator('html').getAttribute('data-theme');
  const button = page.getByRole('button', { name: /Colour theme/ });
  for (let press = 0; press < 3 && (await page.locator('html').getAttribute('data-theme')) === before; press++) await button.click();
  const chosen = await page.locator('html').getAttribute('data-theme');
  expect(chosen).not.toBe(before);
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', chosen ?? '');
});

test('the button of the theme goes from that of the device to the other one, to the same one, and back', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/');
  const button = page.getByRole('button', { name: /Colour theme/ });
  for (const [choice, shown] of [
    ['system', 'dark'],
    ['light', 'light'],
    ['dark', 'dark'],
  ] as const) {
    await expect(button).toHaveAccessibleName(`Colour theme: ${choice}`);
    await expect(page.locator('html')).toHaveAttribute('data-theme', shown);
    await button.click();
  }
  await expect(button).toHaveAccessibleName('Colour theme: system');
});

test('a browser that refuses to keep anything shows, searches and plays, and a theme that is chosen holds for the page', async ({
  page,
  archive,
}) => {
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException('The request was denied.', 'SecurityError');
        },
      });
  });
  await enterAs(page, archive, { viewer: true });
  await page.goto('/');
  await page.getByRole('combobox', { name: 'Search the archive' }).fill('harbour');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('article').first()).toBeVisible();
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.keyboard.press('Escape');
  await page.getByRole('article').first().getByRole('heading').getByRole('link').click();
  await expect(playerOf(page).getByRole('button', { name: /Pause|Play/ })).toBeVisible();
});
