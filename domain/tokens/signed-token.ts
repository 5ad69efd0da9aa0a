import { createHash } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { limits, serverLimits } from '#contract/limits.ts';
import { Problem } from '#contract/problem.ts';
import type { Secrets, SigningKey } from './secrets.ts';

/** What tells one class of tokens from another: a token of one class never opens what another class opens. */
interface TokenClass<C extends z.ZodRawShape> {
  readonly typ: string;
  readonly audience: string;
  readonly claims: C;
}

const algorithm = 'HS256';
const issuer = 'rushes';
const clockLeewaySeconds = 5;
const Times = z.object({ iat: z.int(), exp: z.int() });

/** Signs the claims of a token that lives `lifetimeSeconds`. */
export async function signToken<C extends z.ZodRawShape>(
  secrets: Secrets,
  tokenClass: TokenClass<C>,
  content: { claims: z.input<z.ZodObject<C>>; lifetimeSeconds: number },
): Promise<string> {
  const [key] = secrets.signingKeys;
  if (!key) throw new Error('there is no signing key');
  const nowSeconds = Math.floor(Date.now() / 1_000);
  return await new SignJWT({ ...content.claims })
    .setProtectedHeader(headerOf(tokenClass.typ, key))
    .setIssuer(issuer)
    .setAudience(tokenClass.audience)
    .setIssuedAt(nowSeconds)
    .setExpirationTime(nowSeconds + content.lifetimeSeconds)
    .sign(key.bytes);
}

type Opened<C extends z.ZodRawShape> = z.output<z.ZodObject<C>> & { readonly exp: number };

/** The claims of a token of this class. Throws `token_expired` when it is over, `unauthenticated` for anything else that is wrong. */
export async function openToken<C extends z.ZodRawShape>(secrets: Secrets, tokenClass: TokenClass<C>, token: string): Promise<Opened<C>> {
  const key = keyOf(secrets, tokenClass.typ, token);
  if (!key) throw makeInvalidProblem();
  const before = openedTokensOf<Verified<C>>(secrets, tokenClass);
  const known = before.find(token);
  const { iat, claims } = known ?? (await verify(key, tokenClass, token));
  // The leeway is for clocks that disagree about the beginning; the end is the end.
  if (claims.exp * 1_000 <= Date.now()) throw makeExpiredProblem();
  if ((iat - clockLeewaySeconds) * 1_000 > Date.now()) throw makeInvalidProblem();
  if (!known) before.keep(token, { iat, claims });
  return claims;
}

/** What a token says, and when it was made, in seconds since 1970: both of its times are asked at every use. */
interface Verified<C extends z.ZodRawShape> {
  readonly iat: number;
  readonly claims: Opened<C>;
}

async function verify<C extends z.ZodRawShape>(key: SigningKey, tokenClass: TokenClass<C>, token: string): Promise<Verified<C>> {
  if (!isWrittenByUs(token)) throw makeInvalidProblem();
  const { payload } = await jwtVerify(token, key.bytes, {
    algorithms: [algorithm],
    typ: tokenClass.typ,
    issuer,
    audience: tokenClass.audience,
    requiredClaims: ['exp', 'iat'],
    maxTokenAge: limits.accessTokenLifetimeSeconds,
    clockTolerance: clockLeewaySeconds,
  }).catch((error: unknown) => {
    if (error instanceof errors.JWTExpired) throw makeExpiredProblem();
    if (error instanceof errors.JOSEError) throw makeInvalidProblem();
    throw error;
  });
  const { iss: _, aud, iat, exp, ...rest } = payload;
  const times = Times.safeParse({ iat, exp });
  const claims = z.strictObject(tokenClass.claims).safeParse(rest);
  // jose takes a list of audiences that holds ours; we never write a list.
  if (aud !== tokenClass.audience || !times.success || !claims.success) throw makeInvalidProblem();
  if (times.data.exp - times.data.iat > limits.accessTokenLifetimeSeconds) throw makeInvalidProblem();
  return { iat: times.data.iat, claims: { ...claims.data, exp: times.data.exp } };
}

/** Whether this is a whole, living token of the class: tells a token in the wrong place (403) from no token (401). */
export async function isTokenOf<C extends z.ZodRawShape>(secrets: Secrets, tokenClass: TokenClass<C>, token: string): Promise<boolean> {
  return await openToken(secrets, tokenClass, token).then(
    () => true,
    () => false,
  );
}

function headerOf(typ: string, key: SigningKey) {
  return { alg: algorithm, typ, kid: key.kid };
}

/** Our header is the same to the byte for one class and key, so no other header is ever parsed. */
function keyOf(secrets: Secrets, typ: string, token: string): SigningKey | undefined {
  if (token.length > serverLimits.tokenMaxCharacters) return undefined;
  return secrets.signingKeys.find((key) => token.startsWith(`${Buffer.from(JSON.stringify(headerOf(typ, key))).toString('base64url')}.`));
}

/** Refuses second spellings of the same bytes: padding bits, other alphabets, repeated or escaped claim names. */
function isWrittenByUs(token: string): boolean {
  const parts = token.split('.');
  if (parts.length !== 3 || !parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)) return false;
  const payload = Buffer.from(parts[1] ?? '', 'base64url').toString();
  try {
    return JSON.stringify(JSON.parse(payload)) === payload;
  } catch {
    return false;
  }
}

function makeInvalidProblem(): Problem {
  return new Problem('unauthenticated', 'This access token is not valid. Ask for a new one.');
}

function makeExpiredProblem(): Problem {
  return new Problem('token_expired', 'This access token has expired. Ask for a new one.');
}

const tokensMax = 10_000;
const opened = new WeakMap<Secrets, WeakMap<object, Map<string, unknown>>>();

/**
 * What tokens of one class said when they were opened: the signature of a token that is sent with every search is not checked anew.
 * Whether a token is over is for the caller to ask each time. Only hashes are kept, so that the memory of this process holds no list of tokens.
 */
function openedTokensOf<C>(
  secrets: Secrets,
  tokenClass: object,
): { find(token: string): C | undefined; keep(token: string, claims: C): void } {
  const classes = opened.get(secrets) ?? new WeakMap<object, Map<string, unknown>>();
  opened.set(secrets, classes);
  const tokens = classes.get(tokenClass) ?? new Map<string, unknown>();
  classes.set(tokenClass, tokens);
  return {
    // What `keep` took for this class, and nothing else.
    find: (token) => tokens.get(hashOf(token)) as C | undefined,
    keep: (token, claims) => {
      if (tokens.size >= tokensMax) tokens.delete(tokens.keys().next().value ?? '');
      tokens.set(hashOf(token), claims);
    },
  };
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
