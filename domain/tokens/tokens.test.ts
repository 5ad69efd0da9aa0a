import { randomBytes } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { Problem } from '#contract/problem.ts';
import { forgedTokens, forgeToken, rightClaims } from '#testing/forged-tokens.ts';
import { mintAccountToken, verifyAccountToken } from './account-token.ts';
import type { Secrets } from './secrets.ts';
import { mintUserBearer, verifyUserBearer } from './user-bearer.ts';
import { mintVideoToken, signMediaCookie, verifyMediaCookie, verifyVideoToken } from './video-token.ts';

const signingKey = { kid: 'key-one', bytes: randomBytes(32) };
const secrets: Secrets = { signingKeys: [signingKey], thumbnailKey: randomBytes(32), signInSecret: '' };
const watch = { videoId: '00112233ff', uid: 'u1', sid: 's1', authVersion: 3 };
const nowSeconds = () => Math.floor(Date.now() / 1_000);

test('every class of token says what was put into it', async () => {
  const account = { caller: 'c1', adminFields: true, mayEdit: false, sid: 's1' };
  const script = { caller: 'c1', adminFields: false, mayEdit: true, sid: 's1' };
  expect(await verifyAccountToken(secrets, await mintAccountToken(secrets, account))).toEqual(account);
  expect(await verifyAccountToken(secrets, await mintAccountToken(secrets, script))).toEqual(script);
  expect(await verifyVideoToken(secrets, await mintVideoToken(secrets, watch))).toMatchObject(watch);
  expect(await verifyUserBearer(secrets, await mintUserBearer(secrets, { uid: 'u1', sid: 's1' }))).toEqual({ uid: 'u1', sid: 's1' });
  const expiresAt = new Date((nowSeconds() + 60) * 1_000);
  expect(await verifyMediaCookie(secrets, await signMediaCookie(secrets, { ...watch, expiresAt }))).toEqual({ ...watch, expiresAt });
});

test('a token of one class opens no other class: 403 between account and video, 401 elsewhere', async () => {
  const account = await mintAccountToken(secrets, { caller: 'c1', adminFields: false });
  const video = await mintVideoToken(secrets, watch);
  const bearer = await mintUserBearer(secrets, { uid: 'u1', sid: 's1' });
  const cookie = await signMediaCookie(secrets, { ...watch, expiresAt: new Date(Date.now() + 60_000) });
  expect(await codeOf(verifyVideoToken(secrets, account))).toBe('forbidden');
  expect(await codeOf(verifyAccountToken(secrets, video))).toBe('forbidden');
  for (const verify of [verifyAccountToken, verifyVideoToken, verifyMediaCookie, verifyUserBearer]) {
    const own = { verifyAccountToken: account, verifyVideoToken: video, verifyMediaCookie: cookie, verifyUserBearer: bearer }[verify.name];
    for (const token of [account, video, bearer, cookie].filter((other) => other !== own)) {
      expect(['unauthenticated', 'forbidden']).toContain(await codeOf(verify(secrets, token)));
    }
  }
});

test('a token signed by the key before opens until its end, one by a key long gone does not', async () => {
  const token = await mintVideoToken(secrets, watch);
  const next = { kid: 'key-two', bytes: randomBytes(32) };
  expect(await verifyVideoToken({ ...secrets, signingKeys: [next, signingKey] }, token)).toMatchObject(watch);
  expect(await codeOf(verifyVideoToken({ ...secrets, signingKeys: [next] }, token))).toBe('unauthenticated');
});

test('a new key that every machine knows before any signs with it lets nobody out; one that is put first at once does', async () => {
  const next = { kid: 'key-two', bytes: randomBytes(32) };
  const steps = [[signingKey], [signingKey, next], [next, signingKey], [next]].map((signingKeys) => ({ ...secrets, signingKeys }));
  const opensAt = async (signs: Secrets, reads: Secrets) => codeOf(verifyVideoToken(reads, await mintVideoToken(signs, watch)));
  // The hour before the last one is for what the old key signed.
  for (const [before, after] of [steps.slice(0, 2), steps.slice(1, 3)])
    if (before && after) expect([await opensAt(after, before), await opensAt(before, after)]).toEqual(['opened', 'opened']);
  const [old, , swapped] = steps;
  expect(old && swapped && (await opensAt(swapped, old))).toBe('unauthenticated');
});

const videoClass = {
  typ: 'video+jwt',
  otherTyp: 'acct+jwt',
  claims: { vid: watch.videoId, sub: 'u1', sid: 's1', av: 3, aud: 'video-service' },
};
const forge = (payload: unknown) => forgeToken({ key: signingKey, known: videoClass }, payload);
const own = rightClaims(videoClass);

test('a hand-made token with the right key and content opens: the attacks below fail for what they change', async () => {
  expect(await verifyVideoToken(secrets, forge(own))).toMatchObject(watch);
});

test.each([
  ...forgedTokens(signingKey, videoClass),
  ['', 'no session', forge({ ...own, sid: undefined })],
  ['', 'one claim too many', forge({ ...own, scope: 'search thumb' })],
])('%s %s is refused', async (_id, _what, token) => {
  expect(['unauthenticated', 'token_expired']).toContain(await codeOf(verifyVideoToken(secrets, token)));
});

test('token-011 a signature with any one of its characters changed is refused, also by its padding bits', async () => {
  const good = forge(own);
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  for (let at = good.lastIndexOf('.') + 1; at < good.length; at++) {
    const flipped = alphabet[alphabet.indexOf(good[at] ?? '') ^ 1];
    expect(await codeOf(verifyVideoToken(secrets, good.slice(0, at) + flipped + good.slice(at + 1)))).toBe('unauthenticated');
  }
});

test('a token that is over says so, so that a client renews it instead of signing in', async () => {
  expect(await codeOf(verifyVideoToken(secrets, forge({ ...own, iat: own.iat - 600, exp: own.iat - 1 })))).toBe('token_expired');
});

test('a token that was opened before is over when its time is, and opens nothing by another key', async () => {
  // The clock stands from before the token is made: its seconds would otherwise turn over between two lines.
  vi.useFakeTimers({ toFake: ['Date'], now: nowSeconds() * 1_000 });
  try {
    const token = await mintAccountToken(secrets, { caller: 'c1', adminFields: false });
    await verifyAccountToken(secrets, token);
    const rotated = { ...secrets, signingKeys: [{ kid: 'key-one', bytes: randomBytes(32) }] };
    expect(await codeOf(verifyAccountToken(rotated, token))).toBe('unauthenticated');
    const altered = `${token.slice(0, -1)}${token.endsWith('A') ? 'E' : 'A'}`;
    expect(await codeOf(verifyAccountToken(secrets, altered))).toBe('unauthenticated');
    vi.setSystemTime(Date.now() + 3_599_000);
    expect(await codeOf(verifyAccountToken(secrets, token))).toBe('opened');
    vi.setSystemTime(Date.now() + 1_000);
    expect(await codeOf(verifyAccountToken(secrets, token))).toBe('token_expired');
  } finally {
    vi.useRealTimers();
  }
});

async function codeOf(attempt: Promise<unknown>): Promise<string> {
  return await attempt.then(
    () => 'opened',
    (error: unknown) => {
      if (error instanceof Problem) return error.code;
      throw error;
    },
  );
}
