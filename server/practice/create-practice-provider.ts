import { randomBytes } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import type { KoaContext, Provider } from 'oidc-provider';
import { escapeHtml } from '../sign-in-window/html.ts';
import { windowPage } from '../sign-in-window/window-page.ts';
import { practicePath, practiceProvidersAt } from './practice-clients.ts';
import { practicePeople } from './practice-people.ts';

/**
 * An OpenID provider that stands in for Google and Microsoft on the visitor's own machine: everybody may be anybody.
 * What it knows it keeps in memory and forgets with the process; our side of the sign-in is the real one.
 */
export async function createPracticeProvider(origin: string): Promise<Provider> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return await quietly(async () => {
    const { Provider } = await import('oidc-provider');
    return new Provider(origin + practicePath, configuration(origin, { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' }));
  });
}

/** The library warns on the operator's terminal that memory is forgotten and that this Node is newer than it knows: both are meant. */
async function quietly<T>(work: () => Promise<T>): Promise<T> {
  const { warn } = console;
  console.warn = () => {};
  try {
    return await work();
  } finally {
    console.warn = warn;
  }
}

function configuration(origin: string, signingKey: JWK) {
  return {
    clients: practiceProvidersAt(origin).map(({ id, clientId, clientSecret }) => ({
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uris: [`${origin}/api/auth/callback/${id}`],
      grant_types: ['authorization_code'],
      response_types: ['code'],
    })),
    jwks: { keys: [signingKey] },
    cookies: { keys: [randomBytes(32).toString('base64url')], long: { path: practicePath, httpOnly: true, sameSite: 'lax' } },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    // Our side reads the person from the ID token.
    conformIdTokenClaims: false,
    ttl: { AccessToken: 300, AuthorizationCode: 60, Grant: 600, IdToken: 300, Interaction: 600, Session: 600 },
    findAccount,
    loadExistingGrant: grantEverything,
    interactions: { url: (_context: KoaContext, { uid }: { uid: string }) => `${practicePath}/interaction/${uid}` },
    renderError,
  };
}

function findAccount(_context: KoaContext, id: string) {
  const person = practicePeople.find((one) => one.id === id);
  if (!person) return undefined;
  return { accountId: id, claims: () => ({ sub: id, name: person.name, email: person.email, email_verified: true }) };
}

/** Choosing a person is consent enough. */
async function grantEverything({ oidc }: KoaContext) {
  const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
  grant.addOIDCScope('openid email profile');
  await grant.save();
  return grant;
}

function renderError(context: KoaContext, out: { error: string; error_description?: string }): void {
  context.type = 'html';
  const reason = escapeHtml(out.error_description ?? out.error);
  context.body = windowPage({
    title: 'Practice sign-in',
    body: `<h1>Practice sign-in failed</h1>\n<p>${reason}</p>\n<p><a href="/login">Try again</a></p>`,
  });
}
