import { createHmac, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { Problem } from '#contract/problem.ts';
import { mintAccountToken, verifyAccountToken } from './account-token.ts';
import { signMediaCookie, verifyMediaCookie } from './media-cookie.ts';
import type { Secrets } from './secrets.ts';
import { mintUserBearer, verifyUserBearer } from './user-bearer.ts';
import { mintVideoToken, verifyVideoToken } from './video-token.ts';

const signingKey = { kid: 'key-one', bytes: randomBytes(32) };
const secrets: Secrets = { signingKeys: [signingKey], thumbnailKey: randomBytes(32), signInSecret: '' };
const watch = { videoId: '00112233ff', uid: 'u1', sid: 's1', authVersion: 3 };
const nowSeconds = () => Math.floor(Date.now() / 1_000);

test('every class of token says what was put into it', async () => {
  const account = { caller: 'c1', adminFields: true, sid: 's1' };
  expect(await verifyAccountToken(secrets, await mintAccountToken(secrets, account))).toEqual(account);
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

const header = { alg: 'HS256', typ: 'video+jwt', kid: signingKey.kid };
const claims = () => ({
  vid: watch.videoId,
  sub: 'u1',
  sid: 's1',
  av: 3,
  iss: 'rushes',
  aud: 'video-service',
  iat: nowSeconds(),
  exp: nowSeconds() + 600,
});
const part = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** A token with any header and payload, signed with our own key unless told otherwise. */
function forge(payload: unknown, options: { header?: unknown; key?: Uint8Array; hash?: string } = {}): string {
  const signed = `${part(options.header ?? header)}.${part(payload)}`;
  return `${signed}.${createHmac(options.hash ?? 'sha256', options.key ?? signingKey.bytes)
    .update(signed)
    .digest('base64url')}`;
}

test('a hand-made token with the right key and content opens: the attacks below fail for what they change', async () => {
  expect(await verifyVideoToken(secrets, forge(claims()))).toMatchObject(watch);
});

const own = claims();
const good = forge(own);
const unsigned = good.slice(0, good.lastIndexOf('.'));
const attacks: Record<string, string> = {
  'token-002 empty': '',
  'token-003 garbage': 'abc',
  'token-004 two parts': 'h.p',
  'token-005 four parts': `${good}.x`,
  'token-006 alg none': `${part({ alg: 'none', typ: 'video+jwt' })}.${part(own)}.`,
  'token-007 alg nOnE': `${part({ alg: 'nOnE', typ: 'video+jwt', kid: signingKey.kid })}.${part(own)}.`,
  'token-008 no alg': forge(own, { header: {} }),
  'token-009 HS384': forge(own, { header: { ...header, alg: 'HS384' }, hash: 'sha384' }),
  'token-009 HS512': forge(own, { header: { ...header, alg: 'HS512' }, hash: 'sha512' }),
  'token-009 RS256': forge(own, { header: { ...header, alg: 'RS256' } }),
  'token-010 empty signature': `${unsigned}.`,
  'token-012 another key': forge(own, { key: randomBytes(32) }),
  'token-013 padded signature': `${good}=`,
  'token-014 trailing letter': `${good}A`,
  'token-014 trailing space': `${good} `,
  'token-014 trailing NUL': `${good}\0`,
  'token-016 kid of a path': forge(own, { header: { ...header, kid: '../../../../dev/null' }, key: new Uint8Array(32) }),
  'token-016 kid of a query': forge(own, { header: { ...header, kid: "' OR 1=1" } }),
  'token-017 key in the header': forge(own, { header: { ...header, jwk: { kty: 'oct', k: part('k') } } }),
  'token-017 address of keys': forge(own, { header: { ...header, jku: 'http://127.0.0.1:1/' } }),
  'token-018 unknown crit': forge(own, { header: { ...header, crit: ['x'] } }),
  'token-019 zip': forge(own, { header: { ...header, zip: 'DEF' } }),
  'token-020 typ of the other class': forge(own, { header: { ...header, typ: 'acct+jwt' } }),
  'token-021 expired a second ago': forge({ ...own, iat: own.iat - 600, exp: own.iat - 1 }),
  'token-022 expired a year ago': forge({ ...own, iat: own.iat - 31_536_600, exp: own.iat - 31_536_000 }),
  'token-023 no exp': forge({ ...own, exp: undefined }),
  'token-024 exp as text': forge({ ...own, exp: String(own.exp) }),
  'token-024 exp with a fraction': forge({ ...own, exp: own.exp + 0.5 }),
  'token-024 negative exp': forge({ ...own, exp: -1 }),
  'token-024 endless exp': forge({ ...own, exp: 1e308 }),
  'token-025 not yet': forge({ ...own, nbf: own.iat + 3_600 }),
  'token-026 made in the future': forge({ ...own, iat: own.iat + 3_600, exp: own.iat + 7_200 }),
  'token-027 lives too long': forge({ ...own, exp: own.iat + 3_701 }),
  'token-028 no audience': forge({ ...own, aud: undefined }),
  'token-028 other audience': forge({ ...own, aud: 'functions' }),
  'token-028 list of audiences': forge({ ...own, aud: ['video-service', 'functions'] }),
  'token-029 other issuer': forge({ ...own, iss: 'somebody' }),
  'token-051 list of videos': forge({ ...own, vid: ['00112233ff', '00112233fe'] }),
  'token-052 any video': forge({ ...own, vid: '*' }),
  'token-055 a claim twice': forge(JSON.stringify(own).replace('"vid"', '"vid":"00112233fe","vid"')),
  'token-056 claims in the prototype': forge(`{"__proto__":{"scope":"all"},${JSON.stringify(own).slice(1)}`),
  'token-057 huge': 'a'.repeat(100_000),
  'token-058 a token in a token': forge(good, { header: { ...header, cty: 'JWT' } }),
  'no session': forge({ ...own, sid: undefined }),
  'one claim too many': forge({ ...own, scope: 'search thumb' }),
};

test.each(Object.entries(attacks))('%s is refused', async (_name, token) => {
  expect(['unauthenticated', 'token_expired']).toContain(await codeOf(verifyVideoToken(secrets, token)));
});

test('token-011 a signature with any one of its characters changed is refused, also by its padding bits', async () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  for (let at = unsigned.length + 1; at < good.length; at++) {
    const flipped = alphabet[alphabet.indexOf(good[at] ?? '') ^ 1];
    expect(await codeOf(verifyVideoToken(secrets, good.slice(0, at) + flipped + good.slice(at + 1)))).toBe('unauthenticated');
  }
});

test('a token that is over says so, so that a client renews it instead of signing in', async () => {
  expect(await codeOf(verifyVideoToken(secrets, forge({ ...own, iat: own.iat - 600, exp: own.iat - 1 })))).toBe('token_expired');
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
