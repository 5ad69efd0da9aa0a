import { randomBytes } from 'node:crypto';
import { createSignIn, type SignIn } from '#domain/signin/create-sign-in.ts';
import type { Provider } from '#domain/signin/providers.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';
import { startTestProvider, type TestProvider } from './test-provider.ts';

export interface TestSignIn {
  readonly database: TestDatabase;
  readonly provider: TestProvider;
  /** The sign-in of an archive without users, at a provider that is up and answers as usual. */
  startAnew(microsoft?: { tenant: string }): Promise<SignIn>;
  stop(): Promise<void>;
}

/** Where the browser of a test is. */
export const visit = { origin: 'https://archive.example', userAgent: 'A browser', from: '192.0.2.1' };

/** How long a provider may take in these tests. */
const answersWithinMs = 1_000;

/** A database and a provider on this machine that is all five; only Google and the operator's own prove addresses. */
export async function prepareSignIn(): Promise<TestSignIn> {
  const database = await createTestDatabase();
  const provider = await startTestProvider();
  const secrets = { signingKeys: [], thumbnailKey: randomBytes(32), signInSecret: randomBytes(32).toString('base64url') };
  return {
    database,
    provider,
    startAnew: async (microsoft = { tenant: 'consumers' }) => {
      await database.pool.query('delete from users');
      provider.reset();
      return await createSignIn(database.pool, secrets, {
        publicUrl: visit.origin,
        providersAt: () => providersAt(provider.base, microsoft.tenant),
        rolesOfNewUser: () => ({}),
        answersWithinMs,
        report: () => {},
      });
    },
    stop: async () => {
      provider.stop();
      await database.drop();
    },
  };
}

function providersAt(base: string, tenant: string): Provider[] {
  const client = { clientId: 'client', clientSecret: 'secret', scopes: ['openid'], userInfoUrl: `${base}/userinfo`, provesEmail: false };
  const openId = { ...client, protocol: 'openid', discoveryUrl: `${base}/.well-known/openid-configuration` } as const;
  const oauth = { ...client, protocol: 'oauth', authorizationUrl: `${base}/auth`, tokenUrl: `${base}/token`, secretIn: 'body' } as const;
  return [
    { ...openId, id: 'google', provesEmail: true, prompt: 'select_account' },
    { ...openId, id: 'microsoft', tenant },
    { ...openId, id: 'oidc', issuer: base, userInfoUrl: null, provesEmail: true },
    { ...oauth, id: 'facebook', answersAs: 'facebook' },
    { ...oauth, id: 'twitter', answersAs: 'twitter' },
  ];
}
