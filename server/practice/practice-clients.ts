import { randomBytes } from 'node:crypto';
import { type OpenIdProvider, openIdScopes } from '#domain/signin/providers.ts';

/** Path under which the practice provider stands. */
export const practicePath = '/practice';

// Lives as long as this process, as everything of the practice provider does.
const clientSecret = randomBytes(32).toString('base64url');

/** The practice provider in the places of Google and Microsoft, as reached from this origin. */
export function practiceProvidersAt(origin: string): OpenIdProvider[] {
  const base = `${origin}${practicePath}`;
  const common = {
    clientSecret,
    discoveryUrl: `${base}/.well-known/openid-configuration`,
    userInfoUrl: `${base}/me`,
    scopes: openIdScopes,
  };
  return ['google', 'microsoft'].map((id) => ({ ...common, protocol: 'openid', id, clientId: id, provesEmail: true, prompt: 'login' }));
}
