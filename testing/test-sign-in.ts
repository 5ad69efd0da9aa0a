import { randomBytes } from 'node:crypto';
import { createSignIn, type SignIn } from '#domain/signin/create-sign-in.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';
import { startTestProvider, type TestProvider } from './test-provider.ts';

export interface TestSignIn {
  readonly database: TestDatabase;
  readonly provider: TestProvider;
  /** The sign-in of an archive without users, at a provider that is up and answers as usual. */
  startAnew(): Promise<SignIn>;
  stop(): Promise<void>;
}

/** Where the browser of a test is. */
export const visit = { origin: 'https://archive.example', userAgent: '' };

/** A database and a provider on this machine; Google proves addresses, Microsoft does not. */
export async function prepareSignIn(): Promise<TestSignIn> {
  const database = await createTestDatabase();
  const provider = await startTestProvider();
  const secrets = { signingKeys: [], thumbnailKey: randomBytes(32), signInSecret: randomBytes(32).toString('base64url') };
  const base = { discoveryUrl: provider.discoveryUrl, clientId: 'client', clientSecret: 'secret', prompt: 'select_account' } as const;
  return {
    database,
    provider,
    startAnew: async () => {
      await database.pool.query('delete from users');
      Object.assign(provider, { isUp: true, claims: {}, header: {}, sign: undefined });
      return await createSignIn(database.pool, secrets, {
        publicUrl: visit.origin,
        providersAt: () => [
          { ...base, id: 'google', provesEmail: true },
          { ...base, id: 'microsoft', provesEmail: false },
        ],
        rolesOfNewUser: () => ({}),
        report: () => {},
      });
    },
    stop: async () => {
      provider.stop();
      await database.drop();
    },
  };
}
