import { randomBytes } from 'node:crypto';
import type { Provider } from '#domain/signin/providers.ts';

/** Path under which the practice provider stands. */
export const practicePath = '/practice';

// Lives as long as this process, as everything of the practice provider does.
const clientSecret = randomBytes(32).toString('base64url');

/** The practice provider in the places of Google and Microsoft, as reached from this origin. */
export function practiceProvidersAt(origin: string): Provider[] {
  const discoveryUrl = `${origin}${practicePath}/.well-known/openid-configuration`;
  return ['google', 'microsoft'].map((id) => ({ id, clientId: id, clientSecret, discoveryUrl, provesEmail: true, prompt: 'login' }));
}
