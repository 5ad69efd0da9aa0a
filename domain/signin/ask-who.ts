import { AsyncLocalStorage } from 'node:async_hooks';
import { decodeJwt } from 'jose';
import { z } from 'zod';
import { readableName } from '../users/display-name.ts';
import { parseEmail } from '../users/email.ts';
import type { Profile } from '../users/record-sign-in.ts';
import type { OAuthProvider, OpenIdProvider, Provider } from './providers.ts';

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
  name: z.string().nullish().catch(null).transform(readableName),
});
type Claims = z.infer<typeof Claims>;

const IssuedInThePast = z.object({
  iat: z.int().refine((seconds) => seconds * 1_000 <= Date.now() + clockLeewaySeconds * 1_000),
});

/** Who has come with these tokens; null when the provider does not say it properly. Throws when it does not answer. */
export async function askWho(provider: Provider, tokens: Tokens): Promise<Person | null> {
  const claims = provider.protocol === 'openid' ? await openIdClaims(provider, tokens) : await oauthClaims(provider, tokens);
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
  const more = Claims.safeParse(await askFor(provider, accessToken));
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

async function oauthClaims(provider: OAuthProvider, { accessToken }: Tokens): Promise<Claims | null> {
  return Claims.safeParse(claimsOf[provider.answersAs](await askFor(provider, accessToken))).data ?? null;
}

async function askFor({ id, userInfoUrl }: Provider, accessToken: string | undefined): Promise<unknown> {
  if (!accessToken) throw new Error(`${id} gave no token`);
  const headers = { authorization: `Bearer ${accessToken}`, accept: 'application/json' };
  const answer = await globalThis.fetch(userInfoUrl, { headers });
  if (!answer.ok) throw new Error(`${id} answered ${answer.status} when it was asked who somebody is`);
  return await answer.json();
}

const answerMaxBytes = 1_048_576;
const deadlines = new AsyncLocalStorage<AbortSignal>();
const plainFetch = globalThis.fetch;

/**
 * Runs `work`, which talks to a provider: all of its requests together take `withinMs` at most, and none may answer more than a
 * megabyte or lead elsewhere; one that does throws.
 */
export function withinBounds<T>(withinMs: number, work: () => Promise<T>): Promise<T> {
  return deadlines.run(AbortSignal.timeout(withinMs), work);
}

// The libraries behind sign-in ask by the global name and know no such bounds. Outside of such work it does what it always did.
globalThis.fetch = (input, init) => {
  const deadline = deadlines.getStore();
  return deadline ? boundedFetch(input, { ...init, deadline }) : plainFetch(input, init);
};

async function boundedFetch(
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
    if (bytes > answerMaxBytes) throw new Error('the provider answered more than a megabyte');
    parts.push(part);
  }
  return Buffer.concat(parts);
}
