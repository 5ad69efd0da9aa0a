import { join, resolve } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { test as base, expect, type FrameLocator, type Page } from '@playwright/test';
import type { Roles } from '#contract/roles.ts';
import { loadSecrets } from '#domain/tokens/secrets.ts';
import { addPerson, type Person } from '#testing/add-person.ts';
import { type PreparedArchive, startPreparedArchive } from '#testing/prepared-archive.ts';

export type JourneyArchive = Awaited<ReturnType<typeof startPreparedArchive>>;

/** The archive with the sample films that every journey's own is cloned from. */
export function preparedArchive(): PreparedArchive {
  return JSON.parse(process.env.RUSHES_TEST_PREPARED ?? '{}');
}

/** A journey's test: each worker has a running archive of its own, with the sample films in it. */
export const test = base.extend<{ leavesFilmsAsFound: undefined }, { archive: JourneyArchive }>({
  archive: [
    async ({ browserName: _ }, use) => {
      const archive = await startPreparedArchive(preparedArchive());
      await use(archive);
      await archive.stop();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ archive }, use) => {
    await use(archive.origin);
  },
  // The archive is shared with the journeys that its worker takes next, and nobody knows which they are: they count on its films.
  leavesFilmsAsFound: [
    async ({ archive }, use) => {
      const films = async () =>
        (
          await archive.database.pool.query(
            "select array_agg(concat_ws(' | ', name, state, content_hash) order by name) as films from videos",
          )
        ).rows[0];
      const before = await films();
      await use(undefined);
      expect(await films(), 'the films of the shared archive after this journey').toEqual(before);
    },
    { auto: true },
  ],
});

export { expect };

export type PracticePerson = 'Nora Newcomer' | 'Victor Viewer' | 'Edda Editor' | 'Ada Admin';

/** From a page that shows the login window: in through the Google button and the practice identity provider, as a person would. */
export async function signInAs(page: Page, person: PracticePerson): Promise<void> {
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Sign in with Google' }).click();
  const provider = await opened;
  await provider.getByText(person).click();
  await expect(page.getByRole('dialog')).toBeHidden();
}

/** At this address, which asks for signing in: Nora for the first time. Whoever she was before is forgotten. Returns who she is now. */
export async function signUpAsNora(page: Page, { database }: JourneyArchive, address: string): Promise<string> {
  await database.pool.query("delete from users where email = 'nora@practice.example'");
  await page.goto(address);
  await signInAs(page, 'Nora Newcomer');
  const { rows } = await database.pool.query("select id from users where email = 'nora@practice.example'");
  return rows[0]?.id ?? '';
}

/** Somebody of this test's own with these roles, signed in already: the ways of signing in have journeys of their own. */
export async function enterAs(page: Page, archive: JourneyArchive, roles: Roles): Promise<Person> {
  const person = await addPerson({ pool: archive.database.pool, secrets: loadSecrets(archive.dataFolder) }, roles);
  const [name = '', value = ''] = person.cookie.split('=');
  // A page on this machine may be given a secure cookie; the browser's own interface wants to hear of https for it.
  const url = archive.origin.replace('http:', 'https:');
  await page.context().addCookies([{ name, value, url, httpOnly: true, secure: true, sameSite: 'Lax' }]);
  return person;
}

export function playerOf(page: Page): FrameLocator {
  return page.frameLocator('iframe[src*="/embed/player/"]');
}

export function insightsOf(page: Page): FrameLocator {
  return page.frameLocator('iframe[src*="/embed/insights/"]');
}

/** Where the player stands, in seconds; NaN while there is none. */
export async function playerSeconds(page: Page): Promise<number> {
  return await playerOf(page)
    .locator('video')
    .evaluate((video: HTMLVideoElement) => (video.readyState >= 2 ? video.currentTime : Number.NaN));
}

/** What the player does, and where it stands. */
export async function playing(page: Page) {
  return await playerOf(page)
    .locator('video')
    .evaluate(({ paused, muted, currentTime }: HTMLVideoElement) => ({ paused, muted, seconds: currentTime }));
}

/** The id of a sample film, found by its name as a visitor would. The home page may hold it further down, below what other journeys added. */
export async function videoIdOf(page: Page, name: string): Promise<string> {
  await page.goto(`/search?query=${encodeURIComponent(name)}`);
  const href = await page.getByRole('main').getByRole('link', { name }).first().getAttribute('href');
  return href?.match(/^\/video\/([0-9a-f]{10})/)?.[1] ?? '';
}

const pictures = resolve(
  import.meta.dirname,
  '..',
  process.env.RUSHES_KEEP_SCREENSHOTS === '1' ? 'docs/screenshots' : 'test-results/screenshots',
);

const [wide, narrow] = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];
/** What a picture is taken in beside the one of the page as it stands, with `RUSHES_TEST_FORMS=all`: both themes at both widths. */
const forms = [
  { suffix: '-1440', size: wide, colorScheme: 'light' },
  { suffix: '-1440-dark', size: wide, colorScheme: 'dark' },
  { suffix: '-390', size: narrow, colorScheme: 'light' },
  { suffix: '-390-dark', size: narrow, colorScheme: 'dark' },
] as const;

/** Takes a picture of what a person sees; `npm run screenshots` keeps them under docs/screenshots. */
export async function takePicture(page: Page, name: string): Promise<void> {
  await takeOnePicture(page, name);
  if (process.env.RUSHES_TEST_FORMS !== 'all') return;
  const size = page.viewportSize() ?? wide;
  const wasDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  for (const { suffix, size: ofForm, colorScheme } of forms) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(ofForm);
    await takeOnePicture(page, name + suffix);
  }
  await page.emulateMedia({ colorScheme: wasDark ? 'dark' : 'light' });
  await page.setViewportSize(size);
}

async function takeOnePicture(page: Page, name: string): Promise<void> {
  await untilDrawn(page);
  await expect(page.locator('.skeleton')).toHaveCount(0);
  await page.screenshot({ path: join(pictures, `${name}.png`), animations: 'disabled' });
}

/** Waits for letters and pictures. The network of a page of somebody signed in is never idle: it listens for what happens to them. */
export async function untilDrawn(page: Page): Promise<void> {
  const isDrawn = () => document.fonts.status === 'loaded' && [...document.images].every(({ complete }) => complete);
  await expect.poll(() => page.evaluate(isDrawn)).toBe(true);
}

/** Waits for movement that ends: colours on the way from one to the other are nobody's. */
async function untilStill(page: Page): Promise<void> {
  const isStill = () =>
    document.getAnimations().every(({ playState, effect }) => playState !== 'running' || effect?.getComputedTiming().endTime === Infinity);
  await expect.poll(() => page.evaluate(isStill)).toBe(true);
}

/** Expects axe to find nothing on this page, or in one part of it. The guards around a menu or a dialog, which hand the focus on at once, are left out. */
export async function expectAccessible(page: Page, { include, exclude }: { include?: string; exclude?: string } = {}): Promise<void> {
  await untilStill(page);
  const axe = new AxeBuilder({ page }).exclude('[data-base-ui-focus-guard]');
  if (include) axe.include(include);
  if (exclude) axe.exclude(exclude);
  const { violations } = await axe.analyze();
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([]);
}
