import { z } from 'zod';

const Discovery = z.object({
  issuer: z.string(),
  token_endpoint: z.url({ protocol: /^https?$/ }),
  userinfo_endpoint: z.url({ protocol: /^https?$/ }).nullish(),
  token_endpoint_auth_methods_supported: z.array(z.string()).nullish().catch(null),
});

/** Where in a question for a token our secret stands. */
export type SecretPlace = 'header' | 'body';

/** What a provider says of itself. Throws when it does not say so properly. */
export async function readDiscovery(discoveryUrl: string, request: { signal?: AbortSignal } = {}): Promise<z.infer<typeof Discovery>> {
  const answer = await globalThis.fetch(discoveryUrl, { ...request, headers: { accept: 'application/json' } });
  if (!answer.ok) throw new Error(`its discovery document answers ${answer.status}`);
  return Discovery.parse(await answer.json());
}

/**
 * How a provider that the operator names wants to hear our secret, by what its discovery document lists. By OpenID Connect Discovery 1.0,
 * one that lists nothing wants it in a header.
 */
export function secretPlaceOf({ token_endpoint_auth_methods_supported: methods }: z.infer<typeof Discovery>): SecretPlace {
  return methods?.includes('client_secret_post') ? 'body' : 'header';
}
