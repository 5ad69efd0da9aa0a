import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { sql } from '#domain/db/sql.ts';
import { setRoles } from '#domain/users/roles.ts';
import { brokenAnswers } from '#testing/broken-answers.ts';
import { readCorpus } from '#testing/corpus/read-corpus.ts';
import type { TestProvider } from '#testing/test-provider.ts';
import { prepareSignIn, type TestSignIn, visit } from '#testing/test-sign-in.ts';
import type { SignIn } from './create-sign-in.ts';
import { personalTenant } from './providers.ts';

let prepared: TestSignIn;
let provider: TestProvider;
beforeAll(async () => {
  prepared = await prepareSignIn();
  provider = prepared.provider;
});
afterAll(() => prepared.stop());

const ids = ['google', 'microsoft', 'facebook', 'twitter', 'oidc'] as const;

/**
 * What becomes of somebody who comes while two are known: Ann, an administrator who signed in by Google, and Other, whose address was
 * proved in another way. Refused, a person of their own, or one of the two.
 */
interface Visitor {
  readonly what: string;
  readonly by?: (typeof ids)[number];
  readonly tenant?: string;
  readonly claims?: Record<string, unknown>;
  readonly userInfo?: unknown;
  readonly lies?: (provider: TestProvider) => unknown;
  readonly becomes: 'refused' | 'somebody else' | 'Ann' | 'Other';
  /** The user that they are then. */
  readonly as?: Record<string, unknown>;
}

const ann = 'ann@example.test';
const taken = 'taken@example.test';
const unproved = { email: ann, email_verified: false, roles: {} };
const header = (over: Record<string, unknown>) => (of: TestProvider) => Object.assign(of, { header: over });
const ours = '0f0e0d0c-0b0a-4908-8706-050403020100';
const theirs = '10111213-1415-4617-9819-1a1b1c1d1e1f';
const perTenant = (of: TestProvider) => Object.assign(of, { issuer: `${of.base}/{tenantid}/v2.0` });
const fromTenant =
  (tid: string, issuedBy = tid) =>
  (of: TestProvider) => {
    perTenant(of);
    of.claims = { sub: 'mallory', tid, iss: `${of.base}/${issuedBy}/v2.0` };
  };
const personOf = (sub: string) => ({ claims: { sub, email: undefined, name: undefined } });

