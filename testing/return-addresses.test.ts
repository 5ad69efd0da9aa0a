import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { CookieBrowser } from './cookie-browser.ts';
import { readCorpus } from './corpus/read-corpus.ts';
import { startMailingServer } from './mailing-server.ts';
import { putReport } from './put-report.ts';
import { linkIn, readMail } from './read-mail.ts';
import type { TestMailbox } from './test-mailbox.ts';
import { wantsWholeCorpus } from './whole-corpus.ts';

const Entry = z.object({ id: z.string(), enc: z.string().optional(), rawQuery: z.string().optional(), result: z.string() });
const entries = readCorpus('open-redirect', Entry).map(({ id, enc, rawQuery, result }) => ({
  id,
  query: rawQuery?.replace(/^\?/, '') ?? `returnUrl=${enc}`,
  result,
}));
/** Signing in in earnest takes a while, and its way back is written where that of cancelling is. */
const signInEntries = entries.filter((_, n) => wantsWholeCorpus || n % 8 === 0);
let runs = 0;
let escapes = 0;

let mailbox: TestMailbox;
let origin: string;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ mailbox, origin, stop } = await startMailingServer({ RUSHES_LINKS_PER_NETWORK: '9999999', RUSHES_LINKS_IN_ALL: '9999999' }));
});
afterAll(() => stop());

test('6.4 whoever signs in in the whole page lands where they were going, or at home', { timeout: 120_000 }, async () => {
  const browser = new CookieBrowser(origin);
  await expectEveryResult(async ({ query }) => {
    const page = await browser.open(`/sign-in/redirect-start?provider=google&${query}`);
    return await landing(browser, (await browser.submit(page, 'viewer')).headers.get('location') ?? '');
  }, signInEntries);
});

test('6.4 who cancels there is sent to the sign-in window, which remembers a page of ours', { timeout: 60_000 }, async () => {
  await expectEveryResult(async ({ query }) => {
    const back = await refusedAt(`/sign-in/redirect-start?provider=google&${query}`);
    expect([back.origin, back.pathname]).toEqual([origin, '/login']);
    return back.searchParams.get('returnUrl') ?? '';
  });
});

test('6.4 the sign-in in a window of its own ends on its own page, whatever it is told', { timeout: 60_000 }, async () => {
  await expectEveryResult(async ({ query, result }) => {
    const back = await refusedAt(`/sign-in/popup-start?provider=google&${query}`);
    return back.origin === origin && back.pathname === '/sign-in/popup-done' && !back.searchParams.has('returnUrl') ? result : back.href;
  });
});

test('6.4 7.5 the link in a mail leads to a page of ours', { timeout: 60_000 }, async () => {
  await expectEveryResult(async ({ id, query, result }) => {
    const email = `${id.toLowerCase()}@people.example`;
    const given = new URLSearchParams(query).getAll('returnUrl');
    const returnUrl = given.length > 1 ? given : given[0];
    const answer = await new CookieBrowser(origin).post('/api/sign-in-links', { email, displayName: 'Ann', returnUrl });
    // Several values are no text: nothing is mailed.
    if (answer.status === 400 && result === '/' && !mailbox.mails.some(({ to }) => to.includes(email))) return result;
    const link = linkIn(readMail((await mailbox.lastTo(email)).raw));
    expect(link.origin).toBe(origin);
    return link.searchParams.get('returnUrl') ?? '/';
  });
});

test('the check can fail: asking for a slash at the beginning lets some of them out', () => {
  const escaped = entries.filter(({ query }) => {
    const value = new URLSearchParams(query).get('returnUrl') ?? '/';
    const target = value.startsWith('/') ? value : '/';
    return !URL.canParse(target, origin) || new URL(target, origin).origin !== origin;
  });
  expect(escaped.length).toBeGreaterThan(20);
});

test('no return address of the corpus left the site by any of these ways', ({ task }) => {
  putReport(task, { check: 'redirects', runs, escapes });
  expect([entries.length, runs]).toEqual([206, signInEntries.length + 3 * 206]);
  expect(escapes).toBe(0);
});

type Attack = (typeof entries)[number];

/** Lets values of the corpus through one way back, and expects each to end at the page that the corpus names. */
async function expectEveryResult(wayBack: (entry: Attack) => string | Promise<string>, tried: readonly Attack[] = entries): Promise<void> {
  const faults: string[] = [];
  for (const entry of tried) {
    const landed = await Promise.resolve(entry)
      .then(wayBack)
      .catch((error: unknown) => `no answer: ${error}`);
    runs += 1;
    if (landed === entry.result || landed === origin + entry.result) continue;
    escapes += 1;
    faults.push(`${entry.id} landed on ${landed}, not on ${entry.result}`);
  }
  expect(faults).toEqual([]);
}

/** Where our own callback sends a browser that comes back from the provider. */
async function landing(browser: CookieBrowser, address: string): Promise<string> {
  const next = (await browser.request(address)).headers.get('location') ?? '';
  return new URL(address, origin).pathname.startsWith('/api/auth/callback/') ? next : await landing(browser, new URL(next, origin).href);
}

/** Begins a sign-in there and comes back refused by the provider; where that leads. */
async function refusedAt(address: string): Promise<URL> {
  const browser = new CookieBrowser(origin);
  const begun = await browser.request(address);
  const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state') ?? '';
  const back = await browser.request(`/api/auth/callback/google?${new URLSearchParams({ error: 'access_denied', state })}`);
  return new URL(back.headers.get('location') ?? '', origin);
}
