import { Problem } from '#contract/problem.ts';
import type { Roles } from '#contract/roles.ts';
import type { Pool } from '../db/database.ts';
import type { Secrets } from '../tokens/secrets.ts';
import { isPlainCallback } from './callback-query.ts';
import { cookieStyle } from './cookie-style.ts';
import { failedCallbackPath } from './failed-callback-path.ts';
import type { ProviderSignIn, ProviderSignInOptions } from './provider-sign-in.ts';
import type { Provider } from './providers.ts';
import { readSessionCookie, sessionCookieName } from './session-cookie.ts';
import { findSessionBySecret, type LiveSession, sweepSignIn } from './sessions.ts';

export interface SignInOptions {
  /** Origin of the archive; cookies follow its protocol. */
  readonly publicUrl: string;
  /** The providers as they are reached from an origin of ours; in practice mode they stand at that same origin. */
  readonly providersAt: (origin: string) => readonly Provider[];
  readonly rolesOfNewUser: (email: string) => Roles;
  readonly report: (message: string) => void;
}

/** Where a visitor of ours is: decides callback addresses and cookies. */
export interface Visit {
  readonly origin: string;
  readonly userAgent: string;
}

/** What a browser brings back from a provider. */
export interface Callback {
  readonly provider: string;
  readonly query: string;
  readonly cookie: string;
}

export interface SignIn {
  /** Where to send the browser, and the cookie that binds the way back to this browser. */
  start(visit: Visit, to: { provider: string; done: string; failed: string }): Promise<{ location: string; cookies: string[] }>;
  /** Takes a provider's callback: where to send the browser of what `start` was told, with the session's cookie when all went well. */
  finish(visit: Visit, callback: Callback): Promise<{ location: string; cookies: string[]; hasSignedIn: boolean }>;
  /** The living session of a request's cookie. */
  findSession(headers: Headers): Promise<LiveSession | null>;
}

/** Puts sign-in together. Providers are asked for their addresses when somebody first signs in, and again when they did not answer. */
export async function createSignIn(pool: Pool, secrets: Secrets, options: SignInOptions): Promise<SignIn> {
  await sweepSignIn(pool);
  const ready = new Map<string, Promise<ProviderSignIn>>();

  const at = ({ origin, userAgent }: Visit): { key: string; connecting: Promise<ProviderSignIn> } => {
    const cookies = cookieStyle(origin, userAgent);
    const key = `${origin} ${cookies.prefix}`;
    const connecting = ready.get(key) ?? connect(pool, secrets, { ...options, origin, cookies, providers: options.providersAt(origin) });
    ready.set(key, connecting);
    connecting.catch(() => ready.delete(key));
    return { key, connecting };
  };

  return {
    start: async (visit, to) => {
      if (!options.providersAt(visit.origin).some((provider) => provider.id === to.provider)) {
        throw new Problem('not_found', 'This archive does not offer that way to sign in.');
      }
      const { key, connecting } = at(visit);
      const { handler, providerIds } = await connecting;
      if (!providerIds.includes(to.provider)) {
        ready.delete(key);
        throw new Problem('unavailable', 'That provider does not answer. Try again in a moment.', { retryAfterSeconds: 5 });
      }
      return await authorizationAddress(handler, visit, to);
    },
    finish: async (visit, callback) => {
      const { handler } = await at(visit).connecting;
      return await callbackOutcome(handler, visit, callback);
    },
    findSession: async (headers) => {
      const secret = readSessionCookie(headers, options.publicUrl);
      return secret ? await findSessionBySecret(pool, secret) : null;
    },
  };
}

/** The library behind it is loaded when somebody first signs in: a server starts sooner and stays smaller without it. */
async function connect(pool: Pool, secrets: Secrets, options: ProviderSignInOptions): Promise<ProviderSignIn> {
  const { createProviderSignIn } = await import('./provider-sign-in.ts');
  return await createProviderSignIn(pool, secrets, options);
}

async function authorizationAddress(
  handler: ProviderSignIn['handler'],
  { origin }: Visit,
  { provider, done, failed }: { provider: string; done: string; failed: string },
): Promise<{ location: string; cookies: string[] }> {
  const answer = await handler(
    new Request(`${origin}/api/auth/sign-in/social`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify({ provider, callbackURL: origin + done, errorCallbackURL: origin + failed }),
    }),
  );
  const location = answer.headers.get('location');
  if (!location) throw new Error(`the provider ${provider} gave no address: ${answer.status}`);
  return { location, cookies: answer.headers.getSetCookie() };
}

async function callbackOutcome(
  handler: ProviderSignIn['handler'],
  { origin, userAgent }: Visit,
  { provider, query, cookie }: Callback,
): Promise<{ location: string; cookies: string[]; hasSignedIn: boolean }> {
  const refused = { location: `${origin}${failedCallbackPath}?error=invalid_callback`, cookies: [], hasSignedIn: false };
  if (!isPlainCallback(new URLSearchParams(query))) return refused;
  const address = `${origin}/api/auth/callback/${encodeURIComponent(provider)}?${query}`;
  const answer = await handler(new Request(address, { headers: { cookie, 'user-agent': userAgent } }));
  const cookies = answer.headers.getSetCookie();
  const session = `${sessionCookieName(cookieStyle(origin, userAgent))}=`;
  return {
    location: answer.headers.get('location') ?? refused.location,
    cookies,
    hasSignedIn: cookies.some((one) => one.startsWith(session)),
  };
}
