import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose';

/** An OpenID provider on this machine that answers whatever a test wants it to. */
export interface TestProvider {
  readonly discoveryUrl: string;
  /** When false every call answers 500. */
  isUp: boolean;
  /** Claims of the next ID token, over the ordinary ones. */
  claims: Record<string, unknown>;
  /** Header of the next ID token, over the ordinary one. */
  header: Record<string, unknown>;
  /** Makes the ID token instead of the provider's own key. */
  sign: ((claims: Record<string, unknown>, publicKeyPem: string) => Promise<string>) | undefined;
  /** What the browser would do there: consent, and come back with a code. Returns whose callback it is and its query. */
  consent(location: string): { provider: string; query: string };
  stop(): void;
}

/** Starts a provider for the client `client`; the person is Ann with a verified address. */
export async function startTestProvider(): Promise<TestProvider> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), alg: 'RS256', use: 'sig', kid: 'one' };
  const nonces = new Map<string, string>();
  const server = createServer((request, response) => void answer(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const issuer = `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`;

  const provider: TestProvider = {
    discoveryUrl: `${issuer}/.well-known/openid-configuration`,
    isUp: true,
    claims: {},
    header: {},
    sign: undefined,
    consent: (location) => {
      const query = new URL(location).searchParams;
      const code = randomUUID();
      nonces.set(code, query.get('nonce') ?? '');
      const callback = new URLSearchParams({ code, state: query.get('state') ?? '', iss: issuer });
      return { provider: query.get('redirect_uri')?.split('/').at(-1) ?? '', query: callback.toString() };
    },
    stop: () => server.close(),
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    response.writeHead(provider.isUp ? 200 : 500, { 'content-type': 'application/json' });
    response.end(JSON.stringify(await bodyFor(request)));
  };

  const bodyFor = async (request: IncomingMessage): Promise<unknown> => {
    if (request.url === '/jwks') return { keys: [jwk] };
    if (request.url !== '/token') {
      const endpoints = { authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/jwks` };
      return { issuer, ...endpoints, id_token_signing_alg_values_supported: ['RS256'] };
    }
    const code = new URLSearchParams((await request.toArray()).join('')).get('code') ?? '';
    const person = { sub: 'ann', email: 'ann@example.test', email_verified: true, name: 'Ann' };
    const nowSeconds = Math.floor(Date.now() / 1_000);
    const ordinary = { iss: issuer, aud: 'client', nonce: nonces.get(code), iat: nowSeconds, exp: nowSeconds + 300 };
    const claims = { ...person, ...ordinary, ...provider.claims };
    const own = () => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one', ...provider.header }).sign(privateKey);
    const id_token = await (provider.sign?.(claims, await exportSPKI(publicKey)) ?? own());
    return { access_token: 'never kept', token_type: 'Bearer', expires_in: 300, id_token };
  };

  return provider;
}
