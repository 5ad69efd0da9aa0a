/*
 * Signing in: providers, links by e-mail, and the sessions that come of both. better-auth stands behind this file;
 * sessions of our own are in sessions, keys for scripts in keys.
 */
import { serverLimits } from '#contract/limits.ts';
import { Problem } from '#contract/problem.ts';
import type { Roles } from '#contract/roles.ts';
import type { Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Secrets } from '../tokens/secrets.ts';
import { chooseCookieStyle } from './cookie-style.ts';
import { failedCallbackPath } from './failed-callback-path.ts';
import { isAnswerOf } from './issuer.ts';
import type { ProviderSignIn, ProviderSignInOptions } from './provider-sign-in.ts';
import type { Provider } from './providers.ts';
import { nameSessionCookie, readSessionCookie, signInCookieName } from './session-cookie.ts';
import { findSessionBySecret, forgetUnfinished, type LiveSession, sweepSignIn } from './sessions.ts';

export interface SignInOptions {
  /** Origin of the archive; cookies follow its protocol. */
  readonly publicUrl: string;
  /** The providers as they are reached from an origin of ours; in practice mode they stand at that same origin. */
  readonly providersAt: (origin: string) => readonly Provider[];
  /** Roles that a person with this proved address starts with; nobody has any, except in practice. */
  readonly rolesOfNewUser: (email: string) => Roles;
  /** How long a provider may take in all, in milliseconds. */
  readonly answersWithinMs: number;
  readonly report: (message: string) => void;
}

/** Where a visitor of ours is, which decides callback addresses and cookies, and by what browser and network. */
export interface Visit {
  readonly origin: string;
  readonly userAgent: string;
  /** Network address that they come from. */
  readonly from: string;
}

/** What a browser brings back from a provider. */
interface Callback {
  readonly provider: string;
  readonly query: string;
  readonly cookie: string;
}

export interface SignIn {
  /** Where to send the browser, and the cookie that binds the way back to this browser. Throws `not_found` or `unavailable`. */
  start(visit: Visit, to: Destination): Promise<{ location: string; cookies: string[] }>;
  /** Takes a provider's callback: where to send the browser of what `start` was told, with the session's cookie when all went well. */
  finish(visit: Visit, callback: Callback): Promise<Outcome>;
  /** The living session of a request's cookie. */
  findSession(headers: Headers): Promise<LiveSession | null>;
}

/** By which provider to go, and the paths of ours to come back to. */
interface Destination {
  readonly provider: string;
  readonly done: string;
  readonly failed: string;
}

interface Outcome {
  readonly location: string;
  readonly cookies: string[];
  readonly hasSignedIn: boolean;
}

/** Puts sign-in together. A provider is asked for its addresses when somebody first signs in by it, and again when it did not answer. */
export async function createSignIn(pool: Pool, secrets: Secrets, options: SignInOptions): Promise<SignIn> {
  await sweepSignIn(pool);
  const ready = new Map<string, Promise<ProviderSignIn>>();

  const findProvider = (id: string, { origin }: Visit): Provider | undefined => options.providersAt(origin).find((one) => one.id === id);

  const connectTo = (provider: Provider, { origin, userAgent }: Visit): Promise<ProviderSignIn> => {
    const cookies = chooseCookieStyle(origin, userAgent);
    const key = `${origin} ${cookies.prefix} ${provider.id}`;
    const connecting = ready.get(key) ?? connect(pool, secrets, { ...options, origin, cookies, provider });
    ready.set(key, connecting);
    connecting.catch(() => ready.delete(key));
    return connecting;
  };

  return {
    start: async (visit, to) => {
      const provider = findProvider(to.provider, visit);
      if (!provider) throw new Problem('not_found', 'This archive does not offer this way to sign in.');
      await forgetUnfinished(pool);
      return await beginAuthorization(await connectTo(provider, visit), visit, to);
    },
    finish: async (visit, callback) => {
      const outcome = await finish(visit, callback);
      return outcome.hasSignedIn ? outcome : { ...outcome, cookies: [...outcome.cookies, forgetSignInUnderWay(visit)] };
    },
    findSession: async (headers) => {
      const secret = readSessionCookie(headers, options.publicUrl);
      return secret ? await findSessionBySecret(pool, secret) : null;
    },
  };

  async function finish(visit: Visit, callback: Callback): Promise<Outcome> {
    const query = new URLSearchParams(callback.query);
    if (!isPlainCallback(query)) return makeFailedOutcome(visit, 'invalid_callback');
    const provider = findProvider(callback.provider, visit);
    if (!provider || !(await wasBegunWith(pool, provider.id, query.get('state')))) return makeFailedOutcome(visit, 'state_mismatch');
    if (!isAnswerOf(provider, query.get('iss'))) return makeFailedOutcome(visit, 'issuer_mismatch');
    const signIn = await connectTo(provider, visit).catch(() => undefined);
    return signIn ? await answerCallback(signIn, visit, callback) : makeFailedOutcome(visit, 'temporarily_unavailable');
  }
}

