import { AsyncLocalStorage } from 'node:async_hooks';
import { decodeJwt } from 'jose';
import { z } from 'zod';
import type { providerIds } from '#contract/archive.ts';
import { serverLimits } from '#contract/limits.ts';
import { toReadableName } from '../users/display-name.ts';
import { parseEmail } from '../users/email.ts';
import type { Profile } from '../users/record-sign-in.ts';
import { readDiscovery, type SecretPlace } from './discovery.ts';

interface Common {
  readonly id: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: readonly string[];
  /** Whether its `email_verified` is worth anything: addresses are matched to known people only then. */
  readonly provesEmail: boolean;
  /** Makes the provider ask which account to use instead of taking the last one. */
  readonly prompt?: 'select_account' | 'login';
}

/** Says by a signed token who somebody is, and in its discovery document where all else is. */
export interface OpenIdProvider extends Common {
  readonly protocol: 'openid';
  readonly discoveryUrl: string;
  /** Answers who the owner of an access token is; null where the discovery document says it. */
  readonly userInfoUrl: string | null;
  /** Who the document and every token must say that they are of; undefined for providers that are known. */
  readonly issuer?: string;
  /** Microsoft's: whose accounts may sign in. A tenant, or `common`, `organizations` or `consumers`. */
  readonly tenant?: string;
}

/** Gives a token with which it tells who somebody is, in a shape of its own. */
interface OAuthProvider extends Common {
  readonly protocol: 'oauth';
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  /** Answers who the owner of an access token is. */
  readonly userInfoUrl: string;
  /** How it wants to hear our secret. */
  readonly secretIn: SecretPlace;
  readonly answersAs: 'facebook' | 'twitter';
}

/** A provider that people sign in with. */
export type Provider = OpenIdProvider | OAuthProvider;

