import { createHmac, randomBytes } from 'node:crypto';
import type { SigningKey } from '#domain/tokens/secrets.ts';

/** A class of tokens as an attacker knows it: from a token of their own. */
export interface KnownClass {
  readonly typ: string;
  readonly otherTyp: string;
  /** Everything but the times. */
  readonly claims: Readonly<Record<string, unknown>>;
}

interface Options {
  readonly header?: unknown;
  readonly key?: Uint8Array;
  readonly hash?: string;
}

/** Signs any payload under any header, with our own key unless told otherwise. */
export function forgeToken({ key, known }: { key: SigningKey; known: KnownClass }, payload: unknown, options: Options = {}): string {
  const signed = `${part(options.header ?? headerOf(key, known))}.${part(payload)}`;
  return `${signed}.${createHmac(options.hash ?? 'sha256', options.key ?? key.bytes)
    .update(signed)
    .digest('base64url')}`;
}

/** Claims that are right in everything: what the attacks change one thing of. */
export function rightClaims(known: KnownClass): Record<string, unknown> & { iat: number; exp: number } {
  const iat = Math.floor(Date.now() / 1_000);
  return { ...known.claims, iss: 'rushes', iat, exp: iat + 600 };
}

/** Tokens that must open nothing, by their id in the corpus; an id may have several. */
export function forgedTokens(key: SigningKey, known: KnownClass): [id: string, what: string, token: string][] {
  const own = rightClaims(known);
  const header = headerOf(key, known);
  const forge = (payload: unknown, options: Options = {}) => forgeToken({ key, known }, payload, options);
  const good = forge(own);
  const unsigned = good.slice(0, good.lastIndexOf('.'));
  const headed = (more: object, options: Options = {}) => forge(own, { header: { ...header, ...more }, ...options });
  return [
    ['token-002', 'empty', ''],
    ['token-003', 'garbage', 'abc'],
    ['token-004', 'two parts', 'h.p'],
    ['token-005', 'four parts', `${good}.x`],
    ['token-006', 'alg none', `${part({ alg: 'none', typ: known.typ })}.${part(own)}.`],
    ['token-007', 'alg nOnE', `${part({ ...header, alg: 'nOnE' })}.${part(own)}.`],
    ['token-008', 'no alg', forge(own, { header: {} })],
    ['token-009', 'HS384', headed({ alg: 'HS384' }, { hash: 'sha384' })],
    ['token-009', 'HS512', headed({ alg: 'HS512' }, { hash: 'sha512' })],
    ['token-009', 'RS256', headed({ alg: 'RS256' })],
    ['token-009', 'EdDSA', headed({ alg: 'EdDSA' })],
    ['token-010', 'empty signature', `${unsigned}.`],
    ['token-011', 'signature with one bit flipped', flipped(good)],
    ['token-012', 'another key', forge(own, { key: randomBytes(32) })],
    ['token-013', 'padded signature', `${good}=`],
    ['token-014', 'trailing letter', `${good}A`],
    ['token-014', 'trailing space', `${good} `],
    ['token-014', 'trailing NUL', `${good}\0`],
    ['token-015', 'zeros for a signature', `${unsigned}.${part('\0'.repeat(64))}`],
    ['token-016', 'kid of a path', headed({ kid: '../../../../dev/null' }, { key: new Uint8Array(32) })],
    ['token-016', 'kid of a query', headed({ kid: "' OR 1=1" })],
    ['token-016', 'kid of an address', headed({ kid: 'http://127.0.0.1:1/' })],
    ['token-017', 'key in the header', headed({ jwk: { kty: 'oct', k: part('k') } })],
    ['token-017', 'address of keys in the header', headed({ jku: 'http://127.0.0.1:1/' })],
    ['token-018', 'unknown crit', headed({ crit: ['x'] })],
    ['token-019', 'zip', headed({ zip: 'DEF' })],
    ['token-020', 'typ of another class', headed({ typ: known.otherTyp })],
    ...wrongTimes(own, forge),
    ...wrongClaims(own, forge),
    ['token-057', 'huge', 'a'.repeat(12_000)],
    ['token-058', 'a token in a token', forge(good, { header: { ...header, cty: 'JWT' } })],
  ];
}

type Forge = (payload: unknown) => string;

function wrongTimes(own: { iat: number; exp: number }, forge: Forge): [string, string, string][] {
  return [
    ['token-021', 'expired a second ago', forge({ ...own, iat: own.iat - 600, exp: own.iat - 1 })],
    ['token-022', 'expired a year ago', forge({ ...own, iat: own.iat - 31_536_600, exp: own.iat - 31_536_000 })],
    ['token-023', 'no exp', forge({ ...own, exp: undefined })],
    ['token-024', 'exp as text', forge({ ...own, exp: String(own.exp) })],
    ['token-024', 'exp with a fraction', forge({ ...own, exp: own.exp + 0.5 })],
    ['token-024', 'negative exp', forge({ ...own, exp: -1 })],
    ['token-024', 'endless exp', forge({ ...own, exp: 1e308 })],
    ['token-025', 'not yet', forge({ ...own, nbf: own.iat + 3_600 })],
    ['token-026', 'made in the future', forge({ ...own, iat: own.iat + 3_600, exp: own.iat + 7_200 })],
    ['token-027', 'lives too long', forge({ ...own, exp: own.iat + 3_701 })],
  ];
}

function wrongClaims(own: Record<string, unknown>, forge: Forge): [string, string, string][] {
  const text = JSON.stringify(own);
  return [
    ['token-028', 'no audience', forge({ ...own, aud: undefined })],
    ['token-028', 'other audience', forge({ ...own, aud: 'somebody' })],
    ['token-028', 'list of audiences', forge({ ...own, aud: [own.aud, 'somebody'] })],
    ['token-029', 'other issuer', forge({ ...own, iss: 'somebody' })],
    ['token-051', 'list of videos', forge({ ...own, vid: ['00112233ff', '00112233fe'] })],
    ['token-052', 'any video', forge({ ...own, vid: '*' })],
    ['token-055', 'a claim twice', forge(text.replace('"sub"', '"sub":"somebody","sub"'))],
    ['token-056', 'claims in the prototype', forge(`{"__proto__":{"scope":"all"},${text.slice(1)}`)],
    ['token-059', 'claims in other letters', forge(text.replace('"sub"', '"s\\u0075b"'))],
  ];
}

function headerOf(key: SigningKey, { typ }: KnownClass) {
  return { alg: 'HS256', typ, kid: key.kid };
}

function part(value: unknown): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
}

function flipped(token: string): string {
  return token.slice(0, -2) + (token.at(-2) === 'A' ? 'B' : 'A') + token.slice(-1);
}
