import { AsyncLocalStorage } from 'node:async_hooks';
import { betterAuth } from 'better-auth';
import { genericOAuth } from 'better-auth/plugins/generic-oauth';
import { serverLimits } from '#contract/limits.ts';
import { Problem } from '#contract/problem.ts';
import type { Roles } from '#contract/roles.ts';
import type { Pool } from '../db/database.ts';
import { errorMessageOf } from '../system/error-message.ts';
import type { Secrets } from '../tokens/secrets.ts';
import { recordSignIn } from '../users/record-sign-in.ts';
import type { CookieStyle } from './cookie-style.ts';
import { readDiscovery, type SecretPlace, secretPlaceOf } from './discovery.ts';
import { failedCallbackPath } from './failed-callback-path.ts';
import { isIssuedForUs, isIssuer, isOfManyTenants } from './issuer.ts';
import type { Provider } from './providers.ts';
import { askWho, type Person, runWithinBounds } from './providers.ts';
import { nameSessionCookie, signInCookieName } from './session-cookie.ts';
import { startSession } from './sessions.ts';

export interface ProviderSignInOptions {
  /** Where this archive is: callback addresses begin with it. */
  readonly origin: string;
  readonly cookies: CookieStyle;
  readonly provider: Provider;
  /** How long a provider may take in all, in milliseconds. */
  readonly answersWithinMs: number;
  /** Roles that a person with this proved address starts with; nobody has any, except in practice. */
  readonly rolesOfNewUser: (email: string) => Roles;
  readonly report: (message: string) => void;
}

/** Who is on the way: written down with the session and the sign-up. */
interface Traveller {
  readonly userAgent: string;
  /** Network address. */
  readonly from: string;
}

export type ProviderSignIn = (request: Request, traveller: Traveller) => Promise<Response>;

const travellers = new AsyncLocalStorage<Traveller>();

/**
 * The redirects between us and a provider. The library proves who somebody is; people and sessions are ours.
 * Throws `unavailable` when the provider does not say where it is to be asked.
 */
export async function createProviderSignIn(pool: Pool, secrets: Secrets, options: ProviderSignInOptions): Promise<ProviderSignIn> {
  const { provider, answersWithinMs } = options;
  const { auth, context } = await runWithinBounds(answersWithinMs, async () => {
    const secretIn = await findSecretPlace(provider).catch((error: unknown) => {
      options.report(`${provider.id}: ${errorMessageOf(error)}`);
      throw makeNoAnswerProblem();
    });
    // It begins to ask for the provider's addresses as soon as it is made.
    const auth = makeLibrary(pool, secrets, { ...options, secretIn });
    return { auth, context: await auth.$context };
  });
  const [connected] = context.socialProviders;
  if (!connected) throw makeNoAnswerProblem();
  // Another's document would name another's keys.
  if (provider.protocol === 'openid' && provider.issuer !== undefined && !isIssuer(provider, connected.issuer)) {
    options.report(`${provider.id}: its discovery document is of the issuer ${connected.issuer}, not of ${provider.issuer}`);
    throw new Problem('unavailable', 'This provider is not set up correctly. Tell the administrator, or sign in another way.', {
      retryAfterSeconds: 60,
    });
  }
  checkIssuer(connected, provider);
  // Its own sessions are stored as they are; ours are stored as a hash and end by our rules.
  context.internalAdapter.createSession = async (userId) => {
    const { sid, secret } = await startSession(pool, userId, {
      userAgent: travellers.getStore()?.userAgent ?? '',
      signedInBy: provider.id,
    });
    const now = new Date();
    const expiresAt = new Date(now.getTime() + serverLimits.sessionCookieLifetimeSeconds * 1_000);
    return { id: sid, token: secret, userId, createdAt: now, updatedAt: now, expiresAt };
  };
  return (request, traveller) => travellers.run(traveller, () => runWithinBounds(answersWithinMs, () => auth.handler(request)));
}

/** Providers that are known are asked as they always were. */
async function findSecretPlace(provider: Provider): Promise<SecretPlace> {
  if (provider.protocol === 'oauth') return provider.secretIn;
  return provider.issuer === undefined ? 'body' : secretPlaceOf(await readDiscovery(provider.discoveryUrl));
}

function makeNoAnswerProblem(): Problem {
  return new Problem('unavailable', 'This provider does not answer. Try again in a moment.', { retryAfterSeconds: 5 });
}

type LibraryOptions = ProviderSignInOptions & { readonly secretIn: SecretPlace };