const visitors: Record<string, Visitor[]> = {
  'claims-025': [
    { what: 'unproved address of an administrator', claims: { sub: 'm', email_verified: false }, becomes: 'somebody else', as: unproved },
  ],
  'claims-026': [
    { what: 'address without a word on it', claims: { sub: 'm', email_verified: undefined }, becomes: 'somebody else', as: unproved },
    { what: 'Microsoft', by: 'microsoft', claims: { sub: 'm', email_verified: true }, becomes: 'somebody else', as: unproved },
    {
      what: 'Twitter',
      by: 'twitter',
      userInfo: { data: { id: '7', name: 'M', confirmed_email: ann } },
      becomes: 'somebody else',
      as: unproved,
    },
    { what: 'Facebook', by: 'facebook', userInfo: { id: '7', name: 'M', email: ann }, becomes: 'somebody else', as: unproved },
  ],
  'claims-027': [
    {
      what: '"true" as text, where true would do',
      claims: { sub: 'm', email: taken, email_verified: 'true' },
      becomes: 'somebody else',
      as: { email_verified: false },
    },
    { what: 'true', claims: { sub: 'm', email: taken, email_verified: true }, becomes: 'Other', as: { id: 'other' } },
    { what: '"true" as text', claims: { sub: 'm', email_verified: 'true' }, becomes: 'somebody else', as: unproved },
  ],
  'claims-028': [
    { what: 'Facebook', by: 'facebook', userInfo: { id: '7', name: 'Bea' }, becomes: 'somebody else', as: { email: null, name: 'Bea' } },
    {
      what: 'Twitter',
      by: 'twitter',
      userInfo: { data: { id: '7', name: ' ' } },
      becomes: 'somebody else',
      as: { email: null, name: 'Newcomer' },
    },
    { what: 'Google', ...personOf('m'), userInfo: { sub: 'm' }, becomes: 'somebody else', as: { email: null, name: 'Newcomer' } },
    {
      what: 'an address that is none',
      claims: { sub: 'm', email: 'a@x.example, b@x.example' },
      userInfo: { sub: 'm' },
      becomes: 'somebody else',
      as: { email: null },
    },
  ],
  'claims-029': [
    { what: 'not proved', claims: { email: 'new@example.test', email_verified: false }, becomes: 'Ann', as: { email: ann } },
    { what: 'proved', claims: { email: 'New@example.test' }, becomes: 'Ann', as: { email: 'new@example.test', roles: { admin: true } } },
    { what: "proved, somebody else's", claims: { email: taken }, becomes: 'Ann', as: { email: ann } },
  ],
  'claims-030': [
    { what: 'not proved', claims: { sub: 'm', email_verified: false }, becomes: 'somebody else', as: unproved },
    { what: 'proved', claims: { sub: 'm' }, becomes: 'somebody else', as: unproved },
  ],
  'claims-031': [
    { what: 'Microsoft', by: 'microsoft', claims: { sub: 'ann' }, becomes: 'somebody else', as: unproved },
    { what: 'Facebook', by: 'facebook', userInfo: { id: 'ann' }, becomes: 'somebody else' },
  ],
  'claims-032': [7, '', 'x'.repeat(10_000), 'ann\0', undefined].flatMap((sub): Visitor[] => [
    { what: `Google ${typeof sub}`, claims: { sub }, becomes: 'refused' },
    { what: `Facebook ${typeof sub}`, by: 'facebook', userInfo: { id: sub }, becomes: 'refused' },
  ]),
  'claims-033': [{ what: 'ANN', claims: { sub: 'ANN', email_verified: false }, becomes: 'somebody else' }],
  'claims-034': [{ what: 'aud', claims: { aud: 'somebody-else' }, becomes: 'refused' }],
  'claims-035': [{ what: 'iss', claims: { iss: 'https://evil.example' }, becomes: 'refused' }],
  'claims-036': [{ what: 'nonce', claims: { nonce: 'replayed' }, becomes: 'refused' }],
  'claims-037': [{ what: 'no nonce', claims: { nonce: undefined }, becomes: 'refused' }],
  'claims-038': [{ what: 'exp', claims: { exp: 1 }, becomes: 'refused' }],
  'claims-039': [{ what: 'iat', claims: { iat: Math.floor(Date.now() / 1_000) + 3_600 }, becomes: 'refused' }],
  'claims-040': [
    { what: 'none', lies: (of) => (of.sign = (claims) => Promise.resolve(new UnsecuredJWT(claims).encode())), becomes: 'refused' },
    { what: 'no token at all', lies: (of) => (of.sign = () => Promise.resolve('')), becomes: 'refused' },
  ],
  'claims-041': [
    {
      what: 'the public key as a secret',
      lies: (of) =>
        (of.sign = (claims, pem) => new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'one' }).sign(Buffer.from(pem))),
      becomes: 'refused',
    },
  ],
  'claims-042': [{ what: 'kid', lies: header({ kid: 'two' }), becomes: 'refused' }],
  'claims-043': ['../../dev/null', 'http://127.0.0.1/key'].map((kid) => ({ what: kid, lies: header({ kid }), becomes: 'refused' })),
  'claims-044': ['jku', 'x5u'].map((name) => ({ what: name, lies: signedElsewhere(name), becomes: 'refused' })),
  'claims-045': [
    ...['javascript:alert(1)', 'data:text/html,x', 'http://127.0.0.1/x', `https://x.example/${'x'.repeat(500_000)}`].map(
      (picture): Visitor => ({ what: picture.slice(0, 20), claims: { picture }, becomes: 'Ann', as: { image: null } }),
    ),
    { what: 'too large to be read', claims: { picture: 'x'.repeat(5_000_000) }, becomes: 'refused' },
  ],
  'claims-046': [
    { what: 'RTL', claims: { name: 'Ann\u202egpj.exe\u0007' }, becomes: 'Ann', as: { name: 'Anngpj.exe' } },
    {
      what: 'HTML',
      claims: { name: '<b>Ann</b>', roles: { editor: true } },
      becomes: 'Ann',
      as: { name: '<b>Ann</b>', roles: { admin: true } },
    },
    { what: '10 kB', claims: { name: 'x'.repeat(10_000) }, becomes: 'Ann', as: { name: 'x'.repeat(80) } },
  ],
  'claims-047': Object.entries(brokenAnswers).flatMap(([what, answer]): Visitor[] => [
    ...ids.map((by): Visitor => ({ what: `${by}, ${what}`, by, lies: (of) => of.answers.set('/token', answer), becomes: 'refused' })),
    { what: `keys, ${what}`, by: 'microsoft', lies: (of) => of.answers.set('/jwks', answer), becomes: 'refused' },
    { what: `user info, ${what}`, by: 'twitter', lies: (of) => of.answers.set('/userinfo', answer), becomes: 'refused' },
  ]),
  // The operator's own tells all of it in its token: nothing else is asked.
  'claims-048': [
    {
      what: 'another sub',
      by: 'google',
      claims: { email: undefined },
      userInfo: { sub: 'm', email: ann, email_verified: true },
      becomes: 'refused',
    },
    {
      what: 'the same sub',
      by: 'google',
      claims: { email: undefined },
      userInfo: { sub: 'ann', email: 'n@x.example', email_verified: true },
      becomes: 'Ann',
      as: { email: 'n@x.example' },
    },
  ],
  'claims-049': [
    { what: 'azp', claims: { azp: 'somebody-else' }, becomes: 'refused' },
    { what: 'one tenant, ours', by: 'microsoft', tenant: ours, claims: { sub: 'm', tid: ours }, becomes: 'somebody else' },
    { what: 'one tenant, theirs', by: 'microsoft', tenant: ours, claims: { sub: 'm', tid: theirs }, becomes: 'refused' },
    { what: 'any tenant', by: 'microsoft', tenant: 'common', lies: fromTenant(theirs), becomes: 'somebody else' },
    { what: "another's issuer", by: 'microsoft', tenant: 'common', lies: fromTenant(theirs, ours), becomes: 'refused' },
    { what: 'no tenant', by: 'microsoft', tenant: 'common', lies: perTenant, becomes: 'refused' },
    { what: 'organizations, theirs', by: 'microsoft', tenant: 'organizations', lies: fromTenant(theirs), becomes: 'somebody else' },
    { what: 'organizations, personal', by: 'microsoft', tenant: 'organizations', lies: fromTenant(personalTenant), becomes: 'refused' },
  ],
};

