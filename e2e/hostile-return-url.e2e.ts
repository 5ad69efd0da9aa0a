import type { Page } from '@playwright/test';
import { z } from 'zod';
import { createSignInLink } from '#domain/signin/sign-in-links.ts';
import { readCorpus } from '#testing/corpus/read-corpus.ts';
import { until } from '#testing/until.ts';
import { wantsWholeCorpus } from '#testing/whole-corpus.ts';
import { corpusSample } from './corpus-sample.ts';
import { enterAs, expect, type JourneyArchive, test } from './journey.ts';

const Entry = z.object({
  id: z.string(),
  cls: z.string(),
  enc: z.string().optional(),
  rawQuery: z.string().optional(),
  result: z.string(),
});
const all = readCorpus('open-redirect', Entry);

/** The pages that send a visitor on, and what has to stand in their address beside the returnUrl. */
const waysBack: readonly { path: string; prepare: (archive: JourneyArchive, email: string) => Promise<string> }[] = [
  { path: '/login', prepare: async () => '' },
  { path: '/activation-pending', prepare: async () => '' },
  {
    path: '/login-email-link',
    prepare: async ({ database }, email) => {
      const { token } = await createSignInLink(database.pool, { email, name: '', network: '' });
      return `token=${token}&`;
    },
  },
];

test('6.4 a returnUrl never leaves the site: every page that sends a visitor on sends them to a page of ours or to /', async ({
  page,
  archive,
}) => {
  const { chosen } = corpusSample(all);
  // A sample goes through one page each, the whole corpus through all of them.
  const runs = chosen.flatMap((entry, n) =>
    waysBack.filter((_, at) => wantsWholeCorpus || n % waysBack.length === at).map((way) => ({ entry, way })),
  );
  test.setTimeout(60_000 + runs.length * 3_000);
  const { email } = await enterAsOneWithAddress(page, archive);
  const faults: string[] = [];
  const visited = addressesOf(page);
  for (const { entry, way } of runs) {
    const more = await way.prepare(archive, email);
    visited.length = 0;
    await page.goto(`${way.path}?${more}${entry.rawQuery ?? `returnUrl=${entry.enc}`}`);
    const expected = way.path === entry.result ? '/' : entry.result;
    faults.push(
      ...(await faultsOf(page, visited, { from: way.path, expected: archive.origin + expected })).map((fault) => `${entry.id}: ${fault}`),
    );
  }
  const report = { check: 'redirects', runs: runs.length, leftOut: all.length * waysBack.length - runs.length, escapes: faults.length };
  test.info().annotations.push({ type: 'report', description: JSON.stringify(report) });
  expect(faults).toEqual([]);
});

test('the check of return addresses can fail: a page that goes where it is told is noticed', async ({ page, archive }) => {
  await page.route('**/*', (route) => {
    const told = new URL(route.request().url()).searchParams.get('returnUrl');
    const body = told === null ? 'elsewhere' : `<script>location.replace(${JSON.stringify(told)})</script>`;
    return route.fulfill({ contentType: 'text/html', body });
  });
  const visited = addressesOf(page);
  await page.goto(`${archive.origin}/login?returnUrl=${encodeURIComponent('//evil.example/')}`);
  expect(await faultsOf(page, visited, { from: '/login', expected: `${archive.origin}/` })).not.toEqual([]);
});

/**
 * What is wrong with where the page has gone from there: with its first step, whenever anybody looks, for a page of ours may have sent
 * the visitor on by then.
 */
async function faultsOf(page: Page, way: readonly string[], { from, expected }: { from: string; expected: string }): Promise<string[]> {
  const faults: string[] = [];
  // The page before may have had a step to go.
  const firstStep = () =>
    way.slice(way.findIndex((address) => new URL(address).pathname === from) + 1).find((address) => leaves(address, from));
  const led = await until(firstStep, { withinMs: 10_000 }).catch(() => undefined);
  if (led === undefined) faults.push(`stayed at ${page.url()}`);
  else if (led !== expected) faults.push(`${from} led to ${led}, not to ${expected}`);
  const outside = way.find((address) => new URL(address).origin !== new URL(expected).origin);
  if (outside !== undefined) faults.push(`${from} led out of the site, to ${outside}`);
  if (await page.evaluate(() => '__xss' in window)) faults.push('a script ran');
  return faults;
}

function leaves(address: string, from: string): boolean {
  return new URL(address).pathname !== from;
}

/** Every address that the page has from now on, in their order, also those that it has for a moment only. */
function addressesOf(page: Page): string[] {
  const way: string[] = [];
  page.on('framenavigated', (frame) => frame === page.mainFrame() && way.push(frame.url()));
  return way;
}

/** An administrator, whom every page is open to, with an address that is proved to be theirs and that this browser waits for a link to. */
async function enterAsOneWithAddress(page: Page, archive: JourneyArchive): Promise<{ email: string }> {
  const { uid } = await enterAs(page, archive, { admin: true });
  const email = `${uid}@people.example`;
  await archive.database.pool.query('update users set email = $1, email_verified = true where id = $2', [email, uid]);
  await page.addInitScript((address) => localStorage.setItem('rushes-waiting-address', address), email);
  return { email };
}