/** The library behind it is loaded when somebody first signs in: a server starts sooner and stays smaller without it. */
async function connect(pool: Pool, secrets: Secrets, options: ProviderSignInOptions): Promise<ProviderSignIn> {
  const { createProviderSignIn } = await import('./provider-sign-in.ts');
  return await createProviderSignIn(pool, secrets, options);
}

async function beginAuthorization(
  signIn: ProviderSignIn,
  visit: Visit,
  { provider, done, failed }: Destination,
): Promise<{ location: string; cookies: string[] }> {
  const { origin } = visit;
  const body = { provider, callbackURL: origin + done, errorCallbackURL: origin + failed, additionalData: { begunWith: provider } };
  const headers = { 'content-type': 'application/json', origin };
  const answer = await signIn(
    new Request(`${origin}/api/auth/sign-in/social`, { method: 'POST', headers, body: JSON.stringify(body) }),
    visit,
  );
  const location = answer.headers.get('location');
  if (!location) throw new Error(`the provider ${provider} gave no address: ${answer.status}`);
  return { location, cookies: answer.headers.getSetCookie() };
}

/** Whether a state was given to this provider: one provider's code is never shown to another. */
async function wasBegunWith(pool: Pool, provider: string, state: string | null): Promise<boolean> {
  const { rowCount } = await pool.query(sql`
    select 1 from verifications where identifier = ${`auth-state:${state}`} and value::jsonb ->> 'begunWith' = ${provider}`);
  return rowCount === 1;
}

async function answerCallback(signIn: ProviderSignIn, visit: Visit, { provider, query, cookie }: Callback): Promise<Outcome> {
  const { origin, userAgent } = visit;
  const address = `${origin}/api/auth/callback/${encodeURIComponent(provider)}?${query}`;
  const answer = await signIn(new Request(address, { headers: { cookie, 'user-agent': userAgent } }), visit);
  const location = answer.headers.get('location');
  if (!location) return makeFailedOutcome(visit, 'internal_server_error');
  const cookies = answer.headers.getSetCookie();
  const session = `${nameSessionCookie(chooseCookieStyle(origin, userAgent))}=`;
  return { location, cookies, hasSignedIn: cookies.some((one) => one.startsWith(session)) };
}

/** Ends on a page of ours that needs to know nothing of the sign-in. */
function makeFailedOutcome({ origin }: Visit, error: string): Outcome {
  return { location: `${origin}${failedCallbackPath}?${new URLSearchParams({ error })}`, cookies: [], hasSignedIn: false };
}

function forgetSignInUnderWay({ origin, userAgent }: Visit): string {
  const style = chooseCookieStyle(origin, userAgent);
  return `${signInCookieName(style)}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0${style.secure ? '; Secure' : ''}`;
}

/** What only an attacker, or a provider set up for another flow, would send along. */
const unwanted = ['id_token', 'access_token', 'token', 'redirect_uri', 'returnurl', 'callbackurl'];

/** Whether a callback carries what a provider answers and nothing that could mean two things: each name once, and no answer of another flow. */
function isPlainCallback(query: URLSearchParams): boolean {
  const names = [...query.keys()];
  if (new Set(names).size !== names.length) return false;
  if (names.some((name) => unwanted.includes(name.toLowerCase()) || !/^[\w.-]+$/.test(name))) return false;
  return [...query.values()].every((value) => value.length <= serverLimits.providerParameterMaxCharacters && !/\p{Cc}/u.test(value));
}