const Answer = z.object({ id: z.string(), provider: z.string().optional() });
const answers = readCorpus('oauth', Answer).filter((entry) => entry.provider !== undefined);

test('every one of the 25 answers of the corpus is tried', () => {
  expect(answers.map(({ id }) => id)).toEqual(Object.keys(visitors).sort());
  expect(answers.length).toBe(25);
});

/** What Google is held to, a provider that the operator names is held to as well. */
const ofEvery = (visitor: Visitor): Visitor[] =>
  visitor.by === undefined ? [visitor, { ...visitor, by: 'oidc', what: `oidc, ${visitor.what}` }] : [visitor];

test.each(answers.flatMap((entry) => (visitors[entry.id] ?? []).flatMap(ofEvery).map((visitor) => ({ ...entry, ...visitor }))))(
  'an answer makes nobody somebody else: $id $provider: $what',
  async ({ id, by = 'google', tenant = 'consumers', becomes, as = {}, ...said }) => {
    const signIn = await prepared.startAnew({ tenant });
    await knowAnn(signIn, by === 'oidc' ? 'oidc' : 'google');
    Object.assign(provider, { claims: said.claims ?? {}, userInfo: said.userInfo ?? null });
    said.lies?.(provider);
    const asked = provider.asked.length;
    const { location, cookies, hasSignedIn } = await walk(signIn, by);
    expect([hasSignedIn, cookies.join().includes('sid=')]).toEqual([becomes !== 'refused', becomes !== 'refused']);
    expect(cookies.join()).toMatch(/__Host-sign-in=;[^,]*Max-Age=0/);
    if (becomes === 'refused') expect(location).toMatch(/\/sign-in\/popup-done\?error=(unable_to_get_user_info|invalid_code)$/);
    const people = await everybody();
    expect(people).toHaveLength(becomes === 'somebody else' ? 3 : 2);
    if (becomes !== 'refused') expect(await whoCame()).toMatchObject({ isAnn: becomes === 'Ann', ...as });
    if (id === 'claims-042') expect(provider.asked.slice(asked).filter((path) => path === '/jwks').length).toBeLessThanOrEqual(1);
    expect(provider.asked.slice(asked)).not.toContain('/elsewhere');
  },
);