/** By what a provider knows this archive. */
export interface ProviderCredentials {
  readonly id: (typeof providerIds)[number];
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A provider that the operator names. */
export interface OperatorsProvider {
  /** On its button. */
  readonly name: string;
  readonly issuer: string;
  /** Whether its word that an address is somebody's is taken. */
  readonly provesEmail: boolean;
}

/** Microsoft's tenant of personal accounts. */
export const personalTenant = '9188040d-6c67-4c5b-b112-36a304b66dad';

export const openIdScopes = ['openid', 'email', 'profile'];

/**
 * The providers that can be offered with these credentials. `standIn` is the address of a server on this machine that stands
 * in for all of them, each under its own name; empty for the real ones.
 */
export function listProviders(
  credentials: readonly ProviderCredentials[],
  {
    microsoftTenant,
    standIn,
    operatorsProvider,
  }: { microsoftTenant: string; standIn: string; operatorsProvider?: OperatorsProvider | undefined },
): Provider[] {
  const known = { google, microsoft: microsoftFor(microsoftTenant), facebook, twitter };
  return credentials.flatMap(({ id, ...credential }) => {
    const about = id === 'oidc' ? operatorsProvider && toKnownProvider(operatorsProvider) : known[id];
    if (!about) return [];
    const provider: Provider = { id, ...credential, ...about };
    return [standIn ? moveProvider(provider, `${standIn}/${id}`) : provider];
  });
}

type Known<P> = P extends Provider ? Omit<P, keyof ProviderCredentials> : never;

const google: Known<OpenIdProvider> = {
  protocol: 'openid',
  discoveryUrl: 'https://accounts.google.com/.well-known/openid-configuration',
  userInfoUrl: 'https://openidconnect.googleapis.com/v1/userinfo',
  scopes: openIdScopes,
  provesEmail: true,
  prompt: 'select_account',
};

function toKnownProvider({ issuer, provesEmail }: OperatorsProvider): Known<OpenIdProvider> {
  const discoveryUrl = `${withoutSlash(issuer)}/.well-known/openid-configuration`;
  return { protocol: 'openid', issuer, discoveryUrl, userInfoUrl: null, scopes: openIdScopes, provesEmail };
}

/** Issuers are written with a slash at their end or without, also by themselves. */
export function withoutSlash(issuer: string): string {
  return issuer.replace(/\/$/, '');
}

/** Whoever runs a tenant may write any address into its accounts, and at the personal ones anybody may claim any. */
function microsoftFor(tenant: string): Known<OpenIdProvider> {
  return {
    protocol: 'openid',
    discoveryUrl: `https://login.microsoftonline.com/${tenant}/v2.0/.well-known/openid-configuration`,
    userInfoUrl: 'https://graph.microsoft.com/oidc/userinfo',
    scopes: openIdScopes,
    provesEmail: false,
    prompt: 'select_account',
    tenant,
  };
}

const facebook: Known<OAuthProvider> = {
  protocol: 'oauth',
  authorizationUrl: 'https://www.facebook.com/v24.0/dialog/oauth',
  tokenUrl: 'https://graph.facebook.com/v24.0/oauth/access_token',
  userInfoUrl: 'https://graph.facebook.com/v24.0/me?fields=id,name,email',
  scopes: ['email', 'public_profile'],
  secretIn: 'body',
  answersAs: 'facebook',
  provesEmail: false,
};

const twitter: Known<OAuthProvider> = {
  protocol: 'oauth',
  authorizationUrl: 'https://x.com/i/oauth2/authorize',
  tokenUrl: 'https://api.x.com/2/oauth2/token',
  userInfoUrl: 'https://api.x.com/2/users/me?user.fields=confirmed_email',
  // The first two belong together: who asks for a person is asked for both.
  scopes: ['users.read', 'tweet.read', 'users.email'],
  secretIn: 'header',
  answersAs: 'twitter',
  provesEmail: false,
};

function moveProvider(provider: Provider, base: string): Provider {
  const userInfoUrl = `${base}/me`;
  if (provider.protocol === 'openid') {
    const discoveryUrl = `${base}/.well-known/openid-configuration`;
    return provider.issuer === undefined ? { ...provider, userInfoUrl, discoveryUrl } : { ...provider, issuer: base, discoveryUrl };
  }
  return { ...provider, userInfoUrl, authorizationUrl: `${base}/auth`, tokenUrl: `${base}/token` };
}

/** Somebody as a provider knows them. */
export type Person = Profile & { readonly accountId: string };

interface Tokens {
  /** Verified before: signature, audience, issuer, nonce. */
  readonly idToken?: string | undefined;
  readonly accessToken?: string | undefined;
}

const clockLeewaySeconds = 60;

const Claims = z.object({
  sub: z.string().regex(/^[^\p{Cc}]{1,255}$/u),
  tid: z.guid().optional(),
  email: z
    .string()
    .nullish()
    .catch(null)
    .transform((address) => parseEmail(address ?? '') ?? ''),
  email_verified: z.unknown().optional(),
  name: z.string().nullish().catch(null).transform(toReadableName),
});
type Claims = z.infer<typeof Claims>;

const IssuedInThePast = z.object({
  iat: z.int().refine((seconds) => seconds * 1_000 <= Date.now() + clockLeewaySeconds * 1_000),
});

/** Who has come with these tokens; null when the provider does not say it properly. Throws when it does not answer. */
export async function askWho(provider: Provider, tokens: Tokens): Promise<Person | null> {
  const claims = provider.protocol === 'openid' ? await openIdClaims(provider, tokens) : await fetchOAuthClaims(provider, tokens);
  if (!claims) return null;
  const { sub, tid, email, email_verified, name } = claims;
  const emailVerified = email !== '' && provider.provesEmail && email_verified === true;
  // A subject of Microsoft's is one person within a tenant only.
  return { accountId: tid && provider.id === 'microsoft' ? `${tid}/${sub}` : sub, email, emailVerified, name };
}

/** The token's word; where it leaves out name or address, the provider is asked for them, and has to speak of the same person. */
async function openIdClaims(provider: OpenIdProvider, { idToken, accessToken }: Tokens): Promise<Claims | null> {
  if (!idToken) return null;
  const payload = decodeJwt(idToken);
  const said = Claims.safeParse(payload);
  if (!said.success || !IssuedInThePast.safeParse(payload).success) return null;
  if (said.data.email !== '' && said.data.name !== '') return said.data;
  const userInfoUrl = provider.userInfoUrl ?? (await readDiscovery(provider.discoveryUrl)).userinfo_endpoint;
  if (!userInfoUrl) return said.data;
  const more = Claims.safeParse(await askFor({ ...provider, userInfoUrl }, accessToken));
  if (!more.success || more.data.sub !== said.data.sub) return null;
  const { name, email, email_verified } = more.data;
  return { ...said.data, name: said.data.name || name, ...(said.data.email === '' && { email, email_verified }) };
}

const FacebookAnswer = z.object({ id: z.unknown().optional(), name: z.unknown().optional(), email: z.unknown().optional() });
const TwitterAnswer = z.object({
  data: z.object({ id: z.unknown().optional(), name: z.unknown().optional(), confirmed_email: z.unknown().optional() }),
});

const claimsOf = {
  facebook: (answer: unknown) => {
    const said = FacebookAnswer.safeParse(answer).data;
    return { sub: said?.id, name: said?.name, email: said?.email };
  },
  twitter: (answer: unknown) => {
    const said = TwitterAnswer.safeParse(answer).data?.data;
    return { sub: said?.id, name: said?.name, email: said?.confirmed_email };
  },
};

async function fetchOAuthClaims(provider: OAuthProvider, { accessToken }: Tokens): Promise<Claims | null> {
  return Claims.safeParse(claimsOf[provider.answersAs](await askFor(provider, accessToken))).data ?? null;
}

async function askFor({ id, userInfoUrl }: { id: string; userInfoUrl: string }, accessToken: string | undefined): Promise<unknown> {
  if (!accessToken) throw new Error(`${id} gave no token`);
  const headers = { authorization: `Bearer ${accessToken}`, accept: 'application/json' };
  const answer = await globalThis.fetch(userInfoUrl, { headers });
  if (!answer.ok) throw new Error(`${id} answered ${answer.status} when it was asked who somebody is`);
  return await answer.json();
}

const deadlines = new AsyncLocalStorage<AbortSignal>();
const plainFetch = globalThis.fetch;

/**
 * Runs `work`, which talks to a provider: all of its requests together take `withinMs` at most, and none may answer more than a
 * megabyte or lead elsewhere; one that does throws.
 */
export function runWithinBounds<T>(withinMs: number, work: () => Promise<T>): Promise<T> {
  return deadlines.run(AbortSignal.timeout(withinMs), work);
}

// The libraries behind sign-in ask by the global name and know no such bounds. Outside of such work it does what it always did.
globalThis.fetch = (input, init) => {
  const deadline = deadlines.getStore();
  return deadline ? fetchWithDeadline(input, { ...init, deadline }) : plainFetch(input, init);
};

async function fetchWithDeadline(
  input: string | URL | Request,
  { deadline, ...init }: RequestInit & { deadline: AbortSignal },
): Promise<Response> {
  const signal = init.signal ? AbortSignal.any([deadline, init.signal]) : deadline;
  const answer = await plainFetch(input, { ...init, signal, redirect: init.redirect === 'manual' ? 'manual' : 'error' });
  const { status, statusText, headers } = answer;
  const body = await readBody(answer);
  return new Response(body.length > 0 ? body : null, { status, statusText, headers });
}

async function readBody({ body }: Response): Promise<Buffer<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body ?? []) {
    bytes += part.length;
    // Leaving the loop ends the connection.
    if (bytes > serverLimits.providerAnswerMaxBytes) throw new Error('the provider answered more than a megabyte');
    parts.push(part);
  }
  return Buffer.concat(parts);
}
