import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import { type KoaContext, Provider } from 'oidc-provider';
import { providerIds } from '#contract/archive.ts';
import { credentialNamesOf } from '#server/provider-settings.ts';
import { doMischief, type Mischief } from './stand-in-mischief.ts';

export interface StandIn {
  /** For RUSHES_SIGN_IN_STAND_IN: every provider stands under it by its name. */
  readonly base: string;
  /** What the providers do wrong from now on. */
  mischief: Mischief;
  /** Which providers were asked for a token, in order. */
  readonly asked: string[];
  stop(): void;
}

/** Everybody with an account at each of the providers; Bo told them no address. */
const standInPeople = [
  { id: 'ann', name: 'Ann Archer', email: 'ann@people.example' },
  { id: 'bo', name: 'Bo Baker', email: undefined },
] as const;

type Id = (typeof providerIds)[number];

/** The credentials with which an archive is a client of the stand-ins. */
export const standInCredentials: Record<string, string> = {
  // The stand-in's own issuer comes in its place.
  RUSHES_OIDC_NAME: 'the Harbour Office',
  RUSHES_OIDC_ISSUER: 'https://id.harbour.example/',
  ...Object.fromEntries(
    providerIds.flatMap((id) => {
      const [clientId = '', clientSecret = ''] = credentialNamesOf(id);
      return [
        [clientId, `${id}-client`],
        [clientSecret, `secret-of-${id}`],
      ];
    }),
  ),
};

/** Starts five providers on this machine that stand in for the real ones, for the archive at this origin. */
export async function startStandIn(archiveOrigin: string): Promise<StandIn> {
  const server = createServer((request, response) => void answer(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const base = `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`;
  const standIn: StandIn = {
    base,
    mischief: 'none',
    asked: [],
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  const providers = new Map<string, Provider>();
  for (const id of providerIds) providers.set(id, await createStandIn(id, { standIn, archiveOrigin }));

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, id = ''] = request.url?.split('/') ?? [];
    const provider = providers.get(id);
    if (!provider) return void response.writeHead(404).end();
    const url = new URL(request.url ?? '', base);
    if (url.pathname === `/${id}/token`) standIn.asked.push(id);
    if (url.pathname.startsWith(`/${id}/interaction/`)) return await choosePerson(provider, { request, response });
    if (url.pathname === `/${id}/auth`) {
      // Nobody is remembered, so there is nothing to choose again.
      url.searchParams.delete('prompt');
      request.headers.cookie = '';
    }
    const path = url.pathname + url.search;
    await provider.callback()(Object.assign(request, { originalUrl: path, url: path.slice(id.length + 1) }), response);
  };
  return standIn;
}

async function createStandIn(id: Id, { standIn, archiveOrigin }: { standIn: StandIn; archiveOrigin: string }): Promise<Provider> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const signingKey = { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' };
  const provider = new Provider(`${standIn.base}/${id}`, {
    clients: [
      {
        client_id: `${id}-client`,
        client_secret: `secret-of-${id}`,
        token_endpoint_auth_method: methodOf(id),
        redirect_uris: [`${archiveOrigin}/api/auth/callback/${id}`],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    // It takes no other from anybody, and its discovery document says so.
    ...(id === 'oidc' && { clientAuthMethods: [methodOf(id)] }),
    jwks: { keys: [signingKey] },
    cookies: { keys: ['only for tests'], long: { path: `/${id}` } },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    scopes: ['openid', 'public_profile', 'users.read', 'tweet.read', 'users.email'],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    ttl: { AccessToken: 300, AuthorizationCode: 60, Grant: 600, IdToken: 300, Interaction: 600, Session: 600 },
    findAccount: (_context: KoaContext, sub: string) => ({ accountId: sub, claims: () => ({ sub, ...profileOf(sub) }) }),
    loadExistingGrant: grantEverything,
    interactions: { url: (_context: KoaContext, { uid }: { uid: string }) => `/${id}/interaction/${uid}` },
  });
  // An answer that is left in the middle is what some tests are about.
  provider.silent = true;
  provider.use(doMischief(() => standIn.mischief, privateKey));
  if (id === 'facebook' || id === 'twitter') provider.use(tellOwner(provider, id));
  return provider;
}

function methodOf(id: Id): 'client_secret_basic' | 'client_secret_post' {
  return id === 'twitter' || id === 'oidc' ? 'client_secret_basic' : 'client_secret_post';
}

function profileOf(id: string) {
  const person = standInPeople.find((one) => one.id === id);
  return { name: person?.name, email: person?.email, email_verified: person?.email !== undefined };
}

async function grantEverything({ oidc }: KoaContext) {
  const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
  grant.addOIDCScope(oidc.params.scope ?? '');
  await grant.save();
  return grant;
}

/** Who the owner of a token is, in the words of those two. */
function tellOwner(provider: Provider, id: 'facebook' | 'twitter') {
  return async (context: KoaContext, next: () => Promise<void>): Promise<void> => {
    if (context.path !== '/me') return await next();
    const token = await provider.AccessToken.find(context.get('authorization').replace(/^Bearer /, ''));
    if (!token) {
      context.status = 401;
      return;
    }
    const { name, email } = profileOf(token.accountId);
    context.body =
      id === 'facebook' ? { id: token.accountId, name, email } : { data: { id: token.accountId, name, confirmed_email: email } };
  };
}

async function choosePerson(
  provider: Provider,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
): Promise<void> {
  if (request.method !== 'POST') return void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(choosePersonPage);
  const person = new URLSearchParams((await request.toArray()).join('')).get('person');
  const result = person ? { login: { accountId: person } } : { error: 'access_denied', error_description: 'Nobody was chosen.' };
  response.writeHead(303, { location: await provider.interactionResult(request, response, result) }).end();
}

const choosePersonPage = `<!doctype html><html lang="en"><title>Choose an account</title><form method="post">
${standInPeople.map(({ id, name }) => `<button name="person" value="${id}">${name}</button>`).join('\n')}
<button name="person" value="">Cancel</button></form></html>`;
