import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { exportJWK, exportSPKI, generateKeyPair, type JWK, type KeyObject, SignJWT } from 'jose';

/** A provider on this machine that answers whatever a test wants it to. */
export interface TestProvider {
  /** Where it is: `/token`, `/userinfo` and the rest stand under it. */
  readonly base: string;
  /** When false every call answers 500. */
  isUp: boolean;
  /** The issuer of its discovery document and of its tokens. */
  issuer: string;
  /** How it says in its discovery document that a client may prove itself; undefined where it does not say. */
  authMethods: string[] | undefined;
  /** In which way the last client that wanted a token proved itself. */
  provedBy: 'header' | 'body' | undefined;
  /** Claims of the next ID token, over the ordinary ones. */
  claims: Record<string, unknown>;
  /** Header of the next ID token, over the ordinary one. */
  header: Record<string, unknown>;
  /** Makes the ID token instead of the provider's own key. */
  sign: ((claims: Record<string, unknown>, publicKeyPem: string) => Promise<string>) | undefined;
  /** What is answered to whom asks who the owner of a token is. */
  userInfo: unknown;
  /** Answers instead of the provider, by path. */
  readonly answers: Map<string, (response: ServerResponse) => void>;
  /** Every path that was asked for. */
  readonly asked: string[];
  /** What the browser would do there: consent to a sign-in that carries a challenge, and come back with a code. Returns whose callback it is and its query. */
  consent(location: string): { provider: string; query: string };
  /** As it was at the start. */
  reset(): void;
  stop(): void;
}

/** Starts a provider for the client `client`; the person is Ann with a verified address. */
export async function startTestProvider(): Promise<TestProvider> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), alg: 'RS256', use: 'sig', kid: 'one' };
  const codes = new Map<string, { nonce: string | undefined; challenge: string | null }>();
  const server = createServer((request, response) => void answer(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const base = `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`;
  const fresh = () => ({
    isUp: true,
    issuer: base,
    authMethods: undefined,
    provedBy: undefined,
    claims: {},
    header: {},
    sign: undefined,
    userInfo: null,
  });

  const provider: TestProvider = {
    base,
    ...fresh(),
    answers: new Map(),
    asked: [],
    consent: (location) => {
      const query = new URL(location).searchParams;
      const code = randomUUID();
      codes.set(code, { nonce: query.get('nonce') ?? undefined, challenge: query.get('code_challenge') });
      const callback = new URLSearchParams({ code, state: query.get('state') ?? '' });
      return { provider: query.get('redirect_uri')?.split('/').at(-1) ?? '', query: callback.toString() };
    },
    reset: () => {
      Object.assign(provider, fresh());
      provider.answers.clear();
    },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '';
    provider.asked.push(path);
    const own = provider.answers.get(path);
    if (own) return own(response);
    response.writeHead(provider.isUp ? 200 : 500, { 'content-type': 'application/json' });
    response.end(JSON.stringify(await bodyFor(path, request)));
  };

  const bodyFor = async (path: string, request: IncomingMessage): Promise<unknown> => {
    if (path === '/jwks') return { keys: [jwk satisfies JWK] };
    if (path === '/userinfo') return provider.userInfo;
    if (path !== '/token') return discoveryDocument(provider);
    const body = new URLSearchParams((await request.toArray()).join(''));
    const basic = `Basic ${Buffer.from('client:secret').toString('base64')}`;
    provider.provedBy = request.headers.authorization === basic ? 'header' : body.get('client_secret') === 'secret' ? 'body' : undefined;
    const given = codes.get(body.get('code') ?? '');
    codes.delete(body.get('code') ?? '');
    const verifier = body.get('code_verifier') ?? '';
    if (!given || given.challenge !== createHash('sha256').update(verifier).digest('base64url')) return { error: 'invalid_grant' };
    const id_token = await idToken(provider, { nonce: given.nonce, privateKey, publicKey });
    return { access_token: 'never kept', token_type: 'Bearer', expires_in: 300, id_token };
  };

  return provider;
}

function discoveryDocument({ base, issuer, authMethods }: TestProvider): unknown {
  const endpoints = { authorization_endpoint: `${base}/auth`, token_endpoint: `${base}/token`, jwks_uri: `${base}/jwks` };
  return { issuer, ...endpoints, id_token_signing_alg_values_supported: ['RS256'], token_endpoint_auth_methods_supported: authMethods };
}

interface Signing {
  readonly nonce: string | undefined;
  readonly privateKey: CryptoKey | KeyObject;
  readonly publicKey: CryptoKey | KeyObject;
}

async function idToken(provider: TestProvider, { nonce, privateKey, publicKey }: Signing): Promise<string> {
  const person = { sub: 'ann', email: 'ann@example.test', email_verified: true, name: 'Ann' };
  const nowSeconds = Math.floor(Date.now() / 1_000);
  const ordinary = { iss: provider.issuer, aud: 'client', nonce, iat: nowSeconds, exp: nowSeconds + 300 };
  const claims = { ...person, ...ordinary, ...provider.claims };
  const own = () => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one', ...provider.header }).sign(privateKey);
  return await (provider.sign?.(claims, await exportSPKI(publicKey)) ?? own());
}
