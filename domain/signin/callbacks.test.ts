import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { providerIds } from '#contract/archive.ts';
import { sql } from '#domain/db/sql.ts';
import { readCorpus } from '#testing/corpus/read-corpus.ts';
import type { TestDatabase } from '#testing/test-database.ts';
import type { TestProvider } from '#testing/test-provider.ts';
import { prepareSignIn, type TestSignIn, visit } from '#testing/test-sign-in.ts';
import type { SignIn } from './create-sign-in.ts';

const pages = { done: '/search?query=x', failed: '/sign-in/popup-done' };

let prepared: TestSignIn;
let database: TestDatabase;
let provider: TestProvider;
let signIn: SignIn;
beforeAll(async () => {
  prepared = await prepareSignIn();
  ({ database, provider } = prepared);
});
afterAll(() => prepared.stop());
beforeEach(async () => {
  signIn = await prepared.startAnew();
  provider.userInfo = { id: '7', data: { id: '7' } };
});

const Callback = z.object({ rawQuery: z.string().optional(), note: z.string().optional(), id: z.string() });
const callbacks = readCorpus('oauth', Callback).flatMap(({ rawQuery, ...entry }) =>
  rawQuery === undefined ? [] : [{ ...entry, rawQuery }],
);

test('the corpus has 24 callbacks to try', () => expect(callbacks.length).toBe(24));

test.each(callbacks)('a hostile callback of no provider signs anybody in, and it ends on our own page: $id $note', async ({ rawQuery }) => {
  for (const id of providerIds) {
    const { query, cookie } = await fill(rawQuery, id);
    await database.pool.query('delete from users');
    const { location, cookies, hasSignedIn } = await signIn.finish(visit, { provider: id, query, cookie });
    const target = new URL(location);
    expect([target.origin, target.pathname, target.searchParams.has('error')]).toEqual([visit.origin, '/sign-in/popup-done', true]);
    expect([hasSignedIn, cookies.join()]).toEqual([false, expect.not.stringContaining('sid=')]);
    expect(cookies.at(-1)).toMatch(/^__Host-sign-in=; .*Max-Age=0/);
    expect((await database.pool.query('select 1 from sessions union all select 1 from users')).rowCount).toBe(0);
  }
});

test.each(providerIds)('a good callback of %s signs in, so that nothing else is why the hostile ones do not', async (id) => {
  const { query, cookie } = await fill('code={CODE}&state={STATE}', id);
  const { location, hasSignedIn } = await signIn.finish(visit, { provider: id, query, cookie });
  expect([location, hasSignedIn]).toEqual(['https://archive.example/search?query=x', true]);
});

test("one provider's code and state are nothing at another's callback, which is never shown the code", async () => {
  const { callback, cookie } = await begin('google');
  const asked = provider.asked.length;
  const { location, hasSignedIn } = await signIn.finish(visit, { ...callback, provider: 'microsoft', cookie });
  expect([new URL(location).search, hasSignedIn]).toEqual(['?error=state_mismatch', false]);
  expect(provider.asked.slice(asked)).toEqual([]);
});

test('a code and its state sign nobody in in another browser, and still do in the one that began', async () => {
  const victim = await begin('google');
  const attacker = await begin('google');
  const forged = await signIn.finish(visit, { ...attacker.callback, cookie: victim.cookie });
  expect([forged.hasSignedIn, forged.location]).toEqual([false, expect.stringContaining('error=state_mismatch')]);
  expect((await signIn.finish(visit, { ...victim.callback, cookie: victim.cookie })).hasSignedIn).toBe(true);
});

async function begin(id: string) {
  const { location, cookies } = await signIn.start(visit, { provider: id, ...pages });
  const callback = provider.consent(location);
  const query = new URLSearchParams(callback.query);
  const cookie = cookies.map((one) => one.split(';')[0]).join('; ');
  return { callback, cookie, code: query.get('code') ?? '', state: query.get('state') ?? '' };
}

test('a provider that the operator names is asked by its issuer alone: the document of another one, or a callback in its name, signs nobody in', async () => {
  provider.issuer = 'https://evil.example';
  await expect(fill('code={CODE}&state={STATE}', 'oidc')).rejects.toMatchObject({ code: 'unavailable' });
  provider.issuer = provider.base;
  const { query, cookie } = await fill(`code={CODE}&state={STATE}&iss=${encodeURIComponent(`${provider.base}/other`)}`, 'oidc');
  expect((await signIn.finish(visit, { provider: 'oidc', query, cookie })).location).toContain('error=issuer_mismatch');
});

/** Puts codes and states of sign-ins under way into a query of the corpus. */
async function fill(rawQuery: string, id: string): Promise<{ query: string; cookie: string }> {
  const mine = await begin(id);
  const anotherWhere = async (word: string, by = id) => (rawQuery.includes(word) ? await begin(by) : mine);
  const used = await anotherWhere('USED_');
  if (used !== mine) await signIn.finish(visit, { ...used.callback, cookie: used.cookie });
  const other = await anotherWhere('OTHER_SESSION_STATE');
  const elsewhere = await anotherWhere('CODE_OF_MICROSOFT', id === 'microsoft' ? 'google' : 'microsoft');
  const expired = await anotherWhere('EXPIRED_STATE');
  if (expired !== mine)
    await database.pool.query(sql`
      update verifications set expires_at = now() - interval '1 minute', value = (value::jsonb || '{"expiresAt": 1}')::text
       where identifier = ${`auth-state:${expired.state}`}`);
  const words: Record<string, string> = {
    CODE: mine.code,
    STATE: mine.state,
    USED_CODE: used.code,
    USED_STATE: used.state,
    OTHER_SESSION_STATE: other.state,
    EXPIRED_STATE: expired.state,
    CODE_OF_MICROSOFT: elsewhere.code,
    STATE_OF_GOOGLE: mine.state,
    JWT: 'a.b.c',
  };
  return { query: rawQuery.replace(/\{(\w+)\}/g, (_all, word: string) => words[word] ?? word), cookie: expired.cookie };
}