function makeLibrary(pool: Pool, secrets: Secrets, options: LibraryOptions) {
  const { origin, provider, report } = options;
  return betterAuth({
    database: pool,
    ...tables,
    baseURL: origin,
    basePath: '/api/auth',
    secret: secrets.signInSecret,
    trustedOrigins: [origin],
    telemetry: { enabled: false },
    session: { ...tables.session, expiresIn: serverLimits.sessionCookieLifetimeSeconds },
    // The server counts requests itself, by rules of its own.
    rateLimit: { enabled: false },
    logger: {
      level: 'error',
      log: (_level, ...said) => report([provider.id, ...said.map(toText)].join(' ').trim().slice(0, serverLimits.providerLogMaxCharacters)),
    },
    onAPIError: { errorURL: origin + failedCallbackPath },
    advanced: {
      cookies: cookiesOf(options.cookies),
      // Our names carry their prefix already.
      useSecureCookies: false,
      // The tables are ours and migrated before: one that it never writes lacks its columns.
      database: { validateSchema: false },
    },
    plugins: [genericOAuth({ config: [configOf(pool, options)] })],
  });
}

/** What the library logs: a sentence, an error, or the status of an answer. */
function toText(said: unknown): string {
  if (typeof said === 'string') return said;
  if (said instanceof Error) return said.message;
  return typeof said === 'object' && said !== null && 'status' in said ? `status ${said.status}` : '';
}

const stamps = { createdAt: 'created_at', updatedAt: 'updated_at' };
const tables = {
  user: { modelName: 'users', fields: { ...stamps, emailVerified: 'email_verified' } },
  // Nothing is ever written by these names: see createSession.
  session: { modelName: 'sessions', fields: { userId: 'user_id', token: 'token_hash' } },
  account: {
    modelName: 'accounts',
    updateAccountOnSignIn: false,
    // People and their accounts are made before it looks for them, by rules of our own: it finds them and does no more.
    accountLinking: { enabled: false },
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
    session_token: { name: nameSessionCookie(style), attributes: { ...attributes, maxAge: serverLimits.sessionCookieLifetimeSeconds } },
    state: { name: signInCookieName(style), attributes },
  };
}

function configOf(pool: Pool, options: LibraryOptions) {
  const { provider } = options;
  const { id, clientId, clientSecret, prompt, scopes } = provider;
  return {
    providerId: id,
    clientId,
    clientSecret,
    scopes: [...scopes],
    pkce: true,
    disableSignUp: true,
    ...(prompt && { prompt }),
    ...endpointsOf(provider),
    tokenEndpointAuth: { method: methods[options.secretIn] },
    accountSubject: ({ profile }: { profile: { id?: string | number | null | undefined } }) => profile.id ?? '',
    // Called at every sign-in, once signature, audience, issuer and nonce of an ID token have been checked.
    getUserInfo: async (tokens: { idToken?: string | undefined; accessToken?: string | undefined }) => {
      const person = await askWho(provider, tokens).catch((error: unknown) => {
        options.report(`${id}: ${error}`);
        return null;
      });
      return person && (await welcome(pool, options, person));
    },
  };
}

const methods = { header: 'client_secret_basic', body: 'client_secret_post' } as const;

function endpointsOf(provider: Provider) {
  if (provider.protocol === 'openid') return { discoveryUrl: provider.discoveryUrl, requireIdTokenVerification: true };
  const { authorizationUrl, tokenUrl } = provider;
  return { authorizationUrl, tokenUrl };
}

/** Writes the sign-in down; what comes back makes the library find that very account, and match nobody by an address. */
async function welcome(pool: Pool, { provider, rolesOfNewUser }: ProviderSignInOptions, { accountId, ...profile }: Person) {
  const from = travellers.getStore()?.from ?? '';
  const uid = await recordSignIn(pool, { account: { providerId: provider.id, accountId }, profile, from, rolesOfNewUser });
  return { id: accountId, name: profile.name, email: `${uid}@account.invalid`, emailVerified: false };
}

interface Connected {
  issuer?: string | undefined;
  idToken?: object | undefined;
}

/** The library compares issuers as they stand; this adds what tokens of one tenant among many have to say. */
function checkIssuer(connected: Connected, provider: Provider): void {
  const { issuer } = connected;
  if (provider.protocol !== 'openid' || !issuer || !connected.idToken) return;
  const isMany = isOfManyTenants(issuer);
  Object.assign(connected.idToken, {
    verifyClaims: (claims: Record<string, unknown>) => isIssuedForUs(claims, provider, issuer),
    ...(isMany && { issuer: undefined }),
  });
  if (isMany) connected.issuer = undefined;
}
