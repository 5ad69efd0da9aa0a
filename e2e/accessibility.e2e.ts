import AxeBuilder from '@axe-core/playwright';
import { errors, type Locator, type Page } from '@playwright/test';
import { turnOfTests } from '#testing/seeded-random.ts';
import { wantsWholeCorpus } from '#testing/whole-corpus.ts';
import { enterAs, expect, insightsOf, type JourneyArchive, playerOf, test, untilDrawn, videoIdOf } from './journey.ts';

interface Screen {
  readonly name: string;
  readonly path: string;
  /** What has to be done there until it shows. */
  readonly prepare?: (page: Page) => Promise<void>;
  /** What is there when the screen is; a page heading unless told otherwise. */
  readonly shown?: (page: Page) => Locator;
  /** Rules that say nothing about this screen. */
  readonly without?: readonly string[];
}

const dialog = (page: Page) => page.getByRole('dialog');

const openScreens: readonly Screen[] = [
  { name: 'home', path: '/' },
  { name: 'search', path: '/search?query=harbour&skip=0' },
  { name: 'no matches', path: '/search?query=zzyzzx+qwyrtlp&skip=0' },
  {
    name: 'no matches, filtered',
    path: '/search?query=harbour&skip=0&kind=Ocr&length=over-60',
    shown: (page) => page.getByRole('button', { name: 'Remove Written text' }),
  },
  {
    name: 'filters',
    path: '/search?query=harbour&skip=0',
    prepare: async (page) => {
      await page.setViewportSize({ width: 390, height: 900 });
      await page.getByRole('button', { name: 'Filters', exact: true }).click();
    },
    shown: (page) => dialog(page).getByRole('radiogroup', { name: 'Length in minutes' }),
  },
  {
    name: 'search help',
    path: '/search?query=harbour&skip=0',
    prepare: (page) => page.getByRole('button', { name: 'Search help' }).click(),
    shown: (page) => dialog(page).getByRole('link', { name: /^person:/ }),
  },
  { name: 'not found', path: '/no-such-page' },
  { name: 'privacy', path: '/privacy' },
  { name: 'login', path: '/login', shown: dialog },
  { name: 'login by e-mail', path: '/login-email', shown: dialog },
  {
    name: 'login by e-mail, sent',
    path: '/login-email',
    prepare: askForLink,
    shown: (page) => page.getByText('We have sent you an email'),
  },
  { name: 'link on another device', path: `/login-email-link?token=${'x'.repeat(43)}`, shown: dialog },
  { name: 'link that is none', path: '/login-email-link', shown: dialog },
];

const deskScreens: readonly Screen[] = [
  { name: 'admin, users', path: '/admin', shown: (page) => page.getByRole('table', { name: 'Waiting for activation' }) },
  {
    name: 'admin, delete a user',
    path: '/admin',
    prepare: (page) =>
      page
        .getByRole('button', { name: /^Delete / })
        .first()
        .click(),
    shown: (page) => page.getByText('Are you sure you want to delete this user?'),
  },
  { name: 'admin, videos', path: '/admin/videos', shown: (page) => page.getByText('Harbour at dusk').first() },
  { name: 'admin, activity', path: '/admin/activity' },
  { name: 'admin, status', path: '/admin/status', shown: (page) => page.getByRole('heading', { name: 'Waiting work' }) },
  { name: 'admin, engines', path: '/admin/engines', shown: (page) => page.getByRole('heading', { name: 'Speech detection' }) },
  { name: 'desk', path: '/desk' },
  { name: 'desk, details', path: '/desk/details', shown: (page) => page.getByRole('button', { name: 'Choose a table' }) },
  { name: 'desk, films from elsewhere', path: '/desk/existing-work', shown: (page) => page.getByRole('button', { name: 'Choose files' }) },
  { name: 'desk, unfound', path: '/desk/unfound', shown: (page) => page.getByRole('heading', { name: 'Failed searches' }) },
  { name: 'account', path: '/account' },
  {
    name: 'user menu',
    path: '/privacy',
    prepare: (page) =>
      page
        .getByRole('banner')
        .getByRole('button', { name: /Person [0-9a-f]{16}/ })
        .click(),
    shown: (page) => page.getByRole('menuitem', { name: 'Sign out' }),
    // A menu belongs to its button, and to no part of the page.
    without: ['region'],
  },
];

test('axe finds nothing on the open pages, and none of them scrolls sideways', async ({ page }) => {
  await expectGoodScreens(page, openScreens);
});

test('axe finds nothing on the desks and one’s account, and none of them scrolls sideways', async ({ page, archive }) => {
  await addWaitingPerson(archive);
  await enterAs(page, archive, { viewer: true, editor: true, admin: true });
  await expectGoodScreens(page, deskScreens);
});

test('axe finds nothing where somebody waits for activation', async ({ page, archive }) => {
  await enterAs(page, archive, {});
  await expectGoodScreens(page, [{ name: 'activation pending', path: '/activation-pending' }]);
});

test('axe finds nothing on the video page and its frames', async ({ page, archive }) => {
  await enterAs(page, archive, { viewer: true });
  const path = `/video/${await videoIdOf(page, 'Harbour at dusk')}?query=harbour`;
  const prepare = async () => {
    await expect(insightsOf(page).getByRole('tab', { name: 'Insights' })).toBeVisible();
    // Decoding a film meanwhile would take the time of the check.
    await playerOf(page).getByRole('button', { name: 'Pause' }).click();
  };
  await expectGoodScreens(page, [{ name: 'video', path, prepare }]);
});

