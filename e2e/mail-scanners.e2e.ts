import type { Browser, Page } from '@playwright/test';
import { linkSentTo } from '#testing/practice-mailbox.ts';
import { expect, type JourneyArchive, test } from './journey.ts';

/** Links for each kind of scanner; the report takes as many as were promised. */
const linksEach = process.env.RUSHES_TEST_CORPUS === 'all' ? 25 : 3;

const atOnce = 5;

type Scan = (link: string, browser: Browser) => Promise<void>;

const scanners: Readonly<Record<string, Scan>> = {
  'asks for the head': async (link) => void (await fetch(link, { method: 'HEAD' })),
  'reads the page twice': async (link) => {
    for (const _time of [1, 2]) await (await fetch(link)).text();
  },
  'opens the page in a browser': (link, browser) =>
    inBrowser(browser, async (page) => {
      await page.goto(link, { waitUntil: 'networkidle' });
    }),
  'fills every form, submits it and presses every button': (link, browser) => inBrowser(browser, (page) => pressEverything(page, link)),
};

test('5.2 four kinds of mail scanner open links before people do, and leave every one of them good', async ({ browser, archive }) => {
  test.setTimeout(60_000 + linksEach * 40_000);
  let links = 0;
  const spent: string[] = [];
  const hindered: string[] = [];
  const look = async (kind: string, scan: Scan, n: number) => {
    const email = `person-${n}@${kind.replaceAll(/\W+/g, '-')}.example`;
    const link = await sendLink(archive, email);
    links += 1;
    await scan(link, browser);
    if (await isSpent(archive, email)) spent.push(`${email}: the scanner ${kind}`);
    if (!(await getsIn(archive, { link, email }))) hindered.push(email);
  };
  for (const [kind, scan] of Object.entries(scanners)) {
    for (let n = 0; n < linksEach; n += atOnce) {
      const numbers = Array.from({ length: Math.min(atOnce, linksEach - n) }, (_, more) => n + more);
      await Promise.all(numbers.map((number) => look(kind, scan, number)));
    }
  }
  expect(spent).toEqual([]);
  expect(hindered).toEqual([]);
  test.info().annotations.push({ type: 'report', description: JSON.stringify({ check: 'scanners', links, spent: spent.length }) });
});

test('a scanner that knows the address spends the link, so the check sees it', async ({ archive }) => {
  const email = 'person@control.example';
  const link = await sendLink(archive, email);
  expect(await getsIn(archive, { link, email })).toBe(true);
  expect(await isSpent(archive, email)).toBe(true);
  expect(await getsIn(archive, { link, email })).toBe(false);
});

async function inBrowser(browser: Browser, act: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext();
  await act(await context.newPage());
  await context.close();
}

/** Fills and submits every form, and presses every button of the page; where that leads away, it comes back for the others. */
async function pressEverything(page: Page, link: string): Promise<void> {
  const buttons = page.locator('button, [role=button], input[type=submit]');
  const open = async () => {
    await page.goto(link);
    await page.getByRole('dialog').getByRole('textbox').waitFor();
    await fillForms(page);
    await page.evaluate(() => {
      for (const form of document.forms) form.requestSubmit();
    });
    await page.waitForLoadState('networkidle');
  };
  await open();
  const address = page.url();
  const count = await buttons.count();
  for (let n = 0; n < count; n += 1) {
    await fillForms(page);
    await buttons.nth(n).dispatchEvent('click');
    await page.waitForLoadState('networkidle');
    if (page.url() !== address) await open();
  }
}

/** As a person would, so that the page notices. */
async function fillForms(page: Page): Promise<void> {
  for (const field of await page.locator('form input').all()) {
    await field.fill((await field.getAttribute('type')) === 'email' ? 'scanner@scanner.example' : 'Scanner', { force: true });
  }
}

async function sendLink({ origin }: JourneyArchive, email: string): Promise<string> {
  const answer = await post(origin, '/api/sign-in-links', { email, displayName: 'Ann Archivist' });
  expect(answer.status).toBe(202);
  return await linkSentTo(origin, email);
}

async function isSpent({ database }: JourneyArchive, email: string): Promise<boolean> {
  const { rows } = await database.pool.query('select from sign_in_links where email = $1 and used_at is not null', [email]);
  const sessions = await database.pool.query('select from sessions join users on users.id = sessions.user_id where users.email = $1', [
    email,
  ]);
  return rows.length > 0 || sessions.rows.length > 0;
}

/** What the page does for the person that the link was sent to. */
async function getsIn({ origin }: JourneyArchive, { link, email }: { link: string; email: string }): Promise<boolean> {
  const token = new URL(link).searchParams.get('token');
  return (await post(origin, '/api/sign-in-link', { token, email })).status === 200;
}

async function post(origin: string, path: string, body: object): Promise<Response> {
  return await fetch(origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify(body),
  });
}
