import { betterAuth } from 'better-auth';
import { genericOAuth } from 'better-auth/plugins/generic-oauth';
import type { Roles } from '#contract/roles.ts';
import type { Pool } from '../db/database.ts';
import type { Secrets } from '../tokens/secrets.ts';
import { mergeProfile } from '../users/merge-profile.ts';
import { setRoles } from '../users/set-roles.ts';
import type { CookieStyle } from './cookie-style.ts';
import { failedCallbackPath } from './failed-callback-path.ts';
import type { Provider } from './providers.ts';
import { readClaims } from './read-claims.ts';
import { sessionCookieMaxAgeSeconds, sessionCookieName } from './session-cookie.ts';
import { startSession } from './sessions.ts';

export interface ProviderSignInOptions {
  /** Where this archive is: callback addresses begin with it. */
  readonly origin: string;
  readonly cookies: CookieStyle;
  readonly providers: readonly Provider[];
  /** Roles that a person starts with; nobody has any, except in practice. */
  readonly rolesOfNewUser: (email: string) => Roles;
  readonly report: (message: string) => void;
}

export interface ProviderSignIn {
  readonly handler: (request: Request) => Promise<Response>;
  /** Providers that answered when they were asked for their addresses. */
  readonly providerIds: readonly string[];
}

/** The redirects between us and the providers. The library proves who somebody is; sessions are ours. */
export async function createProviderSignIn(pool: Pool, secrets: Secrets, options: ProviderSignInOptions): Promise<ProviderSignIn> {
  const auth = betterAuth({
    database: pool,
    ...tables,
    baseURL: options.origin,
    basePath: '/api/auth',
    secret: secrets.signInSecret,
    trustedOrigins: [options.origin],
    telemetry: { enabled: false },
    session: { ...tables.session, expiresIn: sessionCookieMaxAgeSeconds },
    // The server counts requests itself, by rules of its own.
    rateLimit: { enabled: false },
    logger: { level: 'error', log: (_level, message) => options.report(message) },
    onAPIError: { errorURL: options.origin + failedCallbackPath },
    advanced: {
      cookies: cookiesOf(options.cookies),
      // Our names carry their prefix already.
      useSecureCookies: false,
      // The tables are ours and migrated before: one that it never writes lacks its columns.
      database: { validateSchema: false },
    },
    databaseHooks: hooksOf(pool, options.rolesOfNewUser),
    plugins: [genericOAuth({ config: options.providers.map((provider) => configOf(pool, provider)) })],
  });
  const context = await auth.$context;
  // Its own sessions are stored as they are; ours are stored as a hash and end by our rules.
  context.internalAdapter.createSession = async (userId) => {
    const { sid, secret } = await startSession(pool, userId);
    const now = new Date();
    const expiresAt = new Date(now.getTime() + sessionCookieMaxAgeSeconds * 1_000);
    return { id: sid, token: secret, userId, createdAt: now, updatedAt: now, expiresAt };
  };
  return { handler: auth.handler, providerIds: context.socialProviders.map((provider) => provider.id) };
}

const stamps = { createdAt: 'created_at', updatedAt: 'updated_at' };
const tables = {
  user: { modelName: 'users', fields: { ...stamps, emailVerified: 'email_verified' } },
  // Nothing is ever written by these names: see createSession.
  session: { modelName: 'sessions', fields: { userId: 'user_id', token: 'token_hash' } },
  account: {
    modelName: 'accounts',
    updateAccountOnSignIn: false,
    fields: {
      ...stamps,
      userId: 'user_id',
      accountId: 'account_id',
      providerId: 'provider_id',
      accessToken: 'access_token',
      refreshToken: 'refresh_token',
      idToken: 'id_token',
      accessTokenExpiresAt: 'access_token_expires_at',
      refreshTokenExpiresAt: 'refresh_token_expires_at',
    },
  },
  verification: { modelName: 'verifications', fields: { ...stamps, expiresAt: 'expires_at' } },
};

function cookiesOf(style: CookieStyle) {
  const attributes = { secure: style.secure, httpOnly: true, sameSite: 'lax', path: '/' } as const;
  return {
    session_token: { name: sessionCookieName(style), attributes: { ...attributes, maxAge: sessionCookieMaxAgeSeconds } },
    state: { name: `${style.prefix}sign-in`, attributes },
  };
}

function hooksOf(pool: Pool, rolesOfNewUser: (email: string) => Roles) {
  const noTokens = { accessToken: null, refreshToken: null, idToken: null, accessTokenExpiresAt: null, refreshTokenExpiresAt: null };
  return {
    user: {
      create: {
        after: async (user: { id: string; email: string }) => {
          const roles = rolesOfNewUser(user.email);
          if (Object.keys(roles).length > 0) await setRoles(pool, user.id, roles);
        },
      },
    },
    // We ask a provider who somebody is and nothing else, so what opens more is thrown away.
    account: { create: { before: async <A extends object>(account: A) => ({ data: { ...account, ...noTokens } }) } },
  };
}

function configOf(pool: Pool, provider: Provider) {
  const { id, clientId, clientSecret, discoveryUrl, prompt } = provider;
  return {
    providerId: id,
    clientId,
    clientSecret,
    discoveryUrl,
    prompt,
    requireIdTokenVerification: true,
    scopes: ['openid', 'email', 'profile'],
    pkce: true,
    // Called at every sign-in, once signature, audience, issuer and nonce of the ID token have been checked.
    getUserInfo: async ({ idToken }: { idToken?: string | undefined }) => {
      const person = idToken ? readClaims(idToken, provider) : null;
      if (person) await mergeProfile(pool, { providerId: id, accountId: person.sub }, person);
      return person && { ...person, id: person.sub };
    },
  };
}