test.each(ids)('an ordinary answer of %s signs in, twice as the same person', async (id) => {
  const signIn = await prepared.startAnew();
  provider.userInfo = { id: '7', name: 'Bea', data: { id: '7', name: 'Bea' } };
  for (let n = 0; n < 2; n++) expect((await walk(signIn, id)).location).toBe('https://archive.example/search?query=x');
  expect(await everybody()).toHaveLength(1);
  const { rows } = await prepared.database.pool.query('select user_agent, signed_in_by from sessions');
  expect(rows).toEqual([1, 2].map(() => ({ user_agent: visit.userAgent, signed_in_by: id })));
  const { rows: audit } = await prepared.database.pool.query(sql`
    select action, came_from from audit where subject_uid = (select id from users)`);
  expect(audit).toEqual([{ action: 'signed-up', came_from: visit.from }]);
});

test('who comes twice at once for the first time is one person', async () => {
  const signIn = await prepared.startAnew();
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => walk(signIn, 'google')));
  expect(outcomes.filter(({ hasSignedIn }) => hasSignedIn)).toHaveLength(8);
  expect(await everybody()).toHaveLength(1);
});

test('a name that somebody chose here stays, whatever their provider says', async () => {
  const signIn = await prepared.startAnew();
  await knowAnn(signIn);
  await prepared.database.pool.query("update users set name = 'Annie', chose_name = true");
  await walk(signIn, 'google');
  expect(await whoCame()).toMatchObject({ name: 'Annie' });
});

test('another name or address that a provider comes with is written down, once', async () => {
  const signIn = await prepared.startAnew();
  await walk(signIn, 'google');
  provider.claims = { name: 'Ada Admin', email: 'new@example.test' };
  for (let n = 0; n < 2; n++) await walk(signIn, 'google');
  const { rows } = await prepared.database.pool.query(sql`
    select action, detail, subject_email as address, came_from from audit where subject_uid = (select id from users) order by id`);
  const known = { address: 'ann@example.test', came_from: visit.from };
  expect(rows).toEqual([
    { ...known, action: 'signed-up', detail: '' },
    { ...known, action: 'name-changed', detail: 'Ada Admin' },
    { ...known, action: 'email-changed', detail: 'new@example.test' },
  ]);
});

/** Ann has signed in before and is an administrator; somebody else has an address of their own. */
async function knowAnn(signIn: SignIn, by: 'google' | 'oidc' = 'google'): Promise<void> {
  await walk(signIn, by);
  const { pool } = prepared.database;
  const { rows } = await pool.query<{ id: string }>('select id from users');
  await setRoles(pool, rows[0]?.id ?? '', { admin: true });
  await pool.query("insert into users (id, email, email_verified, name) values ('other', 'taken@example.test', true, 'Other')");
}

async function walk(signIn: SignIn, id: string) {
  const { location, cookies } = await signIn.start(visit, { provider: id, done: '/search?query=x', failed: '/sign-in/popup-done' });
  const cookie = cookies.map((one) => one.split(';')[0]).join('; ');
  return await signIn.finish(visit, { ...provider.consent(location), cookie });
}

async function everybody(): Promise<unknown[]> {
  return (await prepared.database.pool.query('select id from users')).rows;
}

/** The user of the newest session; Ann is the one who signed up first. */
async function whoCame(): Promise<unknown> {
  const { rows } = await prepared.database.pool.query(sql`
    select u.*, u.roles @> '{"admin": true}' as "isAnn"
      from sessions s join users u on u.id = s.user_id order by s.created_at desc limit 1`);
  return rows[0];
}

function signedElsewhere(name: string): (of: TestProvider) => void {
  return (of) => {
    of.sign = async (claims) => {
      const { privateKey } = await generateKeyPair('RS256');
      return await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'three', [name]: `${of.base}/elsewhere` }).sign(privateKey);
    };
  };
}