test('axe finds nothing where an editor changes a title and goes through what is said', async ({ page, archive }) => {
  await enterAs(page, archive, { editor: true });
  const path = `/video/${await videoIdOf(page, 'Under the pier')}`;
  const prepare = async () => {
    await playerOf(page).getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Edit title' }).click();
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Under the pier');
    await page.getByText('Description, place, time').click();
    await expect(page.getByRole('dialog')).toBeVisible();
  };
  const shown = () => page.getByRole('dialog', { name: 'Title' });
  const words = () => page.getByRole('textbox', { name: 'Transcript line' });
  const prepareLines = async () => {
    await playerOf(page).getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Change many lines').click();
    await page.getByLabel('Find').fill('the');
    await page.getByText('Keyboard shortcuts', { exact: true }).click();
  };
  await expectGoodScreens(page, [
    { name: 'edit title', path, prepare, shown },
    { name: 'edit transcript', path: `${path}?edit=transcript`, prepare: prepareLines, shown: words },
  ]);
});

test('no switch moves while the page of users loads: no table comes before both are known', async ({ page, archive }) => {
  await addWaitingPerson(archive);
  await enterAs(page, archive, { viewer: true, admin: true });
  const held = Promise.withResolvers<void>();
  await page.route(/\/api\/users\?.*group=waiting/, (route) => held.promise.then(() => route.continue()));
  const known = page.waitForResponse(/\/api\/users\?.*group=active/);
  await page.goto('/admin');
  await (await known).finished();
  await expect(page.getByText('Loading users')).toBeAttached();
  await untilDrawn(page);
  await expect(page.getByRole('table')).toHaveCount(0);
  held.resolve();
  await expect(page.getByRole('table', { name: 'Waiting for activation' })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Active users' })).toBeVisible();
});

test('a new page moves the focus to its heading, and a skip link leads past the header', async ({ page }) => {
  await page.goto('/');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy policy' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Privacy policy' })).toBeFocused();
});

interface Look {
  readonly theme: 'light' | 'dark';
  readonly width: number;
  readonly rules?: readonly string[];
}

/** A theme changes colours and a width changes places: what two looks have shown of both, the other two show of the colours in those places. */
const looks: readonly Look[] = [
  { theme: 'light', width: 1_440 },
  { theme: 'dark', width: 390 },
  { theme: 'dark', width: 1_440, rules: ['color-contrast'] },
  { theme: 'light', width: 390, rules: ['color-contrast'] },
];

/** All looks, or one of the first two, the other one with every turn: `npm run -s report:axe` takes all of each screen. */
function looksAt(screen: number): readonly Look[] {
  if (wantsWholeCorpus) return looks;
  const one = looks[(screen + turnOfTests) % 2];
  return one ? [one] : [];
}

/** Every screen in both themes, wide and narrow: one visit, all looks that are taken, and more for the widths between a desk and a telephone, and narrower than that. */
async function expectGoodScreens(page: Page, screens: readonly Screen[]): Promise<void> {
  test.setTimeout(60_000 + screens.length * 30_000);
  const faults: string[] = [];
  for (const [n, { name, path, prepare, shown = pageHeading, without = [] }] of screens.entries()) {
    await look(page, { theme: 'light', width: 1_440 });
    await page.goto(path);
    await prepare?.(page);
    await expect(shown(page), name).toBeVisible();
    await untilDrawn(page);
    for (const one of looksAt(n)) {
      await look(page, one);
      // The guards around a menu or a dialog hand the focus on at once.
      const axe = new AxeBuilder({ page }).exclude('[data-base-ui-focus-guard]');
      const { violations } = await (one.rules ? axe.withRules([...one.rules]) : axe.disableRules([...without])).analyze();
      faults.push(...violations.map(({ id, nodes }) => `${name}, ${one.theme}, ${one.width} wide: ${id} ${nodes[0]?.html}`));
    }
    for (const width of [900, 768, 390, 320]) {
      await page.setViewportSize({ width, height: 700 });
      // What floats over the page finds its new place a moment later.
      const fits = () => document.documentElement.scrollWidth <= document.documentElement.clientWidth;
      await page.waitForFunction(fits, null, { timeout: 10_000 }).catch((error: unknown) => {
        if (!(error instanceof errors.TimeoutError)) throw error;
        faults.push(`${name} scrolls sideways at ${width} px`);
      });
    }
  }
  const figures = { check: 'axe', screens: screens.length, looks: looksAt(0).length, faults: faults.length };
  test.info().annotations.push({ type: 'report', description: JSON.stringify(figures) });
  expect(faults).toEqual([]);
}

async function look(page: Page, { theme, width }: Look): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  if (page.url() === 'about:blank') return;
  await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
}

function pageHeading(page: Page): Locator {
  return page.getByRole('heading', { level: 1 }).first();
}

async function askForLink(page: Page): Promise<void> {
  await page.getByLabel('Full name').fill('Ann Archivist');
  await page.getByLabel('E-mail').fill('ann@people.example');
  await page.getByRole('button', { name: 'Sign in with email' }).click();
}

/** Somebody whom the admin's desk shows among those who wait, with all that it can say of a person. */
async function addWaitingPerson({ database }: JourneyArchive): Promise<void> {
  await database.pool.query(
    `insert into users (id, email, name, note, created_at)
     values ('waits-for-axe', 'axe@people.example', 'Аxel Waits', 'I catalogue the harbour films.', now() - interval '30 hours')
     on conflict do nothing`,
  );
}
